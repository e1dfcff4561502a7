import { block, type Found, foundComplaint, foundTest, type Recogniser } from './found.ts';

/** `cargo test`, `cargo nextest`, and the errors of rustc and clippy with their places. */
export const readRust: Recogniser = (lines, project) => {
  const outputs = new Map(lines.map((line, index) => [line, index]));
  return lines.flatMap((line, index): Found[] => {
    const test =
      /^test (.+?)(?: \(line \d+\))? \.\.\. FAILED$/.exec(line) ?? /^\s*FAIL \[\s*[\d.]+s\] (.+)$/.exec(line);
    if (test?.[1] !== undefined)
      return [failedTest(lines, outputs, test[1].replace(/^\(\s*\d+\/\d+\)\s*/, ''))];
    const error = /^(error|warning)(?:\[(E\d+)\])?: (.+)$/.exec(line);
    const place = /^\s+--> (\S+?):(\d+):(\d+)$/.exec(lines[index + 1] ?? '');
    if (error?.[3] === undefined || place === null) return [];
    const level = error[1] === 'warning' ? 'warning' : 'error';
    return [
      foundComplaint(
        {
          kind: 'type',
          rule: error[2] ?? level,
          file: place[1],
          line: Number(place[2]),
          column: Number(place[3]),
          message: [error[3], ...detail(lines, index)].join('\n'),
          level,
          load: level === 'error',
        },
        project,
      ),
    ];
  });
};

/** A failed test with what it printed; `outputs` says where the text of each line stands. */
export function failedTest(
  lines: readonly string[],
  outputs: ReadonlyMap<string, number>,
  name: string,
): Found {
  const from = outputs.get(`---- ${name} stdout ----`);
  const told =
    from === undefined ? [] : block(lines, from + 1, /^(?:note:|stack backtrace:|---- |failures:)/);
  return foundPanic(name, told.join('\n'));
}

/** A test with the panic it printed, and the place of it. */
export function foundPanic(name: string, printed: string): Found {
  const told = printed.slice(0, 8_000).split('\n');
  const end = told.findIndex((line) => /^(?:note:|stack backtrace:)/.test(line));
  const panic = end === -1 ? told : told.slice(0, end);
  const place = /panicked at (?:'.*', )?(\S+?):(\d+):\d+/.exec(panic.join('\n'));
  const message = panic.filter((line) => line.trim() !== '' && !line.includes(' panicked at ')).join('\n');
  const test = foundTest({ names: [name], message });
  if (place?.[1] === undefined) return test;
  return { ...test, finding: { ...test.finding, file: place[1], line: Number(place[2]) } };
}

// `^^^ expected i32, found &str`: what the carets say is the telling part of a mismatch.
function detail(lines: readonly string[], index: number): string[] {
  const said = block(lines, index + 2, /^(?:error|warning|\s*$)/).flatMap(
    (line) => /\^+ (.+)$/.exec(line)?.[1] ?? [],
  );
  return said.slice(0, 1);
}
