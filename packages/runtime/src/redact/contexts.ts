import { isIdentifier, looksRandom } from './random.ts';
import { endOfToken } from './shapes.ts';
import { noteFor, type Span } from './span.ts';

/** A secret that is known by what stands before it. It is the last group of the pattern and ends the match. */
interface Context {
  name: string;
  pattern: RegExp;
  isSecret(value: string, word: string): boolean;
}

// Values are bounded and no two repetitions in a row fit the same character, so the time is linear. A value
// never holds a backslash or a quote, so that redacted JSON stays JSON.
const contexts: readonly Context[] = [
  {
    name: 'secret',
    pattern:
      /(pass(?:word|wd|phrase)?|pwd|secret|credentials?|(?:api|access|private|signing|encryption|auth|account|master|shared|secret)[_ -]?key|token|_auth|authorization)["'`]?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}["'`]?([^\s"'`\\,;<>()[\]{}]{8,128})/gi,
    // A hash that is called a token more often names a thing than opens a door, and PWD is where a shell stands.
    isSecret: (value, word) =>
      looksRandom(value) &&
      !(/^token$/i.test(word) && isIdentifier(value)) &&
      !(/^pwd$/i.test(word) && value.startsWith('/')),
  },
  {
    name: 'authorization',
    pattern:
      /(authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)[ \t]{1,4})([^\s"'`\\<>[\]{}$%*]{6,128})/gi,
    isSecret: () => true,
  },
  {
    name: 'authorization',
    pattern: /\b(bearer|basic)[ \t]{1,4}([\w.~+/=-]{16,128})/gi,
    isSecret: looksRandom,
  },
  {
    name: 'cookie',
    pattern: /\b(cookie)["']?:[ \t]{0,4}["']?([^\s"'`\\<>[\]{}=]{1,64}=[^"'`\\\r\n[\]]{8,128})/gi,
    isSecret: (value) => looksRandom(value.slice(value.indexOf('=') + 1).split(';')[0]!),
  },
  {
    name: 'url password',
    pattern: /(:\/\/[^\s/:@"'`\\<>]{0,128}:)([^\s/"'`\\<>[\]]{1,128})(?=@[\w[])/g,
    isSecret: (value) => !/^(?:\$|%|\{|\*{2})/.test(value),
  },
  {
    name: 'login',
    pattern: /(\bcurl\b[^\r\n]{0,200}? (?:-u|--user)[ =]["']?[^\s:"'\\]{1,64}:)([^\s"'\\<>[\]]{4,128})/g,
    isSecret: (value) => !/^[$%{*]/.test(value),
  },
  {
    name: 'secret',
    pattern: /(--(?:password|passphrase|token|secret|api-key)[ \t]{1,4}["']?)([^\s"'\\<>()[\]{}]{8,128})/g,
    isSecret: looksRandom,
  },
];

const longest = 128;

/** Finds secrets by the words before them. */
export function findInContext(text: string): Span[] {
  const spans: Span[] = [];
  for (const { name, pattern, isSecret } of contexts) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [whole, word, value] = match as unknown as [string, string, string];
      const end = match.index + whole.length;
      const start = end - value.length;
      if (isSecret(value, word)) {
        const last = value.length < longest ? end : endOfToken(text, end);
        spans.push({ start, end: last, note: noteFor(name) });
      } else {
        // The value may hold another context; it is at most so long that reading it again is cheap.
        pattern.lastIndex = start;
      }
    }
  }
  return spans;
}
