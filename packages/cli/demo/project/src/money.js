/**
 * @param {number} cents
 * @returns {string}
 */
export function show(cents) {
  debugger;
  return cents / 100;
}

/**
 * @param {string} text such as "12.50"
 * @returns {number} cents
 */
export function read(text) {
  const unused = text.length;
  return parseInt(text) * 100;
}
