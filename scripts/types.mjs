// The types of the libraries. The compiler describes every source; what `index.d.ts` leads to is published.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from './setup.mjs';

/** The type files of each package, by their paths beside its bundle. */
export async function makeTypes(names) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const dir = mkdtempSync(join(root, '.cache', 'types-'));
  try {
    // Types are checked by `npm run check`: here they only have to be written, and quickly.
    const said = await compile(['-p', 'tsconfig.types.json', '--noCheck', '--outDir', dir]);
    return Object.fromEntries(names.map((name) => [name, reachable(join(dir, name, 'src'), said)]));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function compile(args) {
  const tsc = spawn(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  tsc.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((done, fail) => tsc.on('error', fail).on('close', () => done(said)));
}

const link = /(?<=\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\1/g;

/** The files that `index.d.ts` leads to. Their imports name the source, which is not published, so the ending changes. */
function reachable(dir, said) {
  const files = {};
  const visit = (path) => {
    if (path in files) return;
    // The compiler leaves out a file whose types it cannot write down, and says why.
    if (!existsSync(join(dir, path))) throw new Error(`the published types lack ${path}:\n${said}`);
    const text = readFileSync(join(dir, path), 'utf8');
    files[path] = text.replaceAll(link, '$1$2.js$1');
    for (const [, , target] of text.matchAll(link)) visit(posix.join(dirname(path), `${target}.d.ts`));
  };
  visit('index.d.ts');
  return files;
}
