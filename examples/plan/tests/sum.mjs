import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/totals/sum.mjs';
test('adds the counts', () => assert.equal(sum([{ count: 3 }, { count: 4 }]), 7));
