/**
 * Findings, outputs and reasons carry other people's text. Here it becomes text alone: it can neither format a
 * page, nor close an element, nor call a person.
 */

/** One line without control characters, bidirectional marks and invisible characters. */
export function line(text: string, max = 300): string {
  const plain = whole(text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim());
  return plain.length > max ? `${whole(plain.slice(0, max - 1))}…` : plain;
}

/** A sentence for Markdown. A word that a host of repositories would turn into a link or a mention becomes code. */
export function prose(text: string, max = 300): string {
  const words = line(text, max).split(' ');
  return words
    .map((word) => (isLinked(word) ? code(word) : word.replace(MARKUP, '\\$&')))
    .join(' ')
    .replace(STARTS_BLOCK, '$1\\$2');
}

/** A name or a text as it stands, for Markdown: nothing inside code is formatted, linked or mentioned. */
export function code(text: string, max = 200): string {
  // The one sequence that the log of a hosted build obeys in the middle of a line.
  const plain = line(text, max).replaceAll('##[', '## [');
  if (plain === '') return '';
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const room = plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
  // A pipe would end the cell of a table, even inside code.
  return `${fence}${room}${plain.replaceAll('|', '\\|')}${room}${fence}`;
}

/** Text between the tags of XML. What XML cannot hold becomes U+FFFD. */
export function xml(text: string): string {
  return text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"']/g, (one) => ENTITIES[one]!)
    .replaceAll('\r', '&#13;');
}

/** An attribute loses its line breaks and tabs unless they are written as references. */
export function attribute(text: string): string {
  return xml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** A sentence for a message of git, where a host reads mentions and numbers of issues: those are set apart. */
export function quiet(text: string, max = 300): string {
  return line(text, max)
    .replace(/([@#])(?=\w)/g, '$1 ')
    .replace(/GH-(?=\d)/gi, 'GH - ');
}

/** C0 but tab and line breaks; DEL and C1; soft hyphens; bidirectional and zero-width controls; tags. */
const INVISIBLE =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e01ef}]/gu;

/** What Markdown reads as markup anywhere in a line, and what it reads so at the beginning of one. */
const MARKUP = /[\\`*_[\]<>|~&$]/g;
const STARTS_BLOCK = /^(\d*)([#+\-=.):])/;

const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const isLinked = (word: string): boolean => /[@#]|:\/\/|www\.|mailto:|::|GH-\d/i.test(word);

/** Half of a character that needs two code units is none. */
const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
