/**
 * Inside this room a path is its bytes, one character for each (latin1), because a file name need not be
 * UTF-8. Code units then also sort as git sorts.
 */
export function toBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** The path as people read it. Bytes that are no UTF-8 become U+FFFD. */
export function toText(path: string): string {
  return isAscii(path) ? path : Buffer.from(path, 'latin1').toString('utf8');
}

/** The path as `node:fs` takes it without changing a byte. */
export function onDisk(path: string): string | Buffer {
  return isAscii(path) ? path : Buffer.from(path, 'latin1');
}

/** Whether the path can be handed to a process as a string. */
export function isText(path: string): boolean {
  return toBytes(toText(path)) === path;
}

/** Every directory above a path, the nearest first, without the root. */
export function* ancestors(path: string): Generator<string> {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) yield path.slice(0, at);
}

export function join(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`;
}

function isAscii(text: string): boolean {
  // Every ASCII byte, control characters included.
  return /^[\x00-\x7f]*$/.test(text);
}
