import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../src/read/json.mjs';
test('reads a list', () => assert.deepEqual(readJson('[{"name":"nut","count":3}]'), [{ name: 'nut', count: 3 }]));
