import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../src/search.mjs';
test('finds by a part of the name', () => assert.deepEqual(search([{ name: 'nut' }, { name: 'bolt' }], 'ol').map((one) => one.name), ['bolt']));
test('finds nothing', () => assert.deepEqual(search([{ name: 'nut' }], 'x'), []));
