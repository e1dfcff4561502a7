import { spawnSync } from 'node:child_process';
import { type Measured, makeRow } from './figures.ts';

const warmUp = 3;
const rounds = 41;
// The bundle lies in .cache/bench of the repository.
const bin = new URL('../../packages/cli/bin/agentgate.cjs', import.meta.url).pathname;

/** The shortest command there is, beside a Node that does nothing. */
export async function measureVersion(): Promise<Measured[]> {
  const ours: number[] = [];
  const beside: number[] = [];
  const measures = [() => ours.push(timeOf([bin, '--version'])), () => beside.push(timeOf(['-e', '0']))];
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const measure of round % 2 === 0 ? measures : measures.toReversed()) measure();
  }
  const figures = { ours: ours.slice(warmUp), beside: beside.slice(warmUp) };
  return [makeRow('agentgate --version beside node -e 0', 1.4, figures)];
}

function timeOf(args: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return took;
}
