/** Words before a quoted name that say it is a name of the program's, and not a type or a piece of syntax. */
const nouns =
  'name|property|properties|variable|identifier|parameter|argument|function|method|class|interface|enum|namespace|accessor|export|declaration|value|macro|item|named|to|for';

const name = String.raw`([\w$.@/#-]{1,120})`;
const quote = '["\'`]{1,2}';

/** In the order in which they are believed: the member of a module tells more than the module. */
const patterns: readonly RegExp[] = [
  new RegExp(`\\b(?:member|attribute)(?: named)? ${quote}${name}${quote}`, 'i'),
  new RegExp(`\\band ${quote}${name}${quote} does not exist`),
  new RegExp(`^${quote}${name}${quote} `),
  new RegExp(`\\b(?:${nouns}) ${quote}${name}${quote}`, 'i'),
  new RegExp(`\\bmodule(?: named)? ${quote}${name}${quote}`, 'i'),
];

/** The name in the program that a message of a compiler is about; undefined when it names none. */
export function symbolOf(message: string): string | undefined {
  const first = message.split('\n', 1)[0]?.slice(0, 1_000) ?? '';
  for (const pattern of patterns) {
    const found = pattern.exec(first)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
