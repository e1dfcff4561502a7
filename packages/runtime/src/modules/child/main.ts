// The process of one module: reads requests from one descriptor and answers on another, each answer under the
// token of its request. Whatever the module prints, sends or writes elsewhere is therefore no answer.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { type ChildRequest, maxAnswer, maxJudgement, type Reply } from '../protocol.ts';
import { explain } from './explain.ts';
import { makeServer } from './serve.ts';

// Taken before the module is loaded: it may put its own in their place.
const { parse, stringify } = JSON;
const exit = process.exit.bind(process);
const write = writeSync;
const split = Function.prototype.call.bind(String.prototype.split) as (text: string, by: string) => string[];

const [requests, answers] = process.argv.splice(2).map(Number);
const serve = makeServer();
let current: { token: string; root: string } | null = null;

process.on('uncaughtException', (error) => {
  if (current) answer(current.token, { kind: 'failed', failure: explain('threw', error, current.root) });
  exit(1);
});

let rest = '';
const input = new Socket({ fd: requests!, readable: true, writable: false });
input.setEncoding('utf8');
input.on('data', (text: string) => {
  const lines = split(rest + text, '\n');
  rest = lines[lines.length - 1] ?? '';
  for (let at = 0; at < lines.length - 1; at++) void take(lines[at] ?? '');
});
// Whoever asked is gone, or has no more to ask.
input.on('close', () => exit(0));

async function take(line: string): Promise<void> {
  const { token, ...request } = parse(line) as ChildRequest & { token: string };
  current = { token, root: 'root' in request ? request.root : (current?.root ?? '') };
  send(`{"token":"${token}","kind":"started","pid":${process.pid}}`);
  const reply = await serve(request as ChildRequest);
  answer(token, reply, request.op === 'judge' ? maxJudgement : maxAnswer * 2);
}

function answer(token: string, reply: Reply, most = maxAnswer): void {
  send(`{"token":"${token}",${bodyOf(reply, most)}}`);
}

// Put together by hand, because a module may have taught its objects to turn themselves into something else.
function bodyOf(reply: Reply, most: number): string {
  if (reply.kind === 'failed') return `"kind":"failed","failure":${stringify(reply.failure)}`;
  try {
    const text = stringify(reply.value) ?? 'null';
    if (text.length <= most) return `"kind":"value","value":${text}`;
    return garbage(`gave an answer of ${text.length} characters; at most ${most} are read`);
  } catch (error) {
    return garbage(`gave an answer that cannot be read: ${explain('garbage', error, '').detail}`);
  }
}

const garbage = (detail: string): string =>
  `"kind":"failed","failure":${stringify({ code: 'garbage', detail })}`;

// The line breaks on both sides keep whatever the module wrote into our descriptor out of our line.
function send(text: string): void {
  let bytes = Buffer.from(`\n${text}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(write(answers!, bytes));
}
