import { goalId } from '../work-item.ts';

/** A plan read from another form, with the line of each item for telling mistakes. */
export interface Imported {
  value: Record<string, unknown>;
  /** The line of an item, by its place among the items; nested ones by all places on the way. */
  lines: Map<string, number>;
}

interface Box {
  indent: number;
  text: string;
  done: boolean;
  line: number;
  more: string[];
  inside: Box[];
}

/** Loops mark their boxes in many ways; what is not ticked is still to be done, whatever else its mark says. */
const box = /^(\s*)(?:[-*+]|\d+[.)])\s+\[([ xX✓✔~>/!?-])\]\s+(.*)$/;
const ticked = /^[xX✓✔]$/;
const heading = /^#{1,6}\s+(.*?)\s*#*\s*$/;

/**
 * Reads Markdown with check boxes: each box is an item, indented ones are its parts, and the order is that of the text.
 * `(after: a, b)` and `(id: x)` at the end of a line name what it depends on and its own id; elsewhere they are words
 * like others. A box with open ones inside of it is open. Headings are said along.
 */
export function readMarkdown(text: string): Imported | null {
  const boxes: (Box & { under: string | null })[] = [];
  const open: Box[] = [];
  let under: string | null = null;
  let title: string | null = null;
  const before: string[] = [];
  let isCode = false;
  for (const [at, line] of withoutComments(text).split(/\r?\n/).entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const found = isCode ? null : box.exec(line);
    if (found) {
      const made: Box = {
        indent: found[1]!.replaceAll('\t', '    ').length,
        text: found[3]!.trim(),
        done: ticked.test(found[2]!),
        line: at + 1,
        more: [],
        inside: [],
      };
      while (open.length > 0 && open.at(-1)!.indent >= made.indent) open.pop();
      const parent = open.at(-1);
      if (parent) parent.inside.push(made);
      else boxes.push(Object.assign(made, { under }));
      open.push(made);
      continue;
    }
    const head = isCode ? null : heading.exec(line);
    if (head) {
      title ??= head[1]!;
      under = head[1]!;
      open.length = 0;
    } else if (open.length > 0 && /^\s{2,}\S/.test(line)) open.at(-1)!.more.push(line.trim());
    else if (boxes.length === 0 && line.trim() !== '') before.push(line);
    else if (line.trim() !== '') open.length = 0;
  }
  if (boxes.length === 0) return null;
  const lines = new Map<string, number>();
  const taken = new Set<string>([goalId]);
  const items = boxes.map((one, at) => itemOf(one, [at], { lines, taken, under: one.under }));
  return {
    value: {
      ...(title === null ? {} : { title }),
      ...(before.length === 0 ? {} : { context: before.join('\n') }),
      items,
    },
    lines,
  };
}

/** What a template says about itself is no work. The lines keep their numbers. */
const withoutComments = (text: string): string =>
  text.replace(/^[ \t]*<!--[^]*?-->/gm, (comment) => comment.replace(/[^\n]/g, ''));

interface Making {
  lines: Map<string, number>;
  taken: Set<string>;
  under: string | null;
}

function itemOf(one: Box, path: readonly number[], making: Making): Record<string, unknown> {
  const { text, id, code, after } = readMarks(one.text);
  making.lines.set(path.join('.'), one.line);
  // Numbers that begin anew under each heading are no names.
  const own = id ?? (code !== null && !making.taken.has(code) ? code : idFrom(text, making.taken));
  making.taken.add(own);
  const parts = one.inside.map((part, at) => itemOf(part, [...path, at], { ...making, under: null }));
  const task = [text, ...one.more].join('\n');
  return {
    id: own,
    title: text.slice(0, 80),
    task: making.under === null ? task : `${task}\n(${making.under})`,
    ...(after.length > 0 ? { dependsOn: after } : {}),
    ...(isDone(one) ? { done: true } : {}),
    ...(parts.length > 0 ? { parts } : {}),
  };
}

const isDone = ({ done, inside }: Box): boolean => done && inside.every(isDone);

const mark = /^(.*)\((id|after):\s*([^()]*)\)$/i;

interface Marks {
  text: string;
  id: string | null;
  /** A number or code that the text begins with, as in "1.2a Parser" or "T3: Parser". */
  code: string | null;
  after: string[];
}

/** `(id: x)` and `(after: a, b)` are for the plan and not for the agent. */
function readMarks(text: string): Marks {
  let id: string | null = null;
  const after: string[] = [];
  let plain = text;
  for (let found = mark.exec(plain); found; found = mark.exec(plain)) {
    const [, before = '', name = '', value = ''] = found;
    const words = value.split(',').map((one) => one.trim());
    if (name.toLowerCase() === 'id') id = value.trim();
    else after.unshift(...words.filter(Boolean));
    plain = before.trimEnd();
  }
  const coded = /^\**([A-Z]{0,4}-?\d+(?:\.\d+)*[a-z]?)\**[:.)]?\s+(.*)$/.exec(plain);
  return { text: plain, id, code: coded?.[1] ?? null, after };
}

/** A few words of the text, so that a person knows it again. */
export function idFrom(text: string, taken: ReadonlySet<string>): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '' && !['a', 'an', 'the', 'to', 'of', 'and', 'in', 'for'].includes(word))
    .slice(0, 4);
  const stem = words.join('-').slice(0, 40) || 'item';
  if (!taken.has(stem)) return stem;
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}
