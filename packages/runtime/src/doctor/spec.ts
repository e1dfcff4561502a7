import { FaultError, type RunSpec } from '@agentgate/core';
import { findAgentFault } from '../agents/program.ts';
import { findLack, placeholderGate, placeholderTask } from '../detect/index.ts';
import { findSpecFile, type LoadedSpec, loadSpec } from '../spec/load.ts';
import type { Remark } from './remark.ts';

/** The spec of a project, and whether what it names is here. */
export async function lookAtSpec(root: string, config?: string): Promise<Remark[]> {
  const loaded = await readSpec(root, config);
  if ('about' in loaded) return [loaded];
  if (loaded.kind === 'invalid') return loaded.problems.map((problem) => problemOf(problem));
  const { spec, source } = loaded;
  const names = spec.gates.map(({ name }) => name);
  return [
    {
      about: 'spec',
      ...(spec.task.trim() === placeholderTask
        ? { mark: 'lacking', what: `${source} does not say what to do`, next: 'write it in task, or give -p' }
        : { mark: 'good', what: `${source}, ${names.length === 1 ? '1 gate' : `${names.length} gates`}` }),
      facts: { source, gates: names },
    },
    ...(await Promise.all(spec.gates.map((gate) => lookAtGate(gate, root)))),
    ...(await lookAtOwnAgent(spec, root)),
  ];
}

async function readSpec(root: string, config?: string): Promise<LoadedSpec | Remark> {
  try {
    const file = findSpecFile(root, config);
    if (file === null) {
      const next = 'agentgate init writes one, or say everything by flag';
      return { about: 'spec', mark: 'lacking', what: 'there is no agentgate.yaml', next };
    }
    // The task and the agent may be given on the command line.
    const standIns = [
      { flag: '-p', path: ['task'], value: 'given by flag' },
      { flag: '--', path: ['agent'], value: ['true'] },
    ];
    return await loadSpec(root, file, ({ options }) =>
      standIns.filter(({ path }) => !options.includes(path[0]!)),
    );
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return { about: 'spec', mark: 'bad', what: error.message, next: 'correct it' };
  }
}

function problemOf({ where, path, message }: { where: string; path: string; message: string }): Remark {
  const what = `${where} ${path === '' ? '' : `${path}: `}${message}`;
  return { about: 'spec', mark: 'bad', what, next: 'correct it', facts: { where, path } };
}

async function lookAtGate(gate: RunSpec['gates'][number], root: string): Promise<Remark> {
  const about = `gate ${gate.name}`;
  if (gate.name === placeholderGate) {
    return {
      about,
      mark: 'lacking',
      what: 'stands where a gate has to be',
      next: 'write what proves the work done',
    };
  }
  const lack = 'run' in gate ? await findLack(gate.run, root) : null;
  if (lack === null) return { about, mark: 'good', what: `${gate.severity}, can run` };
  return { about, mark: gate.severity === 'hard' ? 'bad' : 'lacking', ...lack };
}

async function lookAtOwnAgent({ agent }: RunSpec, root: string): Promise<Remark[]> {
  const fault = findAgentFault(agent, root);
  if (fault) {
    const [what = fault.message, next = 'install it'] = fault.message.split('; ');
    return [{ about: 'agent', mark: 'bad', what, next }];
  }
  const lack =
    agent.kind === 'command' && typeof agent.run === 'string' ? await findLack(agent.run, root) : null;
  return lack ? [{ about: 'agent', mark: 'bad', ...lack }] : [];
}
