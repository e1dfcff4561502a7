import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, show } from '../src/money.js';

test('shows cents as an amount', () => {
  assert.equal(show(1250), '12.50');
  assert.equal(show(5), '0.05');
});

test('reads an amount', () => {
  assert.equal(read('12.50'), 1250);
});

test('reads a whole amount', () => {
  assert.equal(read('3'), 300);
});
