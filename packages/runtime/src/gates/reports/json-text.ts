/** A piece of JSON in a text: read, or begun and not to be read to its end. */
export type Piece = { kind: 'whole'; value: unknown; problem?: string } | { kind: 'broken'; problem: string };

const maxDepth = 200;
const maxEntries = 4_000_000;
const maxFailed = 1_000;

/**
 * Every piece of JSON that begins with `head`, wherever on a line: tests may print without ending theirs. When there
 * is none, every piece that begins a line. The time is bounded by a multiple of the length, whatever the text.
 */
export function readPieces(text: string, head: RegExp): Piece[] {
  const pieces = piecesAt(text, new RegExp(head.source, 'g'));
  return pieces.length > 0
    ? pieces
    : piecesAt(text, /(?<=^[ \t]{0,20})(?:\{\s*["}]|\[\s*[{\]])/gm).filter(isWhole);
}

const isWhole = (piece: Piece): boolean => piece.kind === 'whole';

function piecesAt(text: string, begin: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let budget = text.length * 8 + 1_000_000;
  let failed = 0;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const extent = extentOf(text, found.index);
    budget -= extent.end - found.index;
    const piece = readPiece(text, found.index, extent);
    pieces.push(piece);
    if (piece.kind === 'whole') begin.lastIndex = extent.end;
    else failed += 1;
    if (failed > maxFailed || budget < 0) break;
  }
  return pieces;
}

/** Where the piece of JSON at a place ends; undefined when it does not. */
export function endOfPiece(text: string, from: number): number | undefined {
  const { end, problem } = extentOf(text, from);
  return problem === undefined ? end : undefined;
}

function readPiece(text: string, from: number, { end, keys, problem }: Extent): Piece {
  if (problem !== undefined) return { kind: 'broken', problem };
  try {
    const value: unknown = JSON.parse(text.slice(from, end));
    if (keysOf(value) === keys) return { kind: 'whole', value };
    // Readers differ in which of the two they believe, so nobody can say what such a report means.
    return { kind: 'whole', value, problem: 'names one key twice' };
  } catch {
    // The parser is the only judge of what is JSON, and it answers by throwing.
    return { kind: 'broken', problem: 'is not JSON throughout' };
  }
}

interface Extent {
  end: number;
  keys: number;
  problem?: string;
}

/** Finds the bracket that closes the one at `from`, without looking at what lies between. */
function extentOf(text: string, from: number): Extent {
  let depth = 0;
  let keys = 0;
  let entries = 0;
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (end === -1) return { end: text.length, keys, problem: 'breaks off' };
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        if (++depth > maxDepth) return { end: at, keys, problem: 'nests deeper than can be read' };
        break;
      case 0x7d:
      case 0x5d:
        if (--depth === 0) return { end: at + 1, keys };
        break;
      case 0x3a:
        keys++;
        break;
      case 0x2c:
        if (++entries > maxEntries) return { end: at, keys, problem: 'has more entries than can be read' };
        break;
      default:
    }
  }
  return { end: text.length, keys, problem: 'breaks off' };
}

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** How many keys a value has in all its depth. */
function keysOf(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const inside: unknown[] = Object.values(one as object);
    if (!Array.isArray(one)) count += inside.length;
    for (const each of inside) if (typeof each === 'object' && each !== null) open.push(each);
  }
  return count;
}
