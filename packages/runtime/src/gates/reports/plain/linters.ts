import { type Found, foundComplaint, type Recogniser } from './found.ts';

/** The blocks of eslint's stylish format: a line with the file, below it `3:5  error  message  rule`. */
export const readLinters: Recogniser = (lines, project) => {
  let file: string | undefined;
  return lines.flatMap((line): Found[] => {
    const row = /^\s+(\d+):(\d+)\s+(error|warning)\s+(.+?)(?:\s{2,}(\S+))?\s*$/.exec(line);
    if (row === null) {
      if (line.trim() !== '') file = /^\S+\.\w+$/.test(line) ? line : undefined;
      return [];
    }
    const [, at = '', column = '', level, message = '', rule = 'error'] = row;
    if (file === undefined) return [];
    return [
      foundComplaint(
        {
          kind: 'lint',
          rule,
          file,
          line: Number(at),
          column: Number(column),
          message,
          level: level === 'warning' ? 'warning' : 'error',
          load: message.startsWith('Parsing error'),
        },
        project,
      ),
    ];
  });
};
