import { appendFileSync, constants, openSync, read, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Answer,
  type Binding,
  type HostCall,
  deadlineMs,
  type HostName,
  hostNames,
  isNotice,
  isWithin,
  listArmings,
  listBindings,
  listUnseen,
  makeFolder,
  pausedOnce,
  readBinding,
  readCall,
  realFolder,
  spokenTo,
  stateRoot,
  taskIn,
  wordsFor,
  writeBinding,
  writeUnseen,
} from '@agentgate/runtime/held';

/** Whoever started us: the host, or a shell of its own. */
const parent = process.ppid;
/** Longer words of a host are none that we know. */
const mostBytes = 64 * 1024 * 1024;
/** So long may the record of misfires become before it is begun anew. */
const mostMisfireBytes = 1024 * 1024;
/** A host that does not finish its words in this time is not waited for. */
const listenMs = 10_000;

/**
 * `agentgate hook answer`: started by the host at every prompt and every stop. Almost always there is nothing to do,
 * so it loads nothing else; whatever happens, it lets the host go on, and it writes nothing but its answer.
 */
export function answer(argv: readonly string[]): void {
  const state = stateRoot(process.env);
  const finish = (words: string) => {
    isTaken(words);
    process.exit(0);
  };
  const misfire = (why: string) => {
    recordMisfire(state, why);
    finish('');
  };
  /** What a person would take for judged, or for armed, if nothing were said. */
  let owed: HostCall | null = null;
  process.on('uncaughtException', (error) => {
    recordMisfire(state, `a bug of ours: ${String(error)}`);
    const call = owed;
    // Whatever fails in telling it must not begin this anew.
    owed = null;
    finish(call ? tellOpen(call, state) : '');
  });
  const { host, withinMs } = readFlags(argv);
  listen((words, trouble) => {
    const call = words === null ? null : readCall(words, process.env, host);
    if (!call) return misfire(trouble ?? 'its words are none of a host that we know');
    const proof = process.env['AGENTGATE_HOOK_PROOF'];
    if (proof !== undefined) return prove(proof, call, finish);
    if (call.event === 'stop') owed = call;
    if (isOver(call, state)) return finish('');
    owed = call;
    ask(call, withinMs ?? deadlineMs(call), (told, confirm) => {
      // Whoever does the work hears by our end that nobody takes it.
      if (told) return isTaken(wordsFor(call, told)) ? confirm() : finish('');
      finish(tellOpen(call, state));
    });
  });
}

/** Whether the host was there to take these words. */
function isTaken(words: string): boolean {
  try {
    if (words !== '') writeSync(1, words);
    return true;
  } catch {
    return false;
  }
}

/** Whether the host can go on without anything having to be judged, started or told. */
function isOver(call: HostCall, state: string): boolean {
  // An agent that a run of ours drives from outside is judged there.
  if (process.env['AGENTGATE_RUN_ID'] !== undefined) return true;
  const binding = readBinding(state, call.sessionId);
  switch (call.event) {
    case 'stop':
      return binding === null || binding.phase === 'suspended' || (call.isPausing && isPause(binding, state));
    case 'prompt':
      if (binding?.phase === 'working') beginAnew(binding, call, state);
      // It is not what was armed for, and no answer to what was suspended.
      if (isNotice(call.prompt)) return true;
      if (binding) return binding.phase === 'working' && taskIn(call.prompt) === null;
      return taskIn(call.prompt) === null && !isNear(listArmings(state), call);
    case 'start':
      return !isNear(listUnseen(state), call) && !isNear(listBindings(state), call);
    case 'end':
      return binding === null || binding.phase === 'suspended';
    default:
      return true;
  }
}

/** Work goes on in the background: the stop is let through, as often and as long as that is believed. */
function isPause(binding: Binding, state: string): boolean {
  if (binding.phase === 'judging') return true;
  const paused = pausedOnce(binding, Date.now());
  if (paused) writeBinding(state, paused);
  return paused !== null;
}

/**
 * Whatever stop comes next is another one. The words of a person begin the host's count of blocks anew; ours, which some
 * hosts tell as a prompt, do not.
 */
function beginAnew(binding: Binding, { prompt }: HostCall, state: string): void {
  const isOurs = binding.told !== '' && prompt.includes(binding.told);
  const spoken = spokenTo(binding, Date.now());
  writeBinding(state, { ...spoken, heard: null, ...(isOurs ? {} : { blocks: 0, last: null, told: '' }) });
}

/** Somebody only wants to know whether a hook is started at all. */
function prove(path: string, { name }: HostCall, finish: (words: string) => void): void {
  try {
    appendFileSync(path, `${name}\n`);
  } catch {
    // Then it is not proved.
  }
  finish('');
}

/** Whether one of these workspaces is where the session works. */
const isNear = (places: readonly { root: string }[], { cwd }: HostCall): boolean =>
  places.some(({ root }) => isWithin(realFolder(cwd), root));

/** How often it is looked whether the host lives. */
const lookMs = 250;

