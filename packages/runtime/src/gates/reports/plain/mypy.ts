import { type Found, foundComplaint, type Recogniser } from './found.ts';

const complaint =
  /^(?<file>[^\s:]+\.pyi?):(?<line>\d+)(?::(?<column>\d+))?(?::\d+:\d+)?: error: (?<message>.+?)(?: {2}\[(?<rule>[a-z][\w-]*)\])?$/;

/** Mypy's lines. It puts the code of an error at the end, after two spaces. */
export const readMypyLines: Recogniser = (lines, project) =>
  lines.flatMap((line): Found[] => {
    const groups = line.length > 2_000 ? undefined : complaint.exec(line)?.groups;
    const { file, message, rule } = groups ?? {};
    if (file === undefined || message === undefined || rule === undefined) return [];
    return [
      foundComplaint(
        {
          kind: 'type',
          rule,
          file,
          line: Number(groups?.['line']),
          column: Number(groups?.['column'] ?? 0),
          message,
          load: rule === 'syntax',
        },
        project,
      ),
    ];
  });
