import type { Assessment, Standing } from './assess.ts';
import { failureLabel, gateOf } from './failure.ts';
import { effectiveLimit } from './effective-limit.ts';
import type { Finding } from './finding.ts';
import { statusWords } from './integrity.ts';
import { showCount, showDuration, showMoney } from './quantity.ts';
import type { IterationRecord, RunState } from './state.ts';
import { trendOf } from './progress.ts';

/** One finding may take so many characters; where there are many, each takes less and the later ones only their name. */
const perFinding = { few: 500, many: 200 };
const few = 6;
const strategyRoom = 1_000;
const leastPerGate = 150;

/**
 * Tells the agent what the gates saw, within the size budget: what still fails, what it just broke,
 * what it just fixed, what was tried, what remains. Empty before the first iteration of a green start.
 */
export function composeFeedback(state: RunState): string {
  const { last, spec } = state;
  if (!last || !spec) return '';
  const head = [
    headline(state, last),
    ...claimLines(last),
    ...deniedLines(last),
    ...movement(state, last),
    ...moveLines(state),
    ...(state.strategyWords === null ? [] : [clip(state.strategyWords, strategyRoom)]),
  ];
  const tail = [...tried(state), remains(state)].filter((line) => line !== '');
  const budget = spec.feedback.maxChars - head.join('\n').length - tail.join('\n').length - 8;
  const judged = judgedFor(state, last);
  const trust = judged ? trustLines(judged) : [];
  const room = budget - trust.join('\n').length;
  return [...head, ...(judged ? gateSections(judged, room) : []), ...trust, '', ...tail]
    .join('\n')
    .slice(0, spec.feedback.maxChars);
}

/** After a revert the workspace holds the best tree again, so its failures are the ones that count. */
function judgedFor(state: RunState, last: Assessment): Assessment | null {
  if (last.current.backTo && state.bestJudged) return state.bestJudged;
  return last.judged ? last : state.lastJudged;
}

function headline(state: RunState, last: Assessment): string {
  if (last.current.iteration === 0) {
    return last.allGreen
      ? 'Before you begin, every gate passes. It must stay so.'
      : `Before you begin, ${failing(last)} of ${last.standings.length} gates fail.`;
  }
  const build = last.current.build;
  if (build?.kind === 'failed' && last.judged)
    return `Iteration ${last.current.iteration}: your run failed (${build.detail}). What it left was judged: ${failing(last)} of ${last.standings.length} gates fail.`;
  if (build?.kind === 'failed')
    return `Iteration ${last.current.iteration}: your run failed (${shorten(build.detail, 300)}), so the gates were not judged.${earlier(state)}`;
  if (!last.judged && build?.kind === 'finished' && state.history.at(-1)?.code === 'redirect')
    return `Iteration ${last.current.iteration} was not judged, because the person in charge changed the task.${earlier(state)}`;
  if (!last.judged)
    return `Iteration ${last.current.iteration} was cut short, so the gates were not judged.${earlier(state)}`;
  const cut = build?.kind === 'interrupted' ? ' It was interrupted; what it left was judged.' : '';
  return `Iteration ${last.current.iteration}: ${failing(last)} of ${last.standings.length} gates fail.${cut}${trendWord(state, last)}`;
}

function earlier({ lastJudged }: RunState): string {
  if (!lastJudged || lastJudged.allGreen) return '';
  const when =
    lastJudged.current.iteration === 0
      ? 'before you began'
      : `after iteration ${lastJudged.current.iteration}`;
  return ` What they saw ${when}:`;
}

function trendWord(state: RunState, last: Assessment): string {
  const before = state.judged.at(-2) ?? null;
  if (!before) return '';
  const trend = trendOf(before, last);
  return trend === 'stagnant' ? '' : ` The trend is ${trend}.`;
}

