import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totals } from '../src/totals/index.mjs';
test('both together', () => assert.deepEqual(totals([{ name: 'nut', count: 3 }, { name: 'bolt', count: 4 }]), { sum: 7, largest: 'bolt' }));
