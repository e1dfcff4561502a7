import type { Failure, FailureCode } from '../protocol.ts';

/** Says in one line what was thrown and where in the project. Reading a thrown value may throw again. */
export function explain(code: FailureCode, error: unknown, root: string): Failure {
  try {
    const where = error instanceof Error ? whereIn(String(error.stack), root) : undefined;
    return { code, detail: wordsOf(error), ...(where === undefined ? {} : { where }) };
  } catch {
    // A proxy, or a getter of the author's: that it threw is all there is to say.
    return { code, detail: 'a value that cannot be read' };
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)} (not an error)`;
  const line = String(error.message).trim().split('\n')[0] ?? '';
  const name = error.name === 'Error' ? '' : `${error.name}: `;
  return `${name}${line === '' ? 'no message' : line}`.slice(0, 300);
}

/** The first place in the project that a stack or a message names. */
export function whereIn(stack: string, root: string): string | undefined {
  for (const [, path, line, column] of stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+):(\d+)(?::(\d+))?/g)) {
    const file = decodeURI(path ?? '');
    if (!file.startsWith(`${root}/`) || file.includes('/node_modules/')) continue;
    return `${file.slice(root.length + 1)}:${line}${column === undefined ? '' : `:${column}`}`;
  }
  return undefined;
}
