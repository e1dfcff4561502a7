import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** Why a text could not be read, and where. */
export interface TextProblem {
  message: string;
  line: number;
  column: number;
  /** Another file than the one that was read. */
  file?: string;
  /** The option it is about, where one is known. */
  path?: readonly (string | number)[];
}

/** A text of YAML, JSON or code with the place of everything in it. */
export interface LocatedText {
  value: unknown;
  problems: TextProblem[];
  /** The place of a value, or of its name. */
  locate(path: readonly (string | number)[], name?: boolean): { line: number; column: number };
}

/** Reads YAML or JSON and remembers where each option stands. */
export function readLocated(text: string): LocatedText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems: TextProblem[] = document.errors.map((error) => ({
    message: error.message,
    ...place(error.pos[0]),
  }));
  let value: unknown;
  try {
    if (problems.length === 0) value = document.toJS();
  } catch (error) {
    // Aliases are resolved here; one that leads nowhere, or a bomb of them, is a mistake like any other.
    problems.push({ message: error instanceof Error ? error.message : String(error), line: 1, column: 1 });
  }
  return {
    value,
    problems,
    locate: (path, name = false) => place(offsetOf(document.contents, path, name)),
  };
}

/** The place of the last part of a path that exists. */
function offsetOf(root: Node | null, path: readonly (string | number)[], name: boolean): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [at, part] of path.entries()) {
    const found = step(node, part);
    if (!found) return offset;
    const last = at === path.length - 1;
    // A group is best found by its name, a plain value by itself.
    offset = last && !name && isScalar(found.value) ? start(found.value, found.offset) : found.offset;
    node = found.value;
  }
  return offset;
}

function step(node: unknown, part: string | number): { value: unknown; offset: number } | null {
  if (isMap(node)) {
    const pair = node.items.find((item) => isPair(item) && keyOf(item.key) === String(part));
    return pair ? { value: pair.value, offset: start(pair.key, 0) } : null;
  }
  if (isSeq(node) && typeof part === 'number') {
    const item = node.items[part];
    return item === undefined ? null : { value: item, offset: start(item, 0) };
  }
  return null;
}

const keyOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '');
const start = (node: unknown, otherwise: number): number =>
  isNode(node) ? (node.range?.[0] ?? otherwise) : otherwise;
