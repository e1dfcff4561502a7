/** What a gate's command needed and did not find, in words; undefined when the command itself ran. */
export function whatIsMissing(
  output: string,
  code: number,
  run: string | readonly string[],
): string | undefined {
  for (const [pattern, say] of lacks) {
    const match = pattern.exec(output);
    if (match !== null) return say(match[1] ?? '');
  }
  if (code === 127) return `${programIn(output, run)} is not installed`;
  if (code === 126) return `${programIn(output, run)} is not executable`;
  return undefined;
}

type Lack = readonly [RegExp, (name: string) => string];

// The exact words of the tools, at the start of a line: a test that prints such words must still count as failed.
const lacks: readonly Lack[] = [
  [/^npm (?:ERR!|error) Missing script: "?([^"\n]+)/m, (name) => `package.json has no script ${name.trim()}`],
  [
    /^ ?(?:ERR_PNPM_NO_SCRIPT ?|error) +(?:Missing script: |Command )"?([\w:.-]+)"?(?: not found)?\.?$/m,
    (name) => `package.json has no script ${name}`,
  ],
  [
    /^npm (?:ERR!|error) (?:enoent )?(?:Could not read package\.json|ENOENT: no such file or directory, open '[^']*package\.json')/im,
    () => 'there is no package.json',
  ],
  [/^npm (?:ERR!|error) could not determine executable to run/m, () => 'npx finds no such program'],
  [
    /^make: \*\*\* No rule to make target ['`]([^'`\n]+)'\. +Stop\.$/m,
    (name) => `the Makefile has no target ${name}`,
  ],
  [/^make: \*\*\* No targets specified and no makefile found/m, () => 'there is no Makefile'],
  [/^make: (\S+): No such file or directory$/m, (name) => `${name} is not installed`],
  [/^\S*python[\d.]*: No module named (\S+)$/m, (name) => `the Python module ${name} is not installed`],
  [/^error: could not find `(Cargo\.toml)`/m, (name) => `there is no ${name}`],
  [/^error: no such command: `([^`]+)`/m, (name) => `cargo has no command ${name}`],
  [
    /^(?:\S*\/)?(?:da)?sh: 0: (?:cannot open|Can't open) (\S+)/m,
    (name) => `there is no ${name.replace(/:$/, '')}`,
  ],
  [/^(?:\S*\/)?bash: (\S+): No such file or directory$/m, (name) => `there is no ${name}`],
  [/^(?:\/bin\/)?sh: \d+: (Syntax error: .+)$/m, (words) => `the shell cannot read the command (${words})`],
];

const shellWords =
  /^(?:\S*sh|env)(?:: (?:line )?\d+)?: ['‘"]?([^:\n]+?)['’"]?: (?:command not found|not found|Permission denied|No such file or directory|cannot execute|Is a directory|Exec format error)/gim;

// The shell's own words name the program that is missing deep inside a script; the command's first word may be a mere wrapper.
function programIn(output: string, run: string | readonly string[]): string {
  const named = [...output.matchAll(shellWords)].at(-1)?.[1];
  const first = typeof run === 'string' ? run.trim().split(/\s+/)[0] : run[0];
  return named ?? first ?? 'the command';
}
