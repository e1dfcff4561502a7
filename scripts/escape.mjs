// `npm run escape`: processes that try to outlive their controller, with a sandbox and without, as a table.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const file = join(root, '.cache', 'escape.json');
rmSync(file, { force: true });
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'e2e', 'e2e/escape.test.ts', '--reporter=dot'],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ESCAPE_FILE: file } },
);
const { hasSandbox, rows } = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { hasSandbox: false, rows: [] };
const ways = ['agent stop', 'agent kill', 'gate stop', 'gate kill'];
for (const sandbox of ['bwrap', 'none']) {
  console.log(
    sandbox === 'bwrap' ? 'in the sandbox' : '\nwithout a sandbox (left; left after the next command)',
  );
  const some = rows.filter((row) => row.sandbox === sandbox);
  if (some.length === 0) {
    console.log('  not run: bubblewrap does not work here');
    continue;
  }
  console.log(`  ${'style'.padEnd(24)}${ways.map((way) => way.padStart(12)).join('')}`);
  for (const style of new Set(some.map((row) => row.style))) {
    const cells = ways.map((way) =>
      cellOf(some.find((row) => row.style === style && way === `${row.who} ${row.end}`)),
    );
    console.log(`  ${style.padEnd(24)}${cells.map((cell) => cell.padStart(12)).join('')}`);
  }
}
const inside = rows.filter((row) => row.sandbox === 'bwrap');
const survivors = inside.reduce((sum, row) => sum + row.left, 0);
if (hasSandbox)
  console.log(`\n${survivors} survivors of ${inside.length} escapes in the sandbox; 0 are promised`);
console.log('Without a sandbox only processes that keep our marker, our lock or a parent of ours are found.');
process.exit(status ?? 1);

function cellOf(row) {
  if (row === undefined) return '-';
  return row.left === row.later ? String(row.left) : `${row.left}; ${row.later}`;
}
