import * as z from 'zod';
import type { TestCase } from '@agentgate/core';
import { isLibtest, readLibtest } from './cargo-text.ts';
import { readDocuments } from './documents.ts';
import { reportTests, type Tested } from './inventory.ts';
import { foundPanic } from './plain/rust.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';

export const cargoHead = /\{ ?"type": ?"(?:suite|test|bench|report)", ?"(?:event|name|total_time)": ?/;

/** Reads `cargo test`: the lines of JSON that libtest can print, and otherwise its words. */
export const readCargo: Reader = (text, project = noProject) => {
  if (!cargoHead.test(text) && isLibtest(text)) return readLibtest(text);
  const read = readDocuments(text, 'libtest', cargoHead, Event);
  if (read === undefined) return { kind: 'absent', problem: 'there are no tests of cargo in the output' };
  const tested = read.found.flatMap((event) => testOf(event, project));
  return reportTests(tested, read.problem ?? problemOf(read.found));
};

const Event = z.object({
  type: z.string(),
  event: z.string().optional(),
  name: z.string().optional(),
  stdout: z.string().nullish(),
  test_count: z.number().optional(),
  passed: z.number().optional(),
  failed: z.number().optional(),
  ignored: z.number().optional(),
});
type Event = z.output<typeof Event>;

const ends: Readonly<Record<string, TestCase['status']>> = {
  ok: 'passed',
  failed: 'failed',
  timeout: 'failed',
  ignored: 'skipped',
};

function endOf({ type, event = '' }: Event): TestCase['status'] | undefined {
  return type === 'test' && Object.hasOwn(ends, event) ? ends[event] : undefined;
}

function testOf(event: Event, project: Project): Tested[] {
  const status = endOf(event);
  if (status === undefined || event.name === undefined) return [];
  const name = project.clean(event.name).replace(/ \(line \d+\)$/, '');
  return [{ finding: foundPanic(name, project.clean(event.stdout ?? '')).finding, status }];
}

/** Each suite says how many tests it will run, and at its end how they went. */
function problemOf(events: readonly Event[]): string | undefined {
  let open: { planned: number; seen: number[] } | undefined;
  for (const event of events) {
    const status = endOf(event);
    if (status !== undefined && open !== undefined) open.seen[order.indexOf(status)]! += 1;
    if (event.type !== 'suite') continue;
    if (event.event === 'started') {
      if (open !== undefined) return 'the report breaks off inside a suite';
      open = { planned: event.test_count ?? 0, seen: [0, 0, 0] };
    } else if (open !== undefined) {
      const counted = [event.passed ?? 0, event.failed ?? 0, event.ignored ?? 0];
      const all = open.seen.reduce((sum, each) => sum + each, 0);
      if (open.planned !== all || counted.some((each, at) => each !== open?.seen[at]))
        return `a suite counts ${counted.join(', ')} tests passed, failed and ignored, and names ${open.seen.join(', ')}`;
      open = undefined;
    }
  }
  return open === undefined ? undefined : 'the report breaks off inside a suite';
}

const order: readonly TestCase['status'][] = ['passed', 'failed', 'skipped'];