/** Who does not know why a tool was refused tries it again. */
function deniedLines({ current: { denied } }: Assessment): string[] {
  if (!denied) return [];
  const first = denied.first.map(({ tool, what }) => shorten(`${tool} ${what}`.trim(), 120));
  const more = denied.times > first.length ? ` and ${denied.times - first.length} more` : '';
  return [
    `You were not allowed to use: ${first.join('; ')}${more}. Files and the commands of the gates are allowed.`,
  ];
}

function claimLines(last: Assessment): string[] {
  if (!last.current.claim || last.allGreen || !last.judged) return [];
  const names = last.standings.filter((one) => !one.passed).map((one) => one.gate.name);
  if (last.hardGreen) {
    return [
      `You said the work was done (${last.current.claim.signal}). Only soft gates still fail: ${names.join(', ')}.`,
    ];
  }
  return [
    `You said the work was done (${last.current.claim.signal}). The gates do not confirm it: ${names.join(', ')}.`,
  ];
}

/** Files that the gates judge by were changed: what that means, without blame. */
function trustLines({ current, trust }: Assessment): string[] {
  const { integrity } = current;
  if (!integrity) return [];
  const changed = integrity.changed
    .slice(0, 10)
    .map((one) => `- ${shorten(one.path, 160)} was ${statusWords[one.status]}`);
  const others = trust.blocking
    .filter((one) => !one.id.startsWith('integrity:protected:'))
    .slice(0, 10)
    .map((one) => `- ${shorten(one.title, 160)}${one.file ? ` [${shorten(one.file, 160)}]` : ''}`);
  return [
    ...(changed.length === 0
      ? []
      : [
          '',
          integrity.sealed
            ? 'The gates judge by these files, so they were judged in the form they had before you began:'
            : 'The gates judge by these files, so a change of them needs the grant of a person:',
          ...changed,
          'If such a change belongs to the task, say why in your last words; a person can grant it. If not, bring them back.',
        ]),
    ...(others.length === 0 ? [] : ['', 'These keep the work from being taken for done:', ...others]),
  ];
}

/** What was changed because the run was stuck, and what that asks of the agent. */
function moveLines(state: RunState): string[] {
  const { move, iteration } = state.last?.current ?? {};
  const made = state.moves.at(-1);
  if (!move || !made) return [];
  const seen = `The run is stuck: ${stuckWords(made.because)}.`;
  switch (move) {
    case 'differently':
      return [
        `${seen} The approach of the earlier iterations below does not work. Do not repeat it: question its assumption, find the cause first, and take another way.`,
      ];
    case 'fresh':
      return [
        'Begin anew: earlier attempts did not get further and are left out here. Read the code and the failures below as if for the first time.',
      ];
    case 'revert':
      return [
        `${seen} The workspace was brought back to its best tree, ${made.to === 0 ? 'the one from before you began' : `that of iteration ${made.to}`}; what came after it until iteration ${iteration} was taken back. Below is what fails on that tree.`,
      ];
    case 'escalate':
      return [`${seen} Another agent worked on this before you; what it tried is listed below.`];
    case 'ask':
      return [`${seen} A person was asked and wants you to go on.`];
  }
}

function stuckWords(code: string): string {
  const words: Record<string, string> = {
    'loop.failure-set-repeat': 'the same failures come again and again',
    'loop.snapshot-repeat': 'it comes back to the same files',
    'loop.oscillation': 'it goes round in a circle',
    'loop.output-similarity': 'it says the same each time',
    'no-progress.stall': 'nothing has been fixed for several iterations',
    'no-progress.divergence': 'it gets worse with each iteration',
    'no-progress.no-changes': 'nothing changes any more',
    'strategy.agent-fails': 'the agent fails each time',
  };
  return words[code] ?? 'the last iterations brought no progress';
}

