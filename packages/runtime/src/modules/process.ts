import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { supervise } from '../process/index.ts';
import { openPipe, type Pipe } from '../process/pipe.ts';
import { moduleCommand } from './command.ts';
import { type Ended, endedFailure, unstarted, when } from './ended.ts';
import { moduleEnvironment } from './environment.ts';
import { type Frame, FrameReader } from './frames.ts';
import { type MemoryWatch, watchMemory } from './memory.ts';
import type { ChildRequest, Failure, Reply } from './protocol.ts';

export interface ModuleProcessRequest {
  root: string;
  marker: string;
  memoryMb: number;
  /** Descriptors that its processes inherit. */
  keepFds?: readonly number[];
  signal?: AbortSignal;
  onOutput?: (text: string) => void;
}

const keptBytes = 16 * 1024;
const politeMs = 250;
const lastWordsMs = 100;
const longestTimerMs = 2 ** 31 - 1;

/** A process for one module, or why there is none. */
export async function openModuleProcess(request: ModuleProcessRequest): Promise<ModuleProcess | Failure> {
  const requests = await openPipe();
  const answers = requests && (await openPipe());
  if (!requests || !answers)
    return { code: 'unable', detail: 'could not be started: no pipe could be opened' };
  return new ModuleProcess(request, requests, answers);
}

/** The process of one module. It is ended when it does not answer in time or takes too much memory. */
export class ModuleProcess {
  readonly #abort = new AbortController();
  readonly #requests: Socket;
  readonly #answers: Socket;
  readonly #ended: Promise<Ended>;
  readonly #memoryMb: number;
  #inherited: number[];
  #pending: { token: string; op: ChildRequest['op']; settle: (reply: Reply) => void } | null = null;
  #memory: MemoryWatch | null = null;
  #over = false;
  #result: Ended | null = null;

  constructor(request: ModuleProcessRequest, requests: Pipe, answers: Pipe) {
    this.#memoryMb = request.memoryMb;
    this.#inherited = [requests.readFd, answers.writeFd];
    this.#requests = new Socket({ fd: requests.writeFd, readable: false, writable: true });
    // A module may close or fill what it reads from; that it does not answer tells enough.
    this.#requests.on('error', () => this.#requests.destroy());
    this.#answers = new Socket({ fd: answers.readFd, readable: true, writable: false });
    this.#answers.on('error', () => this.#answers.destroy());
    const frames = new FrameReader((frame) => this.#take(frame));
    this.#answers.on('data', (chunk: Buffer) => frames.take(chunk));
    this.#ended = this.#live(request);
  }

  get alive(): boolean {
    return this.#result === null && !this.#abort.signal.aborted;
  }

  /** Asks. Never throws; a process that has not answered by then is ended. */
  call(request: ChildRequest, limitMs: number): Promise<Reply> {
    const { op } = request;
    const token = randomBytes(16).toString('hex');
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          this.#settle(this.#whyLate(op, limitMs));
          this.#abort.abort();
        },
        Math.min(limitMs, longestTimerMs),
      );
      const settle = (reply: Reply) => {
        clearTimeout(timer);
        this.#pending = null;
        resolve(reply);
      };
      this.#pending = { token, op, settle };
      if (this.#result) this.#settle(this.#whyEnded(this.#result));
      else this.#requests.write(`${JSON.stringify({ token, ...request })}\n`);
    });
  }

  /** Ends the process and everything it started, and answers what it printed. */
  async close(): Promise<Ended> {
    this.#requests.end();
    await Promise.race([this.#ended, sleep(politeMs, undefined, { ref: false })]);
    this.#abort.abort();
    return this.#ended;
  }

  async #live(request: ModuleProcessRequest): Promise<Ended> {
    const { root, marker, memoryMb, keepFds = [], signal, onOutput } = request;
    const result = await supervise({
      argv: moduleCommand(memoryMb, 3 + keepFds.length),
      cwd: root,
      env: moduleEnvironment(process.env),
      marker,
      // Nothing is lost with a module that no longer answers: there is no need to be polite.
      graceMs: 0,
      signal: signal ? AbortSignal.any([signal, this.#abort.signal]) : this.#abort.signal,
      headBytes: keptBytes,
      tailBytes: keptBytes,
      keepFds: [...keepFds, ...this.#inherited],
      ...(onOutput ? { onOutput } : {}),
    }).catch(unstarted);
    this.#memory?.end();
    this.#letGo();
    // An answer may still lie in the pipe: it was given before the end.
    if (!this.#answers.readableEnded) await Promise.race([ended(this.#answers), sleep(lastWordsMs)]);
    this.#answers.destroy();
    this.#requests.destroy();
    this.#result = result;
    this.#settle(this.#whyEnded(result));
    return result;
  }

  #take(frame: Frame): void {
    if (frame.token !== this.#pending?.token) return;
    if (frame.kind === 'started') {
      this.#letGo();
      this.#memory ??= watchMemory(frame.pid, this.#memoryMb, () => {
        this.#over = true;
        this.#abort.abort();
      });
      return;
    }
    this.#pending.settle(frame.kind === 'value' ? frame : { kind: 'failed', failure: plain(frame.failure) });
  }

  /** Closes our copies of the module's ends, so that only its own processes hold them. */
  #letGo(): void {
    for (const fd of this.#inherited.splice(0)) closeSync(fd);
  }

  #settle(failure: Failure): void {
    this.#pending?.settle({ kind: 'failed', failure });
  }

  #whyLate(op: ChildRequest['op'], limitMs: number): Failure {
    if (this.#memory?.tight)
      return { code: 'memory', detail: `used up its ${this.#memoryMb} MB ${when[op]}` };
    const seconds = Math.round(limitMs / 100) / 10;
    return { code: 'timeout', detail: `did not answer within ${seconds} s ${when[op]}` };
  }

  #whyEnded(result: Ended): Failure {
    const during = this.#pending ? when[this.#pending.op] : '';
    return endedFailure(result, { over: this.#over, memoryMb: this.#memoryMb, during });
  }
}

const ended = (socket: Socket): Promise<void> => new Promise((done) => socket.once('close', () => done()));

function plain({ code, detail, where }: Extract<Frame, { kind: 'failed' }>['failure']): Failure {
  return { code, detail, ...(where === undefined ? {} : { where }) };
}
