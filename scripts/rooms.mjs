// `npm run rooms`: small repositories of many kinds, each judged in place and in the gates' room, as a table.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const file = join(root, '.cache', 'rooms.json');
rmSync(file, { force: true });
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'e2e', 'e2e/rooms.test.ts', '--reporter=dot', '--testTimeout=600000'],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ROOMS_FILE: file } },
);
const { why, rows } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { why: null, rows: [] };
if (why !== null) {
  console.log(`there are no rooms on this machine: ${why}`);
  process.exit(0);
}
const width = Math.max(...rows.map(({ name }) => name.length), 4);
console.log(
  `${'kind'.padEnd(width)}  ${'result'.padEnd(8)} ${'seconds'.padStart(7)}  rung      untouched, broken, mended`,
);
for (const { name, result, rungs, verdicts, problems, tookMs } of rows) {
  const seconds = result === 'not run' ? '' : (tookMs / 1000).toFixed(1);
  const rung = [...new Set(rungs)].join(', ');
  console.log(
    `${name.padEnd(width)}  ${result.padEnd(8)} ${seconds.padStart(7)}  ${rung.padEnd(8)}  ${verdicts.join(', ')}`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
}
const count = (result) => rows.filter((row) => row.result === result).length;
console.log(`${count('right')} right, ${count('wrong')} wrong, ${count('not run')} not run`);
process.exit(rows.length > 0 && count('wrong') === 0 ? (status ?? 1) : 1);
