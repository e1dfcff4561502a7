import { isFile, projectPlace } from '../identity.ts';
import { block, type Found, foundTest, type Recogniser } from './found.ts';

const maxPrinted = 200;

/** Node's spec reporter: its list of failing tests, or the crosses above it when the list is missing. */
export const readNodeSpec: Recogniser = (lines) => {
  const errors = printedErrors(lines);
  const from = lines.findIndex((line) => line.startsWith('✖ failing tests:'));
  const suites = new Set(lines.map((line) => /^\s*▶ (.+?)(?: \([\d.]+m?s\))?$/.exec(line)?.[1]));
  return lines.slice(from + 1).flatMap((line, offset): Found[] => {
    const name = /^\s*✖ (.+?)(?: \([\d.]+m?s\))?(?<todo> # (?:TODO|SKIP).*)?$/.exec(line);
    if (name?.[1] === undefined || name.groups?.['todo'] !== undefined) return [];
    if (/^\d+ problems? \(/.test(name[1]) || (from === -1 && suites.has(name[1]))) return [];
    const index = from + 1 + offset;
    const at = projectPlace(/^test at (.+)$/.exec(lines[index - 1] ?? '')?.[1] ?? '');
    const file = isFile(name[1]) ? name[1] : at?.file;
    if (name[1] === file)
      return [foundTest({ file, names: [], message: printedError(errors, file), load: true })];
    const after = block(lines, index + 1, /^(?:test at|✖|✔)/);
    const told = after.filter((text) => text.trim() !== '' && !/^\s*at /.test(text));
    return [foundTest({ file, names: [name[1]], line: at?.line, message: told.slice(0, 6).join('\n') })];
  });
};

// The error of a file that did not load is printed far above, and names the file near it.
function printedError(errors: readonly Printed[], file: string): string | undefined {
  return errors.find(({ near }) => near.includes(file))?.error;
}

interface Printed {
  error: string;
  near: string;
}

function printedErrors(lines: readonly string[]): Printed[] {
  const found = lines.flatMap((line, index): Printed[] => {
    const near = lines.slice(Math.max(0, index - 7), index + 1).filter((other) => !other.includes('✖'));
    return /^\w*Error\b/.test(line) ? [{ error: line, near: near.join('\n') }] : [];
  });
  return found.slice(0, maxPrinted);
}
