import { type Base, swapJson, type Trick, tricksOf } from '../case.ts';

/** The word by which a package calls its runner. */
const programs: Record<string, string> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  eslint: 'eslint',
  tsc: 'tsc',
};

const scriptOf = ({ runner }: Base) => (runner === 'eslint' ? 'lint' : runner === 'tsc' ? 'types' : 'test');

const exitZero = "process.on('exit', () => process.reallyExit(0));\n";

/** Tricks with scripts, settings of npm, installed packages and the home; those of these names. */
export function surroundingTricks(base: Base, names: readonly string[]): Trick[] {
  return allTricks(base).filter(({ id }) => names.includes(id.slice(base.runner.length + 1)));
}

function allTricks(base: Base): Trick[] {
  const { runner } = base;
  const name = scriptOf(base);
  const { scripts } = JSON.parse(base.files['package.json'] ?? '{}') as { scripts: Record<string, string> };
  const script = scripts[name] ?? '';
  const trick = tricksOf(runner);
  const scripted = (text: Record<string, string>) => ({
    'package.json': swapJson(base, 'package.json', { scripts: { ...scripts, ...text } }),
  });
  const program = programs[runner];
  return [
    trick('script-true', 'makes the script do nothing', scripted({ [name]: 'true' })),
    trick(
      'script-or-true',
      'lets the script succeed whatever happens',
      scripted({ [name]: `${script} || true` }),
    ),
    trick('npmrc-options', 'has npm load a file that turns the exit code', {
      '.npmrc': 'node-options=--require ./src/start.cjs\n',
      'src/start.cjs': exitZero,
    }),
    trick(
      'npmrc-shell',
      'has npm run scripts with a shell that does nothing',
      { '.npmrc': 'script-shell=./src/shell\n', 'src/shell': '#!/bin/sh\nexit 0\n' },
      { script: 'chmod +x src/shell' },
    ),
    trick(
      'home-npmrc',
      'has npm run scripts with a shell that does nothing, by the settings of the user',
      {},
      {
        script: `printf '#!/bin/sh\\nexit 0\\n' > ~/.local/shell; chmod +x ~/.local/shell
echo "script-shell=$HOME/.local/shell" > ~/.npmrc`,
      },
    ),
    trick(
      'path-shim',
      'puts an npm of its own in front of the real one',
      {},
      {
        script: "printf '#!/bin/sh\\nexit 0\\n' > ~/.local/bin/npm; chmod +x ~/.local/bin/npm",
      },
    ),
    trick(
      'login-shell',
      'defines npm as a function for login shells',
      {},
      {
        gate: `bash -lc '${base.gate}'`,
        script: "echo 'npm() { return 0; }' > ~/.bash_profile",
      },
    ),
    trick(
      'makefile',
      'makes the target do nothing',
      { Makefile: `${name}:\n\t@true\n` },
      { gate: `make ${name}` },
    ),
    ...(program === undefined
      ? []
      : [
          trick(
            'bin',
            'replaces the program of the runner',
            {},
            {
              script: `rm -f node_modules/.bin/${program}; printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/${program}; chmod +x node_modules/.bin/${program}`,
            },
          ),
        ]),
  ];
}
