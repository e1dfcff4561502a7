import { projectPlace, tell } from './identity.ts';

/** Takes the telling part of an error with its stack, and the line in the test's own file. */
export function readStack(
  error: string | null | undefined,
  file: string | undefined,
): { message?: string; line?: number } {
  const lines = (error ?? '').slice(0, 16_000).split('\n');
  const isFrame = (line: string) => /^\s*(?:at |❯ )/.test(line);
  const place = projectPlace(lines.filter(isFrame).join('\n'));
  const where = place === undefined ? undefined : `at ${place.file}:${place.line}`;
  const message = tell(lines.filter((line) => !isFrame(line)).join('\n'), where);
  return {
    ...(message === undefined ? {} : { message }),
    ...(place !== undefined && place.file === file ? { line: place.line } : {}),
  };
}
