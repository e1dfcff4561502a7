import { numbered } from './identity.ts';
import { readCompilers } from './plain/compilers.ts';
import { type Found, once, type Recogniser } from './plain/found.ts';
import { readErrors } from './plain/errors.ts';
import { readGo } from './plain/go.ts';
import { readJavaScript } from './plain/javascript.ts';
import { readLinters } from './plain/linters.ts';
import { readMarks } from './plain/marks.ts';
import { readMocha } from './plain/mocha.ts';
import { readMypyLines } from './plain/mypy.ts';
import { readNodeSpec } from './plain/node-spec.ts';
import { readPytest } from './plain/pytest.ts';
import { readRuffBlocks } from './plain/ruff.ts';
import { readRust } from './plain/rust.ts';
import { libtestInventory } from './cargo-text.ts';
import { noProject } from './project.ts';
import type { Reader } from './report.ts';

const recognisers: readonly Recogniser[] = [
  readCompilers,
  readMypyLines,
  readRuffBlocks,
  readLinters,
  readJavaScript,
  readNodeSpec,
  readMocha,
  readPytest,
  readGo,
  readRust,
];

// A minified line tells nothing and makes the patterns slow; of very many lines the middle goes.
const maxLine = 2_000;
const maxLines = 20_000;

/** Reads the words of any tool. It only says what failed; whether the gate failed is for the exit code. */
export const readPlain: Reader = (text, project = noProject) => {
  const lines = ends(text.split(/\r?\n/)).map((line) => line.slice(0, maxLine));
  const known = recognisers.flatMap((recognise) => recognise(lines, project));
  // Marks that any script may print are read where no tool was recognised.
  const all = known.some(isError) ? known : [...readMarks(lines, project), ...known];
  const found = all.some(isError) ? all.filter(isError) : all;
  const findings = once(found.length > 0 ? found : readErrors(lines, project)).map(({ finding }) => finding);
  return { kind: 'read', findings: numbered(findings), complete: true, ...libtestInventory(text) };
};

function ends(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines / 2), ...lines.slice(-maxLines / 2)];
}

const isError = (found: Found): boolean => found.level === 'error';
