import assert from 'node:assert/strict';
import { test } from 'node:test';
import { item } from '../src/model.mjs';
test('an item has a name and a count', () => assert.deepEqual(item('nut', 3), { name: 'nut', count: 3 }));
test('a count is never negative', () => assert.throws(() => item('nut', -1)));
