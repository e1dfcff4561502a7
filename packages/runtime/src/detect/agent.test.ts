import { describe, expect, it } from 'vitest';
import { parseSpec } from '@agentgate/core';
import { knownAgents } from '../agents/known.ts';
import { proposeAgent } from './agent.ts';
import { makeBed } from './testing.ts';

const bed = makeBed();

describe('the agent to propose', () => {
  it('is the first that is here, and the others are named', () => {
    bed.programs('gemini', 'codex', 'aider');
    expect(proposeAgent(bed.root)).toMatchObject({
      program: 'codex',
      agent: 'codex',
      others: ['gemini', 'aider'],
    });
  });
  it('is one to install where none is here', () => {
    bed.programs();
    expect(proposeAgent(bed.root)).toMatchObject({
      program: 'claude',
      path: null,
      install: 'npm install -g @anthropic-ai/claude-code',
      others: [],
    });
  });
  it.each(knownAgents.map((agent) => [agent.program, agent] as const))(
    '%s is an agent of a spec',
    (_name, { agent }) => {
      const spec = { task: 'x', agent, gates: { a: 'true' } };
      expect(parseSpec(spec)).toMatchObject({ kind: 'spec' });
    },
  );
});
