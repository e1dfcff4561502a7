import type { Assessment, Standing } from './assess.ts';
import type { Finding } from './finding.ts';
import type { Current } from './current.ts';
import type { RunState } from './state.ts';
import type { ProtectedChange, Ratchet, Unchecked } from './tampering.ts';

/** How the work stands towards what it is judged by. */
export interface Trust {
  /** What keeps the tree from being taken for done, whatever the gates say. */
  blocking: readonly Finding[];
  /** All that is missing is a person who grants what was changed. */
  grantable: boolean;
}

/**
 * Reads what the comparison with the baseline has shown. Guarded mode accuses only of what it can name; strict mode
 * has a person look at code that seems to know its judges.
 */
export function trustOf(state: RunState, current: Current, standings: readonly Standing[]): Trust {
  const mode = state.spec?.integrity.mode ?? 'off';
  const { integrity } = current;
  if (mode === 'off' || !integrity) return { blocking: [], grantable: false };
  const strict = mode === 'strict';
  // A test that was only moved is the same test; whether it still runs is seen by its name.
  const meant = integrity.changed.filter((one) => one.status !== 'renamed');
  const changed = strict || !integrity.sealed ? meant : [];
  const worse = integrity.ratchets.filter((one) =>
    strict && one.kind !== 'doubt' ? one.kind !== 'smell' : hides(state, standings, one, strict),
  );
  const controls = strict ? controlFindings(state, current, standings) : [];
  const unseen = uncheckedFiles(state, current).filter(
    (one) => strict || isHidden(state, standings, one.was, uncheckedFinding(one).id),
  );
  const blocking = [
    ...changed.map(changedFinding),
    ...worse.map(worseFinding),
    ...unseen.map(uncheckedFinding),
    ...controls,
  ];
  const open = standings.filter((one) => one.gate.severity === 'hard' && !one.passed && !one.spared);
  const grantable =
    controls.length === 0 &&
    (blocking.length > 0 || open.length > 0) &&
    open.every((one) => current.unsealed.get(one.gate.name) === 'passed');
  return { blocking, grantable };
}

const changedFinding = ({ path, status, what, diff }: ProtectedChange): Finding => ({
  id: `integrity:protected:${path}`,
  title: `${path} (${what}) was ${statusWords[status]}`,
  file: path,
  message: diff,
});

export const statusWords: Record<ProtectedChange['status'], string> = {
  added: 'added',
  modified: 'changed',
  deleted: 'deleted',
  mode: 'given another mode',
  renamed: 'renamed',
};

const worseFinding = ({ id, title, file, message }: Ratchet): Finding => ({
  id: `integrity:${id}`,
  title,
  file,
  message,
});

type UncheckedBy = Unchecked & { gate: string };

/** Files that no longer are what a gate looks at, and that nobody has allowed to be so. */
export function uncheckedFiles({ grants }: RunState, { unchecked }: Current): UncheckedBy[] {
  const granted = new Set(grants.map(({ path, oid }) => `${path}\n${oid}`));
  return [...unchecked].flatMap(([gate, files]) =>
    files.filter(({ path, oid }) => !granted.has(`${path}\n${oid}`)).map((one) => ({ gate, ...one })),
  );
}

export function uncheckedFinding({ gate, was, path }: UncheckedBy): Finding {
  const moved = was === path ? '' : ` since it became ${path}`;
  return {
    id: `integrity:unchecked:${gate}:${was}`,
    title: `gate ${gate} no longer looks at ${was}${moved}`,
    file: path,
    message: 'it did before the run; what is not looked at is not in order by that',
  };
}

const hiding: readonly Ratchet['kind'][] = ['suppression', 'type-escape', 'skip'];

/**
 * A failure that was known in this file is gone, and what silences such failures has come: hidden, not fixed. Once
 * said it stays said while the silence lasts. What is only a doubt elsewhere is one of these in strict mode.
 */
function hides(
  state: RunState,
  standings: readonly Standing[],
  { kind, file, id }: Ratchet,
  strict: boolean,
): boolean {
  return (
    (hiding.includes(kind) || (strict && kind === 'doubt')) &&
    isHidden(state, standings, file, `integrity:${id}`)
  );
}

function isHidden(state: RunState, standings: readonly Standing[], file: string, id: string): boolean {
  if (state.lastJudged?.trust.blocking.some((one) => one.id === id)) return true;
  const seen = new Set(standings.flatMap((one) => one.findings.map((finding) => finding.id)));
  return knownFindings(state).some((one) => one.file === file && !seen.has(one.id));
}

function knownFindings({ baseline, lastJudged }: RunState): Finding[] {
  const before = [...baseline.values()].flatMap((one) => (one.kind === 'failed' ? one.findings : []));
  return [...before, ...(lastJudged?.standings.flatMap((one) => one.findings) ?? [])];
}

/** What was red before the agent began must still be red without its change; else something outside made it green. */
function controlFindings(state: RunState, current: Current, standings: readonly Standing[]): Finding[] {
  return [...current.controls].flatMap(([gate, control]): Finding[] => {
    const before = state.baseline.get(gate);
    if (before?.kind !== 'failed' || control.kind === 'unable') return [];
    const now = new Set(standings.find((one) => one.gate.name === gate)?.findings.map((one) => one.id));
    const still = new Set(control.kind === 'failed' ? control.findings.map((one) => one.id) : []);
    const turned = before.findings.filter((one) => !now.has(one.id) && !still.has(one.id));
    if (turned.length === 0) return [];
    return [
      {
        id: `integrity:control:${gate}`,
        title: `gate ${gate} turned green without the change too`,
        message: `${turned.length} findings of before the run are gone on the untouched tree: something outside of it was changed`,
      },
    ];
  });
}

/** Gates whose green must be shown to come from the change: they were red before it, and can be judged without it. */
export function controlsOwed(state: RunState, { standings, current }: Assessment): string[] {
  return standings
    .filter(({ gate, passed }) => passed && state.baseline.get(gate.name)?.kind === 'failed')
    .map(({ gate }) => gate.name)
    .filter(
      (name) => !current.controls.has(name) && (state.gateRungs.get(name) ?? 'in-place') !== 'in-place',
    );
}

/** Files that a person may allow to be as they are: what the gates judge by, and what got worse in what they judge. */
export function grantableFiles(current: Current): { path: string; oid: string | null }[] {
  const { changed = [], ratchets = [] } = current.integrity ?? {};
  const worse = ratchets.flatMap(({ kind, file, oid }) =>
    kind === 'smell' || oid === undefined ? [] : [{ path: file, oid }],
  );
  const files = [...changed, ...worse, ...[...current.unchecked.values()].flat()];
  return [...new Map(files.map(({ path, oid }) => [path, { path, oid }])).values()];
}

/** What was changed of that the gates judge by, for people. */
export function changedNames(changed: readonly { path: string }[]): string {
  const names = changed.slice(0, 5).map((one) => one.path);
  return changed.length > 5 ? `${names.join(', ')} and ${changed.length - 5} more` : names.join(', ');
}
