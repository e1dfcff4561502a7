import {
  decide,
  type Event,
  type EventBody,
  eventVersion,
  evolve,
  emptyState,
  makeEnding,
  parseSpec,
} from '@agentgate/core';

/** A run that the shipped core decides: red until it is solved, and never green where it is not. */
export function recordedRun({
  task,
  solvedAt,
  most,
}: {
  task: string;
  solvedAt: number | null;
  most: number;
}): Event[] {
  const parsed = parseSpec({
    task,
    agent: ['true'],
    gates: { tests: 'npm test' },
    strategy: { kind: 'fixed', iterations: most },
    stuck: 'off',
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const spec = { ...parsed.spec, task };
  const events: Event[] = [];
  let state = emptyState();
  const record = (body: EventBody): void => {
    const event = { ...body, v: eventVersion, seq: events.length + 1, at: '2026-01-01T00:00:00.000Z' };
    events.push(event);
    state = evolve(state, event);
  };
  const runId = `run of ${task}`;
  record({
    kind: 'run.started',
    runId,
    version: '0',
    root: '/w',
    nonce: 'n',
    spec,
    specHash: '',
    source: '',
  });
  while (!state.ended) {
    const decision = decide(state);
    record({ kind: 'decided', decision });
    const iteration = decision.kind === 'start-iteration' ? decision.iteration : state.iteration;
    const tree = `${task} ${iteration}`;
    const taken = { tree, work: tree, substance: tree };
    const changed = { added: 0, modified: 1, deleted: 0, paths: [] };
    const judged = (): void =>
      record({
        kind: 'gate.judged',
        iteration,
        attempt: 1,
        gate: 'tests',
        tree,
        tookMs: 1,
        output: null,
        verdict:
          iteration === solvedAt
            ? { kind: 'passed' }
            : {
                kind: 'failed',
                findings: [
                  { id: 'a', title: 'a' },
                  { id: 'b', title: 'b' },
                ],
                excerpt: '',
              },
      });
    if (decision.kind === 'end-run') record(makeEnding(state, decision));
    if (decision.kind === 'judge') judged();
    if (decision.kind === 'start-iteration') {
      record({ kind: 'agent.started', iteration, marker: 'm', prompt: 'p' });
      const built = { tookMs: 10, output: null, outputBytes: 0, similar: [], tokens: 100 };
      record({ kind: 'agent.ended', iteration, end: { kind: 'finished' }, ...built });
    }
    if (decision.kind === 'start-iteration' || decision.kind === 'measure-baseline')
      record({ kind: 'snapshot.taken', iteration, ...taken, changed, leftOut: [], nested: [], tookMs: 1 });
    if (decision.kind === 'measure-baseline') judged();
    if (decision.kind === 'measure-baseline' || decision.kind === 'confirm')
      record({ kind: 'tree.confirmed', iteration, attempt: 1, after: tree, ...taken, moved: [], fresh: [] });
  }
  return events;
}
