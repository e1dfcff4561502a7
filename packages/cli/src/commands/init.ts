import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import {
  findHome,
  findLack,
  findSpecFile,
  type Inspection,
  inspectProject,
  type Lack,
  proposeAgent,
  type ProposedAgent,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { schemaLine, schemaPath } from '../schema-line.ts';
import { specText } from '../spec-text.ts';
import type { Terminal } from '../terminal.ts';
import { pad } from '../view/words.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  force?: boolean;
}

const act = guarded(async function init(this: Context, flags: Flags): Promise<number> {
  const { root } = findHome(rootOf(this, flags), this.env);
  const there = findSpecFile(root);
  if (there && !flags.force) {
    throw new FaultError(fault('usage', `${there} is there already; --force writes it anew`));
  }
  const found = inspectProject(root);
  const agent = proposeAgent(root, this.env);
  const path = join(root, 'agentgate.yaml');
  if (existsSync(path) && flags.force) this.terminal.err('agentgate: agentgate.yaml is written anew');
  // An editor that is sent to a schema that is not there complains about every file.
  const schema = existsSync(join(root, schemaPath)) ? schemaLine : null;
  writeSpec(path, specText(found, agent, schema));
  const lacks = await Promise.all(
    found.gates.map((gate) => ('run' in gate ? findLack(gate.run, root) : null)),
  );
  if (flags.json) {
    const gates = found.gates.map((gate, at) => ({ ...gate, lacks: lacks[at] }));
    this.terminal.out(JSON.stringify({ kind: 'proposal', path, ...found, gates, agent }));
  } else tell(this.terminal, found, lacks, agent);
  return exitCode.ok;
});

function writeSpec(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new FaultError(fault('workspace.denied', `cannot write ${path}`, error));
  }
}

function tell(
  terminal: Terminal,
  { gates, tested, firstTest }: Inspection,
  lacks: readonly (Lack | null)[],
  agent: ProposedAgent,
): void {
  const { out, colors } = terminal;
  out('Wrote agentgate.yaml.');
  const width = Math.max(8, ...gates.map(({ name }) => name.length));
  gates.forEach((gate, at) => {
    const what = 'run' in gate ? gate.run : `exists: ${gate.exists.join(', ')}`;
    const soft = gate.severity === 'soft' ? ' (soft)' : '';
    out(`  ${pad(gate.name, width)} ${what}${soft}    ${colors.dim(`(${gate.because})`)}`);
    const lack = lacks[at];
    if (lack) out(`  ${pad('', width)} ${colors.yellow(`cannot run here yet: ${lack.what}; ${lack.next}`)}`);
  });
  const where = agent.path ?? `was not found; ${agent.install}, or name your own`;
  const others = agent.others.length > 0 ? `; also here: ${agent.others.join(', ')}` : '';
  out(`  ${pad('agent', width)} ${agent.program}    ${colors.dim(`(${where}${others})`)}`);
  if (gates.length === 0) {
    out('Nothing was found here to judge the work by. Until you write a gate, no run can end well.');
  } else if (!tested) {
    out('No tests were found. A run without tests proves only what its gates say.');
    if (firstTest !== null) out(`For a first test: ${firstTest}; then agentgate init --force.`);
  }
  out('Say what to do in "task", then: agentgate check, and agentgate run.');
}

export const init = buildCommand({
  func: act,
  parameters: {
    flags: {
      force: {
        kind: 'boolean',
        brief: 'write the file anew if it is there',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'write agentgate.yaml by looking at the project',
    fullDescription:
      'Looks at the manifests of the project, its task runners and its workflows for gates, and on the PATH for an agent. Reads files and runs nothing of the project.\n\nExample:\n  agentgate init',
  },
});
