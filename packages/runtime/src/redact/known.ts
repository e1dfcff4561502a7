import { existsSync } from 'node:fs';
import { noteFor, type Span } from './span.ts';

/** A text that must not be seen wherever it stands, and the variable that holds it. */
export interface Known {
  text: string;
  name: string;
}

const leastLength = 8;
const longestPiece = 512;

/** The values of the variables whose names say that they are secret, in every form they are printed in. */
export function knownSecrets(environment: NodeJS.ProcessEnv): Known[] {
  const known = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    for (const secret of value === undefined ? [] : secretsOf(name, value)) {
      for (const text of formsOf(secret)) if (!known.has(text)) known.set(text, name);
    }
  }
  return [...known].map(([text, name]) => ({ text, name })).sort((a, b) => b.text.length - a.text.length);
}

/** Every place where one of them stands. */
export function findKnown(text: string, known: readonly Known[]): Span[] {
  const spans: Span[] = [];
  for (const { text: secret, name } of known) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
      spans.push({ start: at, end: at + secret.length, note: noteFor(name) });
    }
  }
  return spans;
}

function secretsOf(name: string, value: string): string[] {
  const inUrl = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/]+)@/i.exec(value)?.[1];
  return [...(soundsSecret(name) ? [value.trim()] : []), ...(inUrl === undefined ? [] : [inUrl])].filter(
    isWorthHiding,
  );
}

const telling =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|(?:^|[_-])(?:KEY|KEYS|PASS|PWD|PAT|AUTH|JWT|COOKIE)(?:$|[_-])/i;

// These speak about a secret without being one; where it lies, how long it is, who it belongs to.
const about =
  /(?:^|[_-])(?:FILE|PATH|DIR|URL|URI|HOST|NAME|USER|SOCK|TYPE|LENGTH|SIZE|TTL|EXPIRY|EXPIRES|COUNT|LIMIT|MAX|BUDGET|VERSION|REGION|ALGORITHM)$|^(?:OLD)?PWD$|TOKENS$/i;

const soundsSecret = (name: string): boolean => telling.test(name) && !about.test(name);

/** Common words and places would take the sense out of every text. */
function isWorthHiding(value: string): boolean {
  if (value.length < leastLength || common.has(value.toLowerCase())) return false;
  if (/^[\d.,:-]{1,15}$/.test(value) || /^(.)\1+$/.test(value)) return false;
  const isPath = /^(?:~|\.{1,2})?(?:\/[\w.@-]{1,64}){2,}\/?$/.test(value);
  return !isPath && !(value.startsWith('/') && existsSync(value));
}

const common = new Set(
  'password passw0rd postgres changeme localhost disabled required optional undefined production development keychain osxkeychain'.split(
    ' ',
  ),
);

/** Line by line, in pieces of a bounded length; each as it is, as JSON or an address writes it, and all in base64. */
function formsOf(secret: string): string[] {
  const encoded = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  const pieces = secret.split(/[\r\n]+/).flatMap((line) => piecesOf(line.trim()));
  const forms = pieces.flatMap((piece) => [
    piece,
    JSON.stringify(piece).slice(1, -1),
    encodeURIComponent(piece),
  ]);
  return [...forms, ...piecesOf(encoded)];
}

function piecesOf(line: string): string[] {
  const pieces = line.match(new RegExp(`.{1,${longestPiece}}`, 'gsu')) ?? [];
  return pieces.filter((piece) => piece.length >= leastLength && !piece.startsWith('-----'));
}
