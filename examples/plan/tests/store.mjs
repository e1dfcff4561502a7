import assert from 'node:assert/strict';
import { test } from 'node:test';
import { save, load } from '../src/store.mjs';
test('gives back what was saved', () => { save('items.db', [1, 2]); assert.deepEqual(load('items.db'), [1, 2]); });
