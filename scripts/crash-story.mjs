import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** The events of all logs, oldest run first; throws where a chain is broken. */
export function storyOf(logs) {
  return logs
    .map(readLog)
    .filter((events) => events.length > 0)
    .sort(([a], [b]) => (a.at < b.at ? -1 : 1))
    .flat();
}

function readLog(path) {
  let hash = '';
  const lines = readFileSync(path, 'utf8').split('\n');
  if (lines.pop() !== '') throw new Error(`${path} ends in half an event`);
  return lines.map((line, at) => {
    const sealed = /,"hash":"([0-9a-f]{64})"\}$/.exec(line);
    const body = sealed && `${line.slice(0, sealed.index)}}`;
    const chained = body && createHash('sha256').update(hash).update(body).digest('hex');
    if (!sealed || chained !== sealed[1]) throw new Error(`${path} is damaged at event ${at + 1}`);
    hash = sealed[1];
    const event = JSON.parse(body);
    if (event.seq !== at + 1) throw new Error(`${path} has event ${event.seq} as its ${at + 1}`);
    return event;
  });
}

/** What must not be after a fault and a resume, in words; nothing when all is well. */
export function differences({ exit, place, reference, iterations }) {
  const found = [];
  const story = storyOf(logsOf(place));
  const ended = story.findLast((event) => event.kind === 'run.ended');
  // Whoever resumes a run that has converged is told so.
  const isDone = ended?.status === 'converged';
  if (exit !== 0 && !(exit === 2 && isDone)) found.push(`it did not converge after the resume, exit ${exit}`);
  const builds = story.filter((event) => event.kind === 'agent.ended');
  const cut = builds.filter((event) => event.end.kind === 'interrupted');
  const begun = ledgerOf(place);
  const twice = begun.filter((line, at) => begun.indexOf(line) !== at);
  if (twice.length > 0) found.push(`the agent worked twice: ${twice.join(', ')}`);
  if (begun.length > builds.length || begun.length < builds.length - cut.length)
    found.push(`the agent worked ${begun.length} times, and ${builds.length} iterations are counted`);
  if (ended && ended.iterations !== builds.length)
    found.push(`${ended.iterations} iterations are told, and ${builds.length} were built`);
  const wasted = cut.filter(({ iteration }) => iteration >= iterations).length;
  if (ended && ended.iterations > iterations + wasted)
    found.push(`${ended.iterations} iterations, where ${iterations + wasted} are enough`);
  // Whoever was cut off counts like the others: like the dearest before it, or like the first that told later.
  if (ended && ended.tokens !== 100 * builds.length)
    found.push(`${ended.tokens} tokens are counted, and ${builds.length} agents used 100 each`);
  const wanted = lengthened(decisionsOf(reference.story), iterations, builds.length);
  found.push(...unlike(decisionsOf(story), wanted));
  found.push(...lost(place, story), ...repeated(story), ...partsIn(place));
  return found;
}

/** An event that the command has told is on record for good, as it was told. */
function lost({ told, dir }, story) {
  const kept = new Map(story.map((event) => [nameOf(event), event]));
  // A line that its writer could not finish tells nothing.
  const linesOf = (name) => readFileSync(`${dir}/${name}`, 'utf8').split('\n').slice(0, -1);
  return told
    .flatMap(linesOf)
    .map((line) => JSON.parse(line))
    .filter((event) => event.seq !== undefined && !isDeepStrictEqual(kept.get(nameOf(event)), event))
    .map(({ kind, seq }) => `event ${seq} (${kind}) was told and is not in the log as it was told`);
}

const nameOf = ({ kind, seq, at }) => `${seq} ${kind} ${at}`;

/** A step that is recorded is not recorded again, unless it was decided anew. */
function repeated(story) {
  const seen = new Set();
  const found = [];
  for (const event of story) {
    if (event.kind === 'decided') seen.clear();
    const key = `${event.kind} ${event.iteration} ${event.gate ?? ''}`;
    if (/^(agent\.ended|snapshot\.taken|gate\.judged)$/.test(event.kind)) {
      if (seen.has(key) && event.iteration > 0) found.push(`${key} is recorded twice`);
      seen.add(key);
    }
  }
  return found;
}

/** What was decided; whoever goes on from a run that a fault ended captures and judges its last tree anew. */
function decisionsOf(story) {
  const made = [];
  let before = new Set();
  for (const event of story) {
    if (event.kind === 'run.started') before = new Set(made);
    if (event.kind !== 'decided') continue;
    const { kind, iteration, because } = event.decision;
    if (kind === 'end-run' && /disk-full|^error\./.test(because.code)) continue;
    // After a full disk or a failing one, the next iteration is begun by the one who resumes.
    const text =
      kind === 'start-iteration' ? `${kind} ${iteration}` : `${kind} ${iteration ?? ''} ${because.code}`;
    if (!before.has(text)) made.push(text);
  }
  return made;
}

/** An agent that was cut off in the last iteration needs another one: it is decided upon like all before it. */
function lengthened(decisions, usual, needed) {
  const startOf = (iteration) => decisions.indexOf(`start-iteration ${iteration}`);
  const as = (number) => (line) => line.replace(/^(\S+) \d+/, `$1 ${number}`);
  const middle = decisions.slice(startOf(usual - 1), startOf(usual));
  const more = Array.from({ length: Math.max(0, needed - usual) }, (_, at) => middle.map(as(usual + at)));
  const last = decisions.slice(startOf(usual)).map(as(Math.max(usual, needed)));
  return [...decisions.slice(0, startOf(usual)), ...more.flat(), ...last];
}

function unlike(got, wanted) {
  const at = wanted.findIndex((one, index) => got[index] !== one);
  if (at === -1 && got.length === wanted.length) return [];
  return [`decision ${at + 1} is "${got[at]}", and was "${wanted[at]}" without a fault`];
}

/** Nothing half written lies about under a name that somebody reads. */
function partsIn(place) {
  return logsOf(place).flatMap((log) =>
    readdirSync(`${dirname(log)}/blobs`)
      .filter((name) => /^[0-9a-f]{40}$/.test(name))
      .filter((name) => {
        const text = readFileSync(`${dirname(log)}/blobs/${name}`, 'utf8');
        return createHash('sha256').update(text).digest('hex').slice(0, 40) !== name;
      })
      .map((name) => `the text ${name} is not what its name says`),
  );
}

const ledgerOf = ({ ledger }) =>
  existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').filter(Boolean) : [];

function logsOf({ state }) {
  const found = [];
  const walk = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory()) walk(`${dir}/${entry.name}`);
      else if (entry.name === 'log.jsonl') found.push(`${dir}/${entry.name}`);
    }
  };
  if (existsSync(state)) walk(state);
  return found;
}