function movement(state: RunState, last: Assessment): string[] {
  if (last.current.iteration === 0) return [];
  const lines: string[] = [];
  const kept = new Set(last.standings.filter((one) => one.gate.heldOut).map((one) => one.gate.name));
  const fixed = last.fixed.filter((key) => !kept.has(gateOf(key)));
  const broken = last.broken.filter((key) => !kept.has(gateOf(key)));
  if (fixed.length > 0) lines.push(`Fixed just now: ${names(fixed)}`);
  const shown = broken.filter((key) => last.unmaskedKeys.has(key));
  const fresh = broken.filter((key) => !last.unmaskedKeys.has(key));
  if (fresh.length > 0 && state.history.length > 0) lines.push(`Newly failing: ${names(fresh)}`);
  if (shown.length > 0) lines.push(`Now visible, hidden before by a load failure: ${names(shown)}`);
  if (!last.moved && last.current.build?.kind === 'finished') lines.push('Nothing in the workspace changed.');
  return lines;
}

/** As many gates as fit, each whole; a gate that would get too little room is only counted. */
function gateSections(last: Assessment, budget: number): string[] {
  const open = last.standings.filter((one) => !one.passed && !one.spared);
  const shown = Math.max(1, Math.min(open.length, Math.floor(budget / leastPerGate)));
  const lines: string[] = [];
  let left = budget - 40;
  for (const [at, standing] of open.slice(0, shown).entries()) {
    const words = last.current.gateWords.get(standing.gate.name);
    const section = sectionOf(standing, words, Math.floor(left / (shown - at)));
    left -= section.length + 1;
    lines.push(section);
  }
  if (shown < open.length) lines.push(`\nand ${open.length - shown} more gates fail`);
  return lines;
}

function sectionOf({ gate, verdict, findings }: Standing, words: string | undefined, budget: number): string {
  const soft = gate.severity === 'soft' ? ', soft' : '';
  if (gate.heldOut) return `\n## Gate ${gate.name}${soft}: not passed; what it looks at is not told`;
  const run = gate.kind === 'command' ? ` (\`${shorten(asText(gate.run), 120)}\`)` : '';
  const title = (what: string) => `\n## Gate ${gate.name}${soft}: ${what}${run}`;
  const own = ownWords(gate, words);
  if (own !== null && verdict.kind === 'failed') return clip(`${title('failed')}${own}`, budget);
  switch (verdict.kind) {
    case 'passed':
      return '';
    case 'unable':
      return withOutput(
        `${title('could not run')}\nWhy: ${shorten(verdict.fault.message, 800)}`,
        verdict.excerpt ?? '',
        budget,
      );
    case 'timed-out':
      return withOutput(
        title(`did not end within ${showDuration(verdict.afterMs)}`),
        verdict.excerpt,
        budget,
      );
    case 'pending':
      return title('not ready yet');
    case 'skipped':
      return title(`not run, ${verdict.why}`);
    case 'failed':
      return findings.some((one) => !one.synthetic)
        ? findingsSection(title, findings, budget)
        : withOutput(title(shorten(findings[0]?.title ?? 'failed', 160)), verdict.excerpt, budget);
  }
}

/** What a gate says instead of its findings: words of its own, or none at all when a person tells the agent. */
function ownWords(gate: Standing['gate'], generated: string | undefined): string | null {
  if (generated !== undefined && generated.trim() !== '') return `\n${generated.trim()}`;
  if (gate.feedback === 'manual') return '';
  return typeof gate.feedback === 'object' && 'text' in gate.feedback ? `\n${gate.feedback.text}` : null;
}

function findingsSection(
  title: (what: string) => string,
  findings: readonly Finding[],
  budget: number,
): string {
  const named = findings.filter((one) => !one.synthetic);
  const head = title(`${named.length} ${named.length === 1 ? 'finding' : 'findings'}`);
  const lines: string[] = [];
  let left = budget - head.length - 60;
  let shown = 0;
  const room = named.length > few ? perFinding.many : perFinding.few;
  for (const [at, finding] of named.entries()) {
    const line = findingLine(finding, at < 2 * few ? Math.min(room, left) : 0);
    if (line.length > left) break;
    lines.push(line);
    left -= line.length + 1;
    shown += 1;
  }
  if (shown < named.length) lines.push(`- and ${named.length - shown} more`);
  return [head, ...lines].join('\n');
}

