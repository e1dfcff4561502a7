import { type Found, foundTest, type Recogniser } from './found.ts';

/** Ways in which runners and home-made scripts mark one failed check on a line of its own; the name is the group. */
const marks: readonly RegExp[] = [
  // Automake, unittest, shell scripts: `FAIL: name`, `[FAIL] name`, `FAILED: name`.
  /^\s*(?:FAIL|FAILED|ERROR): (\S.*)$/,
  /^\s*\[(?:FAIL|FAILED|ERROR)\]:? (?!Tests run:|Failures:|Errors:|Failed to execute|-> \[Help|To see|Re-run|For more)(\S.*)$/,
  // `name: FAILED`, `name ... FAILED`.
  /^\s*(\S.*?)(?::| \.{2,}) ?(?:FAIL|FAILED)$/,
  // ctest: `  1 - name (Failed)`.
  /^\s*\d+ - (\S.*?) \((?:Failed|Timeout|SEGFAULT|Not Run)\)$/,
  // rspec: `rspec ./spec/a_spec.rb:12 # does a thing`.
  /^rspec \S+ # (\S.*)$/,
  // PHPUnit: `1) Class::method`; minitest: `Class#method [file:line]:`.
  /^\d+\) (\w[\w\\]*::\w.*)$/,
  /^(\w[\w:]*#test_\w+) \[[^\]]+\]:$/,
  // dotnet test: `  Failed Namespace.Test [12 ms]`.
  /^\s+Failed (\w[\w.]*\.\w+.*?)(?: \[[^\]]*\])?$/,
];

/** Failures that a line marks as such. */
export const readMarks: Recogniser = (lines) =>
  lines.flatMap((line): Found[] => {
    for (const mark of marks) {
      const name = mark.exec(line)?.[1]?.trim();
      if (name !== undefined && name !== '') return [foundTest({ names: [name] })];
    }
    return [];
  });
