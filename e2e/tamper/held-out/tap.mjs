/** Says which of the named checks hold, and ends. */
export function tap(rows) {
  console.log(`TAP version 13\n1..${rows.length}`);
  rows.forEach(([name, ok], at) => console.log(`${ok ? 'ok' : 'not ok'} ${at + 1} - ${name}`));
  process.exitCode = rows.every(([, ok]) => ok) ? 0 : 1;
}
