import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../src/read/csv.mjs';
test('reads lines', () => assert.deepEqual(readCsv('nut,3\nbolt,4'), [{ name: 'nut', count: 3 }, { name: 'bolt', count: 4 }]));
test('skips empty lines', () => assert.deepEqual(readCsv('nut,3\n\n'), [{ name: 'nut', count: 3 }]));
