import { show } from './money.js';

/** @typedef {{ name: string, cents: number, count: number }} Line */

/**
 * @param {Line[]} lines
 * @returns {number} cents
 */
export function total(lines) {
  return lines.reduce((sum, line) => sum + line.cents, 0);
}

/**
 * Three of the same for the price of two.
 *
 * @param {Line[]} lines
 * @returns {number} cents to take off
 */
export function discount(lines) {
  return 0;
}

/**
 * @param {Line[]} lines
 * @returns {string}
 */
export function receipt(lines) {
  return show(total(lines));
}
