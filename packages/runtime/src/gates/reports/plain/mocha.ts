import { projectPlace } from '../identity.ts';
import { block, type Found, foundTest, type Recogniser } from './found.ts';

/** Mocha's numbered failures: the names one below the other, the last with a colon. */
export const readMocha: Recogniser = (lines) => {
  const broken = lines.flatMap((line, index) => notLoaded(lines, line, index));
  return [...broken, ...readFailures(lines)];
};

/** Of a file that does not load Mocha prints the exception and no tests at all; the file is the first that asked. */
function notLoaded(lines: readonly string[], line: string, index: number): Found[] {
  const message = /^\s*Exception during run: (\S.*)$/.exec(line)?.[1];
  if (message === undefined) return [];
  const after = block(lines, index + 1, /^\s*$/, 30);
  const asked = after.findLast((one) => /^- \S+$/.test(one))?.slice(2);
  const file = asked ?? projectPlace(after.join('\n'))?.file;
  return [foundTest({ file, names: file === undefined ? [message] : [], message, load: true })];
}

function readFailures(lines: readonly string[]): Found[] {
  const from = lines.findIndex((line) => /^\s+\d+ failing\s*$/.test(line));
  if (from === -1) return [];
  return lines.flatMap((line, index): Found[] => {
    const first = index > from ? /^\s+\d+\) (.+)$/.exec(line)?.[1] : undefined;
    if (first === undefined) return [];
    const rest = [first, ...block(lines, index + 1, /^\s*$/)].map((title) => title.trim());
    const titles = rest.slice(0, rest.findIndex((title) => title.endsWith(':')) + 1);
    const after = block(lines, index + titles.length, /^\s+\d+\) /, 20);
    const told = after.filter((text) => text.trim() !== '' && !/^\s*at /.test(text));
    const place = projectPlace(after.filter((text) => /^\s*at /.test(text)).join('\n'));
    const names = titles.map((title, at) => (at === titles.length - 1 ? title.replace(/:$/, '') : title));
    const test = foundTest({ names, message: told.slice(0, 8).join('\n'), line: place?.line });
    return [place === undefined ? test : { ...test, finding: { ...test.finding, file: place.file } }];
  });
}
