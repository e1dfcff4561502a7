import { parseDuration } from '../quantity.ts';
import { readCondition } from '../spare.ts';
import { toldBy } from '../spec/gates/index.ts';
import { isRecord } from '../spec/words.ts';
import { nearest } from '../text/index.ts';
import { leavesProject } from './inside.ts';
import { type Path, type SpecProblem, show, suggest, valueAt } from './problem.ts';

/** What the schema cannot say about gates: their names, what they say of each other, what could never pass. */
export function allGateChecks(gates: Record<string, unknown>, root?: string): SpecProblem[] {
  const names = Object.keys(gates);
  if (names.length === 0) {
    return [{ path: ['gates'], message: 'expected at least one gate: without gates nothing can be proven' }];
  }
  return [
    ...names.flatMap((name) => [...nameChecks(name), ...gateChecks(name, gates[name], names, root)]),
    ...restChecks(gates),
  ];
}

/** A tree at rest proves nothing about the work, so something else must. */
function restChecks(gates: Record<string, unknown>): SpecProblem[] {
  const hard = Object.entries(gates).filter(([, gate]) => !isRecord(gate) || gate['severity'] !== 'soft');
  const resting = hard.filter(([, gate]) => isRecord(gate) && kindOf(gate) === 'convergence');
  if (resting.length === 0 || resting.length < hard.length) return [];
  const message =
    'a tree that no longer changes proves nothing by itself; add a hard gate that judges the work';
  return resting.map(([name]) => ({ path: ['gates', name], message }));
}

/** It fails by design on the first iteration, so a rule that ends the run then would always end it. */
function convergenceChecks(path: Path, gate: Record<string, unknown>): SpecProblem[] {
  if (kindOf(gate) !== 'convergence') return [];
  const problems: SpecProblem[] = [];
  const why = 'a convergence gate always fails on the first iteration';
  if (gate['onFailure'] === 'stop')
    problems.push({ path: [...path, 'onFailure'], message: `expected iterate or escalate: ${why}` });
  if (gate['maxAttempts'] === 1)
    problems.push({ path: [...path, 'maxAttempts'], message: `expected at least 2: ${why}` });
  return problems;
}

function nameChecks(name: string): SpecProblem[] {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._:-]{0,63}$/u.test(name)) return [];
  const message = `gate name ${show(name)}: expected 1 to 64 letters, digits, spaces or . _ : -`;
  return [{ path: ['gates', name], message }];
}

function gateChecks(name: string, gate: unknown, names: readonly string[], root?: string): SpecProblem[] {
  if (!isRecord(gate)) return [];
  const path = ['gates', name];
  return [
    ...artifactChecks(path, gate),
    ...pathChecks(path, gate, root),
    ...conditionChecks(path, gate, names),
    ...backoffChecks(path, gate),
    ...convergenceChecks(path, gate),
  ];
}

/** The kind that a gate names, or that its options tell. */
export const kindOf = (gate: Record<string, unknown>): unknown =>
  gate['kind'] ?? toldBy.find(([option]) => option in gate)?.[1];

const wishes = ['exists', 'notExists', 'contains'];

function artifactChecks(path: Path, gate: Record<string, unknown>): SpecProblem[] {
  if (kindOf(gate) !== 'artifact') return [];
  const empty = wishes.every(
    (key) => gate[key] === undefined || (Array.isArray(gate[key]) && gate[key].length === 0),
  );
  const problems: SpecProblem[] = empty
    ? [{ path: [...path], message: 'expected something to look for: exists, notExists or contains' }]
    : [];
  const contains = Array.isArray(gate['contains']) ? gate['contains'] : [];
  contains.forEach((one, at) => {
    const here = [...path, 'contains', at];
    if (!isRecord(one)) return;
    const { text, matches } = one;
    if (text === undefined && matches === undefined)
      problems.push({ path: here, message: 'expected text or matches beside path' });
    if (typeof matches === 'string' && !isRegex(matches)) {
      const message = `expected a regular expression, found ${show(matches)}`;
      problems.push({ path: [...here, 'matches'], message });
    }
  });
  return problems;
}

function isRegex(source: string): boolean {
  try {
    return new RegExp(source, 'mu') instanceof RegExp;
  } catch {
    // The constructor is the only judge of a pattern, and it answers by throwing.
    return false;
  }
}

function pathChecks(path: Path, gate: Record<string, unknown>, root?: string): SpecProblem[] {
  const artifact = kindOf(gate) === 'artifact';
  const contains = artifact && Array.isArray(gate['contains']) ? gate['contains'] : [];
  const places: [Path, unknown][] = [
    [['module'], gate['module']],
    [['report', 'path'], valueAt(gate, ['report', 'path'])],
    ...['exists', 'notExists', 'inputs'].flatMap((key): [Path, unknown][] =>
      Array.isArray(gate[key]) ? gate[key].map((one, at) => [[key, at], one]) : [[[key], gate[key]]],
    ),
    ...contains.map((one, at): [Path, unknown] => [['contains', at, 'path'], valueAt(one, ['path'])]),
  ];
  return places.flatMap(([at, found]) =>
    typeof found === 'string' && leavesProject(found, root)
      ? [{ path: [...path, ...at], message: `expected a path inside the project, found ${show(found)}` }]
      : [],
  );
}

function conditionChecks(path: Path, gate: Record<string, unknown>, names: readonly string[]): SpecProblem[] {
  const problems: SpecProblem[] = [];
  if (gate['when'] === 'manual' && gate['severity'] !== 'soft') {
    const message =
      'a hard gate that only a person starts could never pass in a run; make it soft, or leave manual out';
    problems.push({ path: [...path, 'when'], message });
  }
  const { skipIf } = gate;
  if (typeof skipIf === 'string' && skipIf.trim() !== '') {
    const message = skipIfMistake(skipIf, String(path[1]), names);
    if (message) problems.push({ path: [...path, 'skipIf'], message });
  }
  return problems;
}

function skipIfMistake(skipIf: string, own: string, names: readonly string[]): string | null {
  const condition = readCondition(skipIf);
  if (!condition) {
    const near = nearest(skipIf.split(/[.\s<>=!]/)[0]!, ['gate', 'iteration']);
    const hint = near === 'iteration' ? ', such as iteration < 3' : '';
    return `expected gate.<name>.passed, gate.<name>.failed or iteration <op> n${hint}, found ${show(skipIf)}`;
  }
  if (condition.gate === null) return null;
  if (condition.gate === own) return `speaks of ${own} itself; name a gate before it`;
  if (!names.includes(condition.gate))
    return `unknown gate "${condition.gate}"${suggest(condition.gate, names)}`;
  // Gates are judged in the order of the spec, so a later verdict is never known in time.
  if (names.indexOf(condition.gate) > names.indexOf(own))
    return `gate "${condition.gate}" is judged after this one, so the condition would never hold; put it first`;
  return null;
}

function backoffChecks(path: Path, gate: Record<string, unknown>): SpecProblem[] {
  const duration = (key: string, otherwise: string) => {
    const text = valueAt(gate, ['backoff', key]) ?? otherwise;
    return typeof text === 'string' ? parseDuration(text) : null;
  };
  const [initial, max] = [duration('initial', '1s'), duration('max', '1m')];
  if (!isRecord(gate['backoff']) || initial === null || max === null || initial <= max) return [];
  const message = `expected at most max, found ${show(valueAt(gate, ['backoff', 'initial']))}`;
  return [{ path: [...path, 'backoff', 'initial'], message }];
}
