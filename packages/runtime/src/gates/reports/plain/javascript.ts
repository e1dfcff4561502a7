import { stableName } from '../../normalise.ts';
import { isFile, projectPlace } from '../identity.ts';
import { block, type Found, foundTest, type Recogniser } from './found.ts';

/**
 * Vitest's `FAIL file > suite > test`, Jest's `FAIL file` with `● suite › test` below it,
 * and, where neither names the tests, the crosses of their trees.
 */
export const readJavaScript: Recogniser = (lines) => {
  const named: Found[] = [];
  const crosses: Found[] = [];
  const files: Found[] = [];
  let file: string | undefined;
  for (const [index, line] of lines.entries()) {
    const header =
      /^\s*(?:FAIL|❌)\s+(?:\|[^|]+\|\s+)?(\S+)(?: \(.+ m?s\))?(?:\s+>\s+(.+?)|\s+(\[ .+ \]))?\s*$/.exec(
        line,
      );
    const cross = /^\s*[✗×✕]\s+(.+)$/.exec(line);
    const bullet = /^\s+●\s+(.+)$/.exec(line);
    if (header?.[1] !== undefined && isFile(header[1])) {
      file = header[1];
      const after = block(lines, index + 1, /^[⎯\s]*\[\d+\/\d+\]|^\s*(?:FAIL|PASS)\s/, 40);
      if (header[2] !== undefined) named.push(test(file, header[2].split(' > '), after));
      else if (header[3] !== undefined) named.push(test(file, [], after));
      else files.push(test(file, [], []));
    } else if (bullet?.[1] !== undefined && file !== undefined && !/^Console$/.test(bullet[1])) {
      const names = bullet[1] === 'Test suite failed to run' ? [] : bullet[1].split(' › ');
      named.push(test(file, names, block(lines, index + 1, /^\s+●\s|^\S/, 40)));
    } else if (cross?.[1] !== undefined && !/^\d+ (?:problems?|errors?|tests?) /.test(cross[1])) {
      crosses.push(test(file, stableName(cross[1]).split(' > '), []));
    }
  }
  const tests = named.length > 0 ? named : crosses;
  const told = new Set(tests.map(({ finding }) => finding.file));
  const unnamed = files.filter(({ finding }) => !told.has(finding.file));
  return [...tests, ...unnamed];
};

function test(file: string | undefined, names: readonly string[], after: readonly string[]): Found {
  const place = projectPlace(after.filter((line) => /^\s*(?:❯|at )\s?/.test(line)).join('\n'));
  const told = after.filter((line) => line.trim() !== '' && !/^\s*(?:❯|at |>?\s*\d*\s*\|)/.test(line));
  const first = isFile(names[0] ?? '') ? names[0] : undefined;
  const own = first ?? file;
  return foundTest({
    file: own,
    names: first === undefined ? names : names.slice(1),
    message: told.slice(0, 8).join('\n'),
    line: place?.file === own ? place?.line : undefined,
    load: names.length === 0 && after.length > 0,
  });
}
