import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentgate, makePlace } from './support/command.ts';

const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));
/** So many processes are started; `npm run fuzz` starts 10,000. */
const inputs = Number(process.env['FUZZ_INPUTS'] ?? '200');

const events = [
  'Stop',
  'AfterAgent',
  'UserPromptSubmit',
  'BeforeAgent',
  'SubagentStop',
  'SessionStart',
  'SessionEnd',
  '__proto__',
];
const field = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()), fc.object());
const call = fc.record(
  {
    session_id: fc.oneof(fc.uuid(), field),
    cwd: fc.oneof(fc.constant('/'), field),
    hook_event_name: fc.oneof(fc.constantFrom(...events), field),
    prompt: field,
    transcript_path: field,
    background_tasks: field,
    last_assistant_message: field,
    stop_hook_active: field,
    turn_id: field,
  },
  { requiredKeys: [] },
);
/** Whole, cut, with a bit turned over, behind other words, twice, much, deep, or anything at all. */
const words = fc.oneof(
  call.map((one) => Buffer.from(JSON.stringify(one))),
  fc.tuple(call, fc.nat()).map(([one, at]) => {
    const text = Buffer.from(JSON.stringify(one));
    return text.subarray(0, at % (text.length + 1));
  }),
  fc.tuple(call, fc.nat(), fc.nat({ max: 7 })).map(([one, at, bit]) => {
    const text = Buffer.from(JSON.stringify(one));
    text[at % text.length]! ^= 1 << bit;
    return text;
  }),
  call.map((one) => Buffer.from(`npm notice\n${JSON.stringify(one)}`)),
  call.map((one) => Buffer.from(JSON.stringify(one).repeat(2))),
  fc.nat({ max: 2_000_000 }).map((size) => Buffer.alloc(size, 'x')),
  fc.nat({ max: 50_000 }).map((depth) => Buffer.from('['.repeat(depth))),
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
);

it(`${inputs} inputs of all kinds let the host go on, without a stray byte`, {
  timeout: inputs * 500 + 60_000,
  // Another try would draw other inputs: one failure is a finding.
  retry: 0,
}, async () => {
  const place = makePlace({ 'check.sh': 'exit 1\n' });
  // One session is armed for the next prompt elsewhere; none of these is in its workspace.
  await agentgate(place, 'arm', '--gate', 'never=sh check.sh', '-p', 'x', '--agent', 'claude');
  const all = fc.sample(words, { numRuns: inputs, seed: Number(process.env['FUZZ_SEED'] ?? '7') });
  const wrong: string[] = [];
  let misfires = 0;
  const hook = (input: Buffer): Promise<void> =>
    new Promise((done) => {
      const child = spawn(process.execPath, [bin, 'hook', 'answer'], { cwd: '/', env: place.env });
      let said = '';
      child.stdout.on('data', (text) => (said += String(text)));
      child.stderr.on('data', (text) => (said += String(text)));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      child.on('close', (code, signal) => {
        if (code !== 0 || signal !== null || said !== '')
          wrong.push(`${code} ${signal} ${said}: ${input.toString('latin1').slice(0, 500)}`);
        done();
      });
    });
  const rest = [...all];
  const work = async (): Promise<void> => {
    for (let input = rest.pop(); input; input = rest.pop()) await hook(input);
  };
  await Promise.all([work(), work()]);
  const record = join(place.state, 'agentgate', 'hook-misfires.jsonl');
  if (existsSync(record)) misfires = readFileSync(record, 'utf8').trim().split('\n').length;
  expect(wrong).toEqual([]);
  // What no host says is on record.
  expect(misfires).toBeGreaterThan(inputs / 3);
  place.remove();
});

const heldField = fc.oneof(
  fc.constantFrom('/dev/zero', '/dev/stdin', '/', '/proc/self/mem', 'pipe', 'no-such'),
  field,
);
/** Whole words of the session that is held, with whatever else in them. */
const heldCall = fc.record(
  {
    hook_event_name: fc.constantFrom(
      'Stop',
      'AfterAgent',
      'UserPromptSubmit',
      'SubagentStop',
      'SessionStart',
    ),
    transcript_path: heldField,
    last_assistant_message: field,
    prompt_response: field,
    background_tasks: field,
    stop_hook_active: field,
    stop_id: field,
    prompt: field,
    turn_id: field,
  },
  { requiredKeys: ['hook_event_name', 'transcript_path'] },
);
const heldInputs = Math.max(12, Math.ceil(inputs / 50));

it(`${heldInputs} inputs for a session that is held are answered in the words of its host, and in time`, {
  timeout: heldInputs * 5_000 + 60_000,
  retry: 0,
}, async () => {
  const place = makePlace({
    'check.sh': 'exit 1\n',
    'agentgate.yaml': JSON.stringify({
      task: 'x',
      agent: 'claude',
      gates: { never: 'sh check.sh' },
      integrity: 'off',
      stuck: 'off',
      detectors: { enabled: false },
      strategy: { kind: 'fixed', iterations: 1_000 },
      limits: { iterations: 1_000 },
    }),
  });
  const pipe = join(place.state, 'pipe');
  mkdirSync(place.state);
  execFileSync('mkfifo', [pipe]);
  expect((await agentgate(place, 'arm')).stderr).toBe('');
  const hook = (input: object): Promise<string> =>
    new Promise((done) => {
      const child = spawn(process.execPath, [bin, 'hook', 'answer', '--host', 'codex'], {
        cwd: place.workspace,
        env: place.env,
      });
      let said = '';
      child.stdout.on('data', (text) => (said += String(text)));
      child.stderr.on('data', (text) => (said += `error: ${String(text)}`));
      child.stdin.on('error', () => undefined);
      child.stdin.end(JSON.stringify({ session_id: 's-1', cwd: place.workspace, ...input }));
      child.on('close', (code) => done(code === 0 ? said : `exit ${code}: ${said}`));
    });
  expect(await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go.' })).toContain('holds this session');
  const some = fc.sample(heldCall, { numRuns: heldInputs, seed: Number(process.env['FUZZ_SEED'] ?? '7') });
  const all = [
    { hook_event_name: 'Stop', transcript_path: 'pipe', last_assistant_message: 'Done.' },
    ...some,
  ];
  for (const one of all) {
    const at = one.transcript_path === 'pipe' ? { transcript_path: pipe } : {};
    const said = await hook({ ...one, ...at });
    if (said === '') continue;
    const answer = JSON.parse(said) as Record<string, unknown>;
    const isBlock = answer['decision'] === 'block' && String(answer['reason']) !== '';
    expect([isBlock, Object.keys(answer)], said).toEqual(
      isBlock ? [true, ['decision', 'reason']] : [false, expect.arrayContaining(['systemMessage'])],
    );
  }
  expect(await hook({ hook_event_name: 'Stop' })).toContain('"decision":"block"');
  place.remove();
});
