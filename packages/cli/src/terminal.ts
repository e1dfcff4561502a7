import { cleanText, redact } from '@agentgate/runtime';
import picocolors from 'picocolors';

/** Where a command writes, and what it may assume of the reader. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Writes bytes as they are where a program reads them; does nothing and says false where a person does. */
  exact(bytes: Uint8Array): boolean;
  /** Rewrites the status line at the bottom; nothing happens without a terminal. */
  status(text: string | null): void;
  readonly live: boolean;
  /** Where the user stands, links resolved. */
  readonly cwd: string;
  readonly width: number;
  readonly colors: ReturnType<typeof picocolors.createColors>;
}

type Stream = NodeJS.WriteStream;

export function makeTerminal(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv, cwd: string): Terminal {
  const plain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb';
  const live = stdout.isTTY === true && !plain && !env['CI'];
  const colored = stdout.isTTY === true && !plain;
  const safe = (text: string) => harmless(text, colored);
  let shown = false;
  const clear = () => {
    if (shown) stdout.write('\r\u001b[2K');
    shown = false;
  };
  // A reader that goes away (`| head`, a closed terminal) ends the reading, not the run.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    out(text) {
      clear();
      stdout.write(`${safe(text)}\n`);
    },
    err(text) {
      clear();
      stderr.write(`${safe(text)}\n`);
    },
    exact(bytes) {
      if (stdout.isTTY === true) return false;
      stdout.write(bytes);
      return true;
    },
    status(text) {
      if (!live) return;
      if (text === null) return clear();
      stdout.write(`\r\u001b[2K${safe(text).replaceAll('\n', ' ')}`);
      shown = true;
    },
    live,
    cwd,
    get width() {
      // A file or a pipe has no edge; the lines of a log are kept to what a screen shows.
      return stdout.columns || 120;
    },
    colors: picocolors.createColors(colored),
  };
}

/**
 * Other people's text may stand anywhere in a line. Colours are ours to give; whatever else could move the cursor,
 * set a title, turn the writing around or hide it is taken out, and so is every secret.
 */
export function harmless(text: string, colored = true): string {
  const parts = text.split(/(\u001b\[[\d;]*m)/);
  // Every other part is a colour.
  const clean = parts.map((part, at) =>
    at % 2 === 0 ? cleanText(part) : colored && isColor(part) ? part : '',
  );
  return redact(clean.join(''));
}

/** Bold, dim, underlined, turned around, a colour, or the end of one; never blinking or hidden. */
function isColor(sequence: string): boolean {
  const codes = sequence.slice(2, -1).split(';');
  return codes.every((code) => /^(?:|[01247]|2[2-47]|[349][0-7]|10[0-7]|[34]9)$/.test(code));
}