/**
 * Somebody else does the work and outlives this process, should the time of the host run out. It waits for `confirm`,
 * and takes back what it gave where that does not come.
 */
function ask(
  call: HostCall,
  withinMs: number,
  done: (told: Answer | null, confirm: () => void) => void,
): void {
  // Loaded only now: it takes longer than everything before it.
  const { spawn } = require('node:child_process') as typeof import('node:child_process');
  const program = join(__dirname, '..', 'bin', 'agentgate.cjs');
  const worker = spawn(process.execPath, [program, 'hook', 'drive'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: process.env,
  });
  let said = '';
  let isOver = false;
  const finish = (told: Answer | null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    clearInterval(look);
    done(told, () => {
      worker.stdin.on('close', () => process.exit(0));
      worker.stdin.end('taken\n', () => process.exit(0));
    });
  };
  const timer = setTimeout(() => finish(null), withinMs);
  // A host that dies leaves its hooks to somebody else, and takes no answer any more.
  const look = setInterval(() => process.ppid !== parent && finish(null), lookMs);
  const over = () => finish(answerIn(said));
  worker.on('error', over);
  worker.stdin.on('error', () => undefined);
  worker.stdin.write(`${JSON.stringify(call)}\n`);
  worker.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.endsWith('\n')) over();
  });
  worker.stdout.on('close', over);
}

function answerIn(said: string): Answer | null {
  try {
    return JSON.parse(said) as Answer;
  } catch {
    return null;
  }
}

/**
 * No answer came: the time is over while the gates still judge, or something killed the one who judges. The stop is let
 * through, and nobody may take that for done; nor a prompt for one that is held. Returns the words for the host.
 */
function tellOpen(call: HostCall, state: string): string {
  if (call.event === 'prompt') {
    const text =
      'AgentGate: not armed: the gates were not judged while the prompt waited. /gate tries it once more, and so does agentgate arm; agentgate status tells what is held.';
    return wordsFor(call, { kind: 'tell', text, say: text });
  }
  const binding = readBinding(state, call.sessionId);
  if (!binding || call.event !== 'stop') return '';
  const { runId, root, key } = binding;
  const text = `AgentGate: NOT converged. The stop of its session was let through before the gates of run ${runId} were judged; what takes longer than the host waits is judged on. agentgate show ${runId} tells how it went.`;
  writeUnseen(state, key, { v: 1, root, runId, text });
  return '';
}

/** What could not be understood is on record: a hook that misfires in silence looks like one that works. */
function recordMisfire(state: string, why: string): void {
  try {
    makeFolder(state, 0o700);
    const path = join(state, 'hook-misfires.jsonl');
    // The newest are the ones that count; of the older ones as many are kept.
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > mostMisfireBytes)
      renameSync(path, join(state, 'hook-misfires.old.jsonl'));
    appendFileSync(
      path,
      `${JSON.stringify({ v: 1, at: new Date().toISOString(), why: why.slice(0, 300) })}\n`,
    );
  } catch {
    // There is nobody left to tell.
  }
}

function readFlags(argv: readonly string[]): { host?: HostName; withinMs: number | null } {
  const after = (flag: string) => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined);
  const named = hostNames.find((one) => one === after('--host'));
  const seconds = Number(after('--within'));
  return {
    ...(named ? { host: named } : {}),
    withinMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null,
  };
}

/** All of standard input, or as much as makes a whole value: some hosts never close it. */
function listen(done: (words: string | null, trouble?: string) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  let isDone = false;
  const finish = (words: string | null, trouble?: string) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(words, trouble);
  };
  const all = () => Buffer.concat(parts).toString('utf8');
  const timer = setTimeout(() => finish(null, 'its words did not end in time'), listenMs);
  const hear = (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostBytes) return finish(null, 'its words are too long');
    parts.push(part);
    if (isWhole(part, all)) finish(all());
  };
  const from = openInput();
  if (from === null) {
    process.stdin.on('data', hear);
    process.stdin.on('end', () => finish(all()));
    process.stdin.on('error', (error) => finish(null, error.message));
    return;
  }
  const buffer = Buffer.alloc(64 * 1024);
  const next = () =>
    read(from, buffer, 0, buffer.length, null, (error, length) => {
      if (isDone) return;
      if (error?.code === 'EAGAIN') return void setTimeout(next, 5);
      if (error || length === 0) return finish(error && error.code !== 'EOF' ? null : all(), error?.message);
      hear(Buffer.from(buffer.subarray(0, length)));
      next();
    });
  next();
}

/** A read that blocks would keep us from leaving a host that stays silent. A socket cannot be opened anew: null. */
function openInput(): number | null {
  try {
    return openSync('/dev/stdin', constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

function isWhole(last: Buffer, all: () => string): boolean {
  const end = last.toString('latin1').trimEnd();
  if (!end.endsWith('}') || last.length === 64 * 1024) return false;
  try {
    JSON.parse(all());
    return true;
  } catch {
    return false;
  }
}
