/** Ways in which a process gets away from whoever started it; each runs the words of `linger` somewhere else. */
export const styles: Record<string, (linger: string) => string> = {
  'plain child': (linger) => `sh -c '${linger}' &`,
  setsid: (linger) => `setsid sh -c '${linger}' &`,
  'double fork': (linger) => `( ( sh -c '${linger}' & ) & )`,
  'nohup and disown': (linger) => `bash -c "nohup sh -c '${linger}' >nohup.out 2>&1 & disown"`,
  'environment wiped': (linger) => `env -i sh -c '${linger}' &`,
  'wiped, setsid, closed': (linger) => `( env -i setsid sh -c '${closed} ${linger}' & )`,
};

// The lock of the workspace is among the descriptors that everybody inherits.
const closed = 'exec <&- >&- 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-;';
