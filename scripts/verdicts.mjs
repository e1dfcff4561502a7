// `npm run verdicts`: scripted agents and gates end to end, each with what must come of it, as a table.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const file = join(root, '.cache', 'verdicts.json');
rmSync(file, { force: true });
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'e2e', 'e2e/verdicts.test.ts', '--reporter=dot'],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, VERDICTS_FILE: file },
  },
);
const rows = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
const names = Math.max(...rows.map((row) => row.name.length), 8);
console.log(`${'scenario'.padEnd(names)}  ${'status'.padEnd(10)} ${'code'.padEnd(26)} iterations  exit`);
for (const { name, expected, got } of rows) {
  const [outcome, code, iterations, exit] = got.split(' ');
  const wrong = got === expected ? '' : `   EXPECTED ${expected}`;
  console.log(
    `${name.padEnd(names)}  ${outcome.padEnd(10)} ${code.padEnd(26)} ${iterations.padStart(10)}  ${exit.padStart(4)}${wrong}`,
  );
}
const right = rows.filter((row) => row.got === row.expected).length;
console.log(`${right} of ${rows.length} verdicts are as expected`);
process.exit(status ?? 1);
