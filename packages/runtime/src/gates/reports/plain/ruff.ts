import { type Found, foundComplaint, type Recogniser } from './found.ts';

/** Ruff's blocks: `F401 [*] message`, and below it `--> file:line:column`. */
export const readRuffBlocks: Recogniser = (lines, project) =>
  lines.flatMap((line, index): Found[] => {
    const [, file, at, column] = /^\s+--> (\S+?):(\d+):(\d+)$/.exec(line) ?? [];
    const before = file === undefined ? '' : (lines[index - 1] ?? '');
    const [, rule, message] =
      /^([A-Z]{1,5}\d{3,4}|invalid-syntax):?(?: \[[*-]\])? (\S.*)$/.exec(before) ?? [];
    if (file === undefined || rule === undefined || message === undefined) return [];
    return [
      foundComplaint(
        {
          kind: 'lint',
          rule,
          file,
          line: Number(at),
          column: Number(column),
          message,
          load: rule === 'invalid-syntax',
        },
        project,
      ),
    ];
  });
