import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largest } from '../src/totals/largest.mjs';
test('finds the largest', () => assert.equal(largest([{ name: 'nut', count: 3 }, { name: 'bolt', count: 4 }]).name, 'bolt'));
