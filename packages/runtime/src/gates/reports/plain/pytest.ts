import { type Found, foundTest, type Recogniser } from './found.ts';

/** Pytest's short summary, and the files it could not collect. */
export const readPytest: Recogniser = (lines) => {
  const errors = collectErrors(lines);
  const places = onlyPlaces(lines);
  const collect = (file: string, message?: string): Found =>
    foundTest({ file, names: [], message: errors.get(file) ?? message, load: true });
  return lines.flatMap((line): Found[] => {
    const match = /^(?:FAILED|ERROR) ([^\s:]+\.py)(?:::(.+?))?(?: - (.*))?$/.exec(line);
    if (match?.[1] !== undefined) {
      const [, file, path, message] = match;
      if (path === undefined) return [collect(file, message)];
      return [foundTest({ file, names: path.split('::'), message, line: places.get(file) })];
    }
    const heading = /^_+ ERROR collecting (\S+) _+$/.exec(line)?.[1];
    return heading === undefined ? [] : [collect(heading)];
  });
};

/** The error below each heading of a file that was not collected. */
function collectErrors(lines: readonly string[]): Map<string, string> {
  const errors = new Map<string, string>();
  let file: string | undefined;
  for (const line of lines) {
    file = /^_+ ERROR collecting (\S+) _+$/.exec(line)?.[1] ?? file;
    const error = /^E\s+(\w*(?:Error|Exception)\b.*)$/.exec(line)?.[1];
    if (file !== undefined && error !== undefined && !errors.has(file)) errors.set(file, error);
  }
  return errors;
}

/** The line of each file that fails at one place: of several, the summary does not say which belongs to a test. */
function onlyPlaces(lines: readonly string[]): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  for (const line of lines) {
    const [, file, at] = /^([^\s:]+\.py):(\d+): \w/.exec(line) ?? [];
    if (file !== undefined) places.set(file, places.has(file) ? undefined : Number(at));
  }
  return places;
}
