import picocolors from 'picocolors';

/** Where a command writes, and what it may assume of the reader. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Rewrites the status line at the bottom; nothing happens without a terminal. */
  status(text: string | null): void;
  readonly live: boolean;
  readonly width: number;
  readonly colors: ReturnType<typeof picocolors.createColors>;
}

type Stream = NodeJS.WriteStream;

export function makeTerminal(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv): Terminal {
  const plain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb';
  const live = stdout.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
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
      stdout.write(`${text}\n`);
    },
    err(text) {
      clear();
      stderr.write(`${text}\n`);
    },
    status(text) {
      if (!live) return;
      if (text === null) return clear();
      stdout.write(`\r\u001b[2K${text}`);
      shown = true;
    },
    live,
    get width() {
      return stdout.columns ?? 100;
    },
    colors: picocolors.createColors(stdout.isTTY === true && !plain),
  };
}
