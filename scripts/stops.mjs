// `npm run stops [-- N]`: stops N runs in the middle of something, by signals and by the command, and tells how long
// it took until everything was dead and recorded. At most 11 s for 99 of 100, and nobody may be left.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const file = join(root, '.cache', 'stops.json');
const times = process.argv[2] ?? '50';
rmSync(file, { force: true });
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'e2e', 'e2e/stops.test.ts', '--reporter=dot'],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, STOPS_FILE: file, STOPS: times },
  },
);
const rows = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
const seconds = (some, hundredth) => {
  const took = some.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  const at = Math.min(took.length - 1, Math.ceil((took.length * hundredth) / 100) - 1);
  return ((took[at] ?? 0) / 1000).toFixed(1).padStart(6);
};
console.log(`${'phase'.padEnd(12)}${'stops'.padStart(6)}   p50 s  p99 s  survivors`);
for (const phase of [...new Set(rows.map((row) => row.phase)), null]) {
  const some = rows.filter((row) => phase === null || row.phase === phase);
  const survivors = some.reduce((sum, row) => sum + row.survivors, 0);
  console.log(
    `${(phase ?? 'all').padEnd(12)}${String(some.length).padStart(6)}  ${seconds(some, 50)} ${seconds(some, 99)}  ${String(survivors).padStart(9)}`,
  );
}
console.log('at most 11.0 s at p99 and 0 survivors are promised');
process.exit(rows.length > 0 ? (status ?? 1) : 1);
