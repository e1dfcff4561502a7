import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
