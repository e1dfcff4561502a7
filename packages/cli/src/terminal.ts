import picocolors from 'picocolors';

/** Where a command writes, and what it may assume of the reader. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
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
  let shown = false;
  const clear = () => {
    if (shown) stdout.write('\r\u001b[2K');
    shown = false;
  };
  // A reader that goes away (`| head`) ends the reading, not the run.
  stdout.on('error', () => undefined);
  return {
    out(text) {
      clear();
      stdout.write(`${harmless(text)}\n`);
    },
    err(text) {
      clear();
      stderr.write(`${harmless(text)}\n`);
    },
    status(text) {
      if (!live) return;
      if (text === null) return clear();
      stdout.write(`\r\u001b[2K${text}`);
      shown = true;
    },
    live,
    cwd,
    get width() {
      return stdout.columns || 100;
    },
    colors: picocolors.createColors(stdout.isTTY === true && !plain),
  };
}

/**
 * Other people's text may stand anywhere in a line. Colours are ours to give; whatever else could move the
 * cursor, set a title or turn the writing around is taken out.
 */
export function harmless(text: string): string {
  return text.replaceAll(
    /\u001b(?!\[[\d;]*m)(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[\d;?]*[ -/]*[@-~]|.)?|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    '',
  );
}
