import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../support/command.ts';
import { hookedStage, newest, prompt, stageOf, task, writes } from './errand.ts';
import { findProgram, pinned } from './programs.ts';

/** The two that are fetched and started fastest stand for all of them; `npm run e2e:agents` runs the rest. */
const found = { claude: await findProgram('claude', 240_000), codex: await findProgram('codex', 240_000) };

describe.each(['claude', 'codex'] as const)('the real %s', (name) => {
  const here = found[name];
  const why = here.kind === 'absent' ? ` (skipped: ${here.why})` : ` ${pinned[name].version}`;

  it.skipIf(here.kind === 'absent')(
    `driven from outside converges in three turns, each token counted once${why}`,
    async () => {
      const { agentgate, calls } = await stageOf(name, [
        ...writes('wrong'),
        ...writes('almost'),
        ...writes('right'),
      ]);
      const ended = await agentgate(
        'run',
        '--agent',
        name,
        '--gate',
        'answer=sh check.sh',
        '-p',
        task,
        '--json',
      );
      expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
        { status: 'converged', iterations: 3, tokens: 660 },
        0,
      ]);
      expect(calls).toHaveLength(6);
    },
  );

  it.skipIf(here.kind === 'absent')(`held from inside goes on until its gate passes${why}`, async () => {
    const stage = await hookedStage(name, [...writes('wrong'), ...writes('right')]);
    const { said } = await prompt(stage, name, `/gate ${task}`).ended;
    expect(await newest(stage), said).toMatchObject({ status: 'converged', iterations: 2 });
    expect(stage.calls[2]?.newest).toContain('answer.txt: wrong');
  });
});
