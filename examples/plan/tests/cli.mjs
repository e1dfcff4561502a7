import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execFileSync } from 'node:child_process';
test('prints the totals', () => assert.match(execFileSync(process.execPath, ['src/cli.mjs', 'nut,3'], { encoding: 'utf8' }), /3/));
