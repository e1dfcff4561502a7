import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from '../src/table.mjs';
test('a line an item', () => assert.equal(table([{ name: 'nut', count: 3 }]).split('\n').length, 1));
