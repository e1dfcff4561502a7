import { type Fault, fault, type PlainAgent } from '@agentgate/core';
import { findProgram } from '../find-program.ts';
import { knownAgents } from './known.ts';

/** Says whether the agent's program can be found, before anything is run. Null when all is well. */
export function findAgentFault(spec: PlainAgent, root: string): Fault | null {
  const program = programOf(spec);
  if (program === null) return null;
  return findProgram(program, root) ? null : programMissing(program);
}

/** The program that the agent is; null where only a shell can tell, or where it is none. */
function programOf(spec: PlainAgent): string | null {
  if (spec.kind === 'scripted') return null;
  if ('run' in spec) return typeof spec.run === 'string' ? firstWord(spec.run) : spec.run[0]!;
  return spec.program ?? spec.kind;
}

/** What a shell does by itself and is no program of its own everywhere. */
const builtins = new Set(
  `. : [ alias bg break builtin cd command continue declare echo eval exec exit export false fc fg getopts hash jobs kill
  let local newgrp printf pwd read readonly return set shift shopt source test time times trap true type typeset ulimit
  umask unalias unset wait if then else elif fi for while until do done case esac function select`.split(
    /\s+/,
  ),
);

/** The program of a text that is plain words: nothing in it that a shell would make something else of. */
function firstWord(text: string): string | null {
  const words = text.trim().split(/[ \t]+/);
  const program = words[0]!;
  const isPlain = words.every((word) => /^[\w./@%+,:=-]+$/.test(word)) && !program.includes('=');
  return isPlain && !builtins.has(program) ? program : null;
}

export function programMissing(program: string): Fault {
  const known = knownAgents.find((one) => one.program === program)?.install;
  const how = known ?? 'install it, or correct the command of the agent';
  return fault('program.missing', `the agent's program "${program}" was not found; ${how}`);
}
