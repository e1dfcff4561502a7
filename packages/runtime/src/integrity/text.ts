import { cleanText } from '../process/index.ts';

/** The text of a file. Two-byte encodings that compilers take are read as they would. */
export function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const even = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
    return even.swap16().toString('utf16le');
  }
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Whether a file is no text for a person to read. */
export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_000).includes(0);

/** A path on one line, whatever bytes it has. */
export function shownPath(path: string): string {
  return /[\x00-\x1f\x7f-\x9f]/.test(path) ? JSON.stringify(path) : cleanText(path);
}
