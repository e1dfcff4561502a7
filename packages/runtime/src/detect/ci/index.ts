import { readManifest } from '../manifest.ts';
import type { Project } from '../project.ts';
import { commandGate, type Proof, type ProposedGate } from '../proposed-gate.ts';
import { githubBlocks } from './github.ts';
import { gitlabBlocks } from './gitlab.ts';
import { kindOf } from './kind.ts';
import { isThere, toolsOf } from './same.ts';
import { type CiStep, stepsOf } from './step.ts';

/** Enough for any project; a longer list would not be read. */
const mostGates = 8;

/** What continuous integration judges and the gates there do not judge yet. */
export function ciGates(project: Project, there: readonly ProposedGate[]): ProposedGate[] {
  const scripts = readManifest(project)?.scripts ?? {};
  const commands = there.flatMap((gate) => ('run' in gate ? [gate.run] : []));
  const gates: ProposedGate[] = [];
  const proven = (kind: Proof) => [...there, ...gates].some(({ proves }) => proves === kind);
  for (const step of [...githubBlocks(project), ...gitlabBlocks(project)].flatMap(stepsOf)) {
    const kind = kindOf(step.command);
    if (kind === null || isThere(step.command, commands, scripts)) continue;
    // A target of a task runner mostly wraps the same tools.
    if (wraps.test(step.command) && proven(kind)) continue;
    commands.push(step.command);
    gates.push(gateOf(step, kind));
    if (gates.length === mostGates) break;
  }
  return gates;
}

/** A name for a command whose kind has a gate already: that of the script or the tool. */
export function ciName(gate: ProposedGate): string {
  const tool = 'run' in gate ? (toolsOf(gate.run, {})[0] ?? '') : '';
  const name = tool.replace(/^script /, '').replaceAll(/[^\w.:-]+/g, '-');
  return /^[a-z][\w.:-]{0,40}$/i.test(name) ? name : gate.name;
}

const wraps = /^(make|just|task|tox|nox)\b/;

function gateOf({ command, file, job, mayFail }: CiStep, kind: Proof): ProposedGate {
  const gate = commandGate(kind, command, `${file}, job ${job}`);
  // What only CI asks for in the way of style advises; it does not hold up the work.
  return kind === 'lint' || mayFail ? { ...gate, severity: 'soft' } : gate;
}