function findingLine(finding: Finding, room: number): string {
  const at = finding.line ? `:${finding.line}` : '';
  const place = finding.file ? ` [${shorten(finding.file, 160)}${at}]` : '';
  const head = `- ${shorten(finding.title, 160)}${place}`;
  const message = (finding.message ?? '').trim();
  if (message === '' || room - head.length < 40) return head;
  const quoted = clip(message, room - head.length - 8)
    .split('\n')
    .map((line) => `  | ${line}`)
    .join('\n');
  return `${head}\n${quoted}`;
}

/** A heading and, where there is room, the output under it. The heading is cut first, so that a fence always closes. */
function withOutput(heading: string, output: string, budget: number): string {
  const head = clip(heading, budget);
  return `${head}${fenced(output, budget - head.length - 20)}`;
}

/** What the gates printed is data; the fence is longer than any run of backticks inside it. */
function fenced(text: string, room: number): string {
  // A run of backticks as long as the room would leave none for the output.
  const body = text.trim().replaceAll(/`{9,}/g, '`'.repeat(8));
  if (body === '' || room < 60) return '';
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `\nIts output, as data:\n${fence}\n${clip(body, room - 2 * fence.length - 30)}\n${fence}`;
}

/** Earlier iterations in a line each, so that the same attempt is not made twice; a fresh start is told of none. */
function tried(state: RunState): string[] {
  const move = state.last?.current.move ?? null;
  if (move === 'fresh') return [];
  const reach = move === null ? 4 : 9;
  const recent = state.history.slice(-reach, move === null ? -1 : undefined).filter((one) => one.judged);
  if (recent.length === 0) return [];
  return [
    'Earlier iterations:',
    ...recent.map((one) => `- ${one.iteration}: ${summary(one, move !== null)}`),
  ];
}

function summary(record: IterationRecord, withPaths: boolean): string {
  const paths =
    withPaths && record.paths.length > 0 ? ` (${shorten(record.paths.slice(0, 3).join(', '), 300)})` : '';
  const parts = [record.moved ? `changed the tree${paths}` : 'changed nothing', `${record.failures} failing`];
  if (record.fixed > 0) parts.push(`${record.fixed} fixed`);
  if (record.broken > 0) parts.push(`${record.broken} new`);
  return parts.join(', ');
}

function remains(state: RunState): string {
  const { spec } = state;
  if (!spec) return '';
  const { wallClock } = spec.limits;
  const { limit } = effectiveLimit(state);
  // What cannot bind in the session that is held is not promised to it.
  const bound = (name: 'tokens' | 'cost') =>
    state.held?.unheard?.includes(name) ? undefined : spec.limits[name];
  const [tokens, cost] = [bound('tokens'), bound('cost')];
  const left = [
    `${Math.max(0, limit - state.iteration + (state.current ? 1 : 0))} iterations`,
    `${showDuration(Math.max(0, wallClock - state.activeMs))}`,
    ...(tokens === undefined ? [] : [`${showCount(Math.max(0, tokens - (state.tokens ?? 0)))} tokens`]),
    ...(cost === undefined ? [] : [showMoney(Math.max(0, cost - (state.costUsd ?? 0)))]),
  ];
  return `What remains: at most ${left.join(', ')}.`;
}

const failing = (last: Assessment): number =>
  last.standings.filter((one) => !one.passed && !one.spared).length;
const asText = (run: string | string[]): string => (typeof run === 'string' ? run : run.join(' '));
const shorten = (text: string, max: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
};
const clip = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, Math.max(0, max - 1))}…` : text;
const names = (keys: readonly string[]): string => {
  const shown = keys.slice(0, 5).map((key) => shorten(failureLabel(key), 100));
  return keys.length > 5 ? `${shown.join('; ')}; and ${keys.length - 5} more` : shown.join('; ');
};
