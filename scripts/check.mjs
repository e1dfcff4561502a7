// Types, lint, format, directions between rooms, dead code: all of them, then a verdict.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp({ quiet: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const checks = [
  ['types', bin('tsc'), ['-p', '.']],
  ['types of core alone, without a platform', bin('tsc'), ['-p', 'packages/core']],
  ['types of the page', bin('tsc'), ['-p', 'packages/web']],
  ['lint', bin('oxlint'), ['--deny-warnings', 'packages', 'e2e', 'bench', 'scripts']],
  ['format', bin('biome'), ['format', '.']],
  ['rooms', process.execPath, ['scripts/check-rooms.mjs']],
  ['dead code', bin('knip'), ['--no-progress']],
];
const failed = checks.filter(([name, command, args]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return false;
  console.error(`\n${name} failed:\n${stdout}${stderr}`);
  return true;
});
const names = failed.map(([name]) => name);
console.log(
  names.length === 0 ? `check: all ${checks.length} are clean` : `check: ${names.join(', ')} failed`,
);
process.exit(names.length === 0 ? 0 : 1);
