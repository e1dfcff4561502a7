import { showDuration } from '@agentgate/core';
import type { Audit, AuditedGate } from '@agentgate/runtime';
import type { Terminal } from '../terminal.ts';
import { plural, shorten } from './words.ts';

type Colors = Terminal['colors'];

/** An audit for people: the gates first, then what was done to the judging, then what to do. */
export function auditLines(audit: Audit, { colors }: Pick<Terminal, 'colors'>): string[] {
  const { base, compared, gates, notes } = audit;
  return [
    `Compared with ${base.commit.slice(0, 10)} (${base.how}): ${plural(compared.files, 'file')} differ${compared.files === 1 ? 's' : ''}.`,
    ...gates.flatMap((gate) => gateLines(gate, colors)),
    ...group(
      'tests deleted',
      compared.deletedTests.map(({ path }) => path),
      colors.red,
    ),
    ...group(
      'tests skipped',
      compared.skipped.map(({ message }) => message),
      colors.red,
    ),
    ...group(
      'tests weakened',
      compared.weakened.map(({ message }) => message),
      colors.red,
    ),
    ...group(
      'suppressions added',
      compared.suppressions.map(({ message }) => message),
      colors.red,
    ),
    ...group(
      'changed what the gates judge by, which may be right',
      compared.protected.map(({ path, what, status }) => `${path} (${what}, ${status})`),
      colors.yellow,
    ),
    ...group(
      'worth a look',
      compared.smells.map(({ message }) => message),
      colors.yellow,
    ),
    ...group('dependencies', compared.dependencies, colors.dim),
    ...notes.map((note) => colors.dim(note)),
    '',
    ...verdictLines(audit, colors),
  ];
}

const most = 10;

function group(title: string, items: readonly string[], paint: (text: string) => string): string[] {
  if (items.length === 0) return [];
  const more = items.length > most ? [`  and ${items.length - most} more`] : [];
  return [
    `${paint(title)}:`,
    ...items.slice(0, most).map((item) => `  ${shorten(oneLine(item), 200)}`),
    ...more,
  ];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function gateLines(
  { gate, verdict, tookMs, findings, untold, withOldFiles }: AuditedGate,
  colors: Colors,
): string[] {
  const soft = gate.severity === 'soft' ? ' (soft)' : '';
  const mark = verdict.kind === 'passed' && withOldFiles === undefined ? colors.green('✓') : colors.red('✗');
  const head = `${gate.name}${soft} ${mark}${stateOf(verdict.kind)}   ${colors.dim(showDuration(tookMs))}`;
  const shown = findings
    .toSorted((a, b) => rank(a.since) - rank(b.since))
    .slice(0, most)
    .map(({ title, file, line, since }) => {
      const place = file === undefined ? '' : `  ${file}${line === undefined ? '' : `:${line}`}`;
      return `  ${sinceWord(since, colors)} ${shorten(oneLine(title), 160)}${colors.dim(place)}`;
    });
  return [
    head,
    ...(verdict.kind === 'unable' ? [`  ${verdict.fault.message}`] : []),
    ...shown,
    ...(findings.length > most ? [`  and ${findings.length - most} more`] : []),
    ...(withOldFiles === undefined
      ? []
      : [
          `  ${colors.red('passes only by what was changed; with the files it judges by as they were, these fail:')}`,
          ...withOldFiles.slice(0, most).map(({ title }) => `    ${shorten(oneLine(title), 160)}`),
        ]),
    ...(untold === undefined
      ? []
      : [colors.dim(`  what was red before cannot be told: ${shorten(oneLine(untold), 300)}`)]),
  ];
}

/** What is new comes first. */
const rank = (since: AuditedGate['findings'][number]['since']): number =>
  since === 'new' ? 0 : since === null ? 1 : 2;

function stateOf(kind: AuditedGate['verdict']['kind']): string {
  return kind === 'passed' || kind === 'failed' ? '' : ` ${kind}`;
}

function sinceWord(since: AuditedGate['findings'][number]['since'], colors: Colors): string {
  if (since === 'new') return colors.red('new   ');
  return since === 'before' ? colors.yellow('before') : colors.dim('?     ');
}

function verdictLines({ result, base, gates, compared }: Audit, colors: Colors): string[] {
  const since = base.commit.slice(0, 10);
  if (result === 'clean')
    return [colors.green('Clean: every gate passes, and nothing that judges got worse.')];
  if (result === 'unable')
    return [colors.yellow('Could not judge: nothing red was found, but not every gate came to an answer.')];
  const fresh = gates.flatMap((one) => one.findings.filter(({ since: when }) => when === 'new')).length;
  const old = gates.flatMap((one) => one.findings.filter(({ since: when }) => when === 'before')).length;
  const worse = [compared.deletedTests, compared.skipped, compared.weakened, compared.suppressions].flat()
    .length;
  const parts = [
    ...(fresh > 0 ? [`${plural(fresh, 'new failure')}`] : []),
    ...(old > 0 ? [`${plural(old, 'failure')} from before`] : []),
    ...(gates.some((one) => one.withOldFiles) ? ['green only by changed tests or settings'] : []),
    ...(worse > 0 ? [`${plural(worse, 'thing')} got worse`] : []),
  ];
  return [
    colors.red(`Not clean: ${parts.join(', ') || 'a gate is red'}.`),
    `Next: git diff ${since} shows the work; mend it, then agentgate audit --since ${since}.`,
  ];
}
