import type { AgentRequest, BuildEnd, Built } from '@agentgate/core';
import type { Act, Turn } from './plan.ts';
import type { Process, World } from './world.ts';

/** So long an agent takes to end after it was told to. */
const graceMs = 900;

/** Starts an agent in the world. It goes on when its controller dies, until somebody ends it. */
export function startAgent(world: World, request: AgentRequest): Promise<Built> {
  const { time, truth } = world;
  const which = world.turns;
  const turn = world.nextTurn();
  if (request.signal.aborted)
    return Promise.resolve({ end: aborted(request), output: '', outputBytes: 0, tookMs: 0 });
  begins(world, request, turn);
  const fromMs = time.nowMs;
  const lastsMs = turn.end === 'hangs' ? Number.POSITIVE_INFINITY : turn.tookMs;
  return new Promise((done) => {
    const planned = turn.end === 'away' ? [] : actsOver(world, turn);
    const process: Process = { kind: 'agent', runId: request.runId, end };
    world.processes.add(process);
    if (turn.orphan) leaveOrphan(world, request.runId);
    const natural = lastsMs === Number.POSITIVE_INFINITY ? null : time.at(fromMs + lastsMs, () => leave());
    request.signal.addEventListener('abort', () => time.at(time.nowMs + graceMs, () => leave()), {
      once: true,
    });
    let isOver = false;
    function end() {
      if (isOver) return;
      isOver = true;
      world.processes.delete(process);
      natural?.cancel();
      for (const act of planned) act.cancel();
    }
    function leave() {
      if (isOver) return;
      end();
      const tookMs = time.nowMs - fromMs;
      const end_ = request.signal.aborted ? aborted(request) : endOf(turn);
      if (end_.kind !== 'unavailable') truth.told.push({ tokens: turn.tokens, costUsd: turn.costUsd });
      done({ ...builtOf(turn, end_, tookMs), ...windowsOf(world, which) });
    }
  });
}

function windowsOf({ plan, wallMs }: World, turn: number): Pick<Built, 'windows'> {
  const windows = plan.windows
    .filter((one) => one.turn === turn)
    .map(({ opensAfterMs }) => ({ name: 'w', used: 0.9, resetsAtMs: wallMs() + opensAfterMs }));
  return windows.length > 0 ? { windows } : {};
}

function begins(world: World, { runId, iteration, startMark }: AgentRequest, turn: Turn): void {
  const alive = [...world.processes];
  if (alive.length > 0) world.broken('I8', `an agent began while ${alive[0]!.kind} was alive`);
  if (world.outside(() => world.disk.exists(startMark)))
    world.broken('I4', `the agent of iteration ${iteration} in run ${runId} began twice for one start`);
  world.isAgentOut = true;
  world.outside(() => world.disk.touch(startMark));
  world.truth.begun.push({ key: startMark, away: turn.end === 'away' });
}

function actsOver(world: World, { acts, tookMs }: Turn): { cancel(): void }[] {
  const { time } = world;
  return acts.map((act, at) =>
    time.at(time.nowMs + Math.floor((tookMs * (at + 1)) / (acts.length + 1)), () => perform(world, act, at)),
  );
}

function perform(world: World, act: Act, at: number): void {
  const { files } = world;
  if (!files) return;
  switch (act.kind) {
    case 'fix':
      files.set(act.file, 'good');
      return;
    case 'break':
      files.set(act.file, `bug ${world.turns}.${at}`);
      return;
    case 'scribble':
      files.set(act.file, `${(files.get(act.file) ?? 'bug').replace(/ #.*$/, '')} # ${world.turns}.${at}`);
      return;
    case 'tamper':
      files.set(`tests/${act.gate}`, 'cheat');
      return;
    case 'commit':
      return;
    case 'delete-workspace':
      world.files = null;
      return;
  }
}

/** A process that nobody waits for. It writes every few seconds. */
function leaveOrphan(world: World, runId: string): void {
  let next = world.time.at(world.time.nowMs + 5_000, write);
  const process: Process = {
    kind: 'orphan',
    runId,
    end() {
      world.processes.delete(process);
      next.cancel();
    },
  };
  world.processes.add(process);
  let times = 0;
  function write() {
    times += 1;
    world.files?.set('src/left-behind', `${times}`);
    if (times < 30) next = world.time.at(world.time.nowMs + 5_000, write);
    else process.end();
  }
}

const aborted = ({ signal }: AgentRequest): BuildEnd => ({
  kind: 'aborted',
  by: signal.reason === 'wall-clock' || signal.reason === 'redirect' ? signal.reason : 'stop',
});

function endOf(turn: Turn): BuildEnd {
  if (turn.end === 'away')
    return { kind: 'unavailable', why: 'overloaded', detail: 'busy', retryAfterMs: 3_000 };
  return turn.end === 'failed'
    ? { kind: 'failed', detail: 'exit code 1', exitCode: 1 }
    : { kind: 'finished' };
}

function builtOf(turn: Turn, end: BuildEnd, tookMs: number): Built {
  const cost = end.kind === 'unavailable' ? {} : { tokens: turn.tokens, costUsd: turn.costUsd };
  return { end, output: turn.says, outputBytes: turn.says.length, tookMs, ...cost };
}
