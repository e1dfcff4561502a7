import type { LocatedProblem } from './source.ts';

/** Each problem once, as they stand in the files, those of flags last. */
export function inOrder(problems: readonly LocatedProblem[]): LocatedProblem[] {
  const place = ({ where }: LocatedProblem): [string, number, number] => {
    const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(where) ?? [];
    return line === undefined ? ['\uffff', 0, 0] : [file, Number(line), Number(column)];
  };
  return once(problems).sort((a, b) => {
    const [one, other] = [place(a), place(b)];
    if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1;
    return one[1] === other[1] ? one[2] - other[2] : one[1] - other[1];
  });
}

function once(problems: readonly LocatedProblem[]): LocatedProblem[] {
  const seen = new Set<string>();
  return problems.filter((one) => !seen.has(JSON.stringify(one)) && seen.add(JSON.stringify(one)));
}
