import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discount, receipt, total } from '../src/cart.js';

const apples = { name: 'apple', cents: 50, count: 3 };
const bread = { name: 'bread', cents: 320, count: 1 };

test('counts every piece', () => {
  assert.equal(total([apples, bread]), 470);
});

test('gives the third one free', () => {
  assert.equal(discount([apples, bread]), 50);
});

test('writes the receipt with the discount', () => {
  assert.equal(receipt([apples, bread]), '4.20');
});
