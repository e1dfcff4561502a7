/** The text as a person would see it: no control sequences, no invisible characters, progress bars in their last state. */
export function cleanText(text: string): string {
  const plain = text
    .replace(STRING, dropString)
    .replace(SEQUENCE, '')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '');
  return plain.includes('\r') ? plain.split('\n').map(lastState).join('\n') : plain;
}

// In every pattern each repeated class excludes what may follow it and the ESC that may start a
// match, so that no character is read twice and the time is linear.

/** OSC, DCS, SOS, PM and APC: an introducer, a text of any length, a terminator. */
const STRING =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])([^\x07\x18\x1a\x1b\x90\x98\x9c-\x9f]*)(\x07|\x18|\x1a|\x1b\\|\x9c)?/g;

/** CSI, then the short escapes such as the choice of a character set. */
const SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;

/**
 * C0 but tab, line feed and carriage return; DEL and C1; halves of characters; notes between lines; and whatever
 * Unicode says is not to be seen: bidirectional and zero-width controls, fillers, selectors, tags.
 */
const INVISIBLE =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff9-\ufffb\p{Surrogate}\p{Default_Ignorable_Code_Point}]/gu;

// One that is never terminated would swallow the rest of the text; it gets the rest of its line.
function dropString(_match: string, body: string, terminator: string | undefined): string {
  const lineEnd = body.indexOf('\n');
  return terminator !== undefined || lineEnd === -1 ? '' : body.slice(lineEnd);
}

function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}
