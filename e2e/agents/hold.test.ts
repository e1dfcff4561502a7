import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../model/script.ts';
import { agentgate, outcomeOf } from '../support/command.ts';
import { until } from '../support/processes.ts';
import {
  commands,
  heldIn,
  type Host,
  hookedStage,
  newest,
  projectWith,
  prompt,
  task,
  writes,
} from './errand.ts';

const hosts = ['claude', 'codex', 'gemini'] as const;

/** Nothing but the limit of iterations ends it. */
const limited = (limits: object, host: Host) => projectWith({ agent: host, limits, stuck: 'off' });

describe.each(hosts)('a session of %s', (host) => {
  it('is held until its gates pass, in three turns', async () => {
    const stage = await hookedStage(host, [...writes('wrong'), ...writes('almost'), ...writes('right')]);
    const { said } = await prompt(stage, host, `/gate ${task}`).ended;
    expect(await newest(stage), said).toMatchObject({ status: 'converged', iterations: 3 });
    expect(stage.calls[2]?.newest).toContain('answer.txt: wrong');
    expect(stage.calls[0]?.all).toContain('AgentGate holds this session');
    expect(stage.calls).toHaveLength(6);
    expect(heldIn(stage)).toEqual([]);
  });

  it('is let go at its limit, and is told to be NOT converged, in the list and at the next start', async () => {
    const stage = await hookedStage(host, () => ({ say: 'All is done.' }), limited({ iterations: 2 }, host));
    await prompt(stage, host, `/gate ${task}`).ended;
    expect(await newest(stage)).toMatchObject({ status: 'diverged', iterations: 2 });
    expect(stage.calls).toHaveLength(2);
    const told = await agentgate(stage.place, 'status');
    expect(told.stdout).toContain('NOT converged');
    await prompt(stage, host, 'Hello.').ended;
    expect(stage.calls.at(-1)?.all).toContain('NOT converged');
    expect((await agentgate(stage.place, 'status')).stdout).not.toContain('NOT converged');
  });

  it('that was not armed is let go, also beside one that is', async () => {
    let free = () => {};
    const wait = new Promise<void>((done) => (free = done));
    const work = writes('right');
    let at = 0;
    const stage = await hookedStage(host, ({ all }) =>
      all.includes('Only say hello')
        ? { say: 'Hello.' }
        : { ...(work[at++] ?? { say: 'Done.' }), ...(at === 1 ? { until: wait } : {}) },
    );
    const held = prompt(stage, host, `/gate ${task}`);
    await until(() => heldIn(stage).length === 1);
    const before = stage.calls.length;
    await prompt(stage, host, 'Only say hello.').ended;
    expect(stage.calls.length - before).toBeLessThanOrEqual(2);
    expect(heldIn(stage)).toHaveLength(1);
    free();
    await held.ended;
    expect(await newest(stage)).toMatchObject({ status: 'converged', iterations: 1 });
  });

  it('is handed over to a headless run, with its budget and its history', async () => {
    const [told, did] = [{ session: 0, headless: 0 }, [writes('wrong'), writes('right')]];
    const script: Script = ({ all }) => {
      if (all.includes('How it is judged')) return did[1]![told.headless++] ?? { say: 'Done.' };
      return did[0]![told.session++] ?? { afterMs: 'never' };
    };
    const stage = await hookedStage(host, script, projectWith({ agent: host, limits: { iterations: 3 } }));
    const session = prompt(stage, host, `/gate ${task}`);
    // It has been held once, and then its person leaves.
    await until(() => stage.calls.length === 3);
    process.kill(-session.child.pid!, 'SIGKILL');
    const ended = await stage.agentgate('resume', '--json');
    expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
      { status: 'converged', iterations: 3 },
      0,
    ]);
    expect(heldIn(stage)).toEqual([]);
  });

  it('takes over a headless run that reached its limit', async () => {
    const stage = await hookedStage(
      host,
      [...writes('wrong'), ...writes('right')],
      projectWith({ agent: host, limits: { iterations: 1 } }),
    );
    expect((await stage.agentgate('run', '--json')).exit).toBe(1);
    const { runId } = await newest(stage);
    const armed = await stage.agentgate('arm', '--run', String(runId), '--add-iterations', '2');
    expect(armed.exit, armed.stderr).toBe(0);
    await prompt(stage, host, 'Go on with it.').ended;
    expect(await newest(stage)).toMatchObject({ status: 'converged', iterations: 2, parent: runId });
  });

  it('is disarmed by agentgate stop, and goes on as it likes', async () => {
    let free = () => {};
    const wait = new Promise<void>((done) => (free = done));
    const stage = await hookedStage(host, ({ number }) =>
      number === 0 ? { until: wait, say: 'I leave.' } : { say: 'Again?' },
    );
    const session = prompt(stage, host, `/gate ${task}`);
    await until(() => stage.calls.length === 1);
    const stopped = await stage.agentgate('stop');
    expect(stopped.exit, stopped.stderr).toBe(0);
    free();
    await session.ended;
    expect(stage.calls).toHaveLength(1);
    expect(await newest(stage)).toMatchObject({ status: 'stopped', code: 'user.stop' });
  });
});

it('a session of claude that its host ends after eight blocks is NOT converged', async () => {
  const stubborn = { strategy: { kind: 'fixed', iterations: 20 }, detectors: { enabled: false } };
  const stage = await hookedStage(
    'claude',
    () => ({ say: 'It is done, believe me.' }),
    projectWith({ agent: 'claude', ...stubborn }),
  );
  const { exit } = await prompt(stage, 'claude', `/gate ${task}`).ended;
  expect(exit).toBe(0);
  expect(await newest(stage)).toMatchObject({ status: 'stopped', code: 'host.override', iterations: 9 });
  expect((await agentgate(stage.place, 'status')).stdout).toContain('NOT converged');
});

describe('Gemini CLI', () => {
  const stubborn = {
    strategy: { kind: 'fixed', iterations: 20 },
    detectors: { enabled: false },
    stuck: 'off',
  };
  it('is held while its agent works, whatever it says', async () => {
    const stage = await hookedStage(
      'gemini',
      () => ({ say: 'All is done.' }),
      projectWith({ agent: 'gemini', ...stubborn, limits: { iterations: 4 } }),
    );
    await prompt(stage, 'gemini', `/gate ${task}`).ended;
    expect(await newest(stage)).toMatchObject({ code: 'limit.iterations', iterations: 4 });
    expect(stage.calls).toHaveLength(4);
  });
  it('is let go where it calls again and again behind a limit of its own', async () => {
    const stage = await hookedStage(
      'gemini',
      () => ({ say: 'All is done.' }),
      projectWith({ agent: 'gemini', ...stubborn }),
    );
    const path = join(stage.env['HOME']!, '.gemini', 'settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...settings, model: { maxSessionTurns: 2 } }));
    await prompt(stage, 'gemini', `/gate ${task}`).ended;
    expect(await newest(stage)).toMatchObject({ status: 'stopped', code: 'host.override', iterations: 3 });
    expect(stage.calls).toHaveLength(2);
  });
});

it('a session of claude with a subagent uses one iteration for both', async () => {
  const stage = await hookedStage('claude', ({ number, newest: told }) => {
    const subagent = { description: 'look', prompt: 'Look around.', subagent_type: 'general-purpose' };
    if (number === 0) return { do: [{ tool: 'Agent', input: subagent }] };
    if (told.includes('answer.txt: nothing')) return writes('right')[0];
    return { say: 'I have finished.' };
  });
  const { said } = await prompt(stage, 'claude', `/gate ${task}`).ended;
  expect(said).toContain('"spawned":1');
  expect(await newest(stage), said).toMatchObject({ status: 'converged', iterations: 2 });
});

it('a session of claude that was killed is told of at the next start', async () => {
  const stage = await hookedStage('claude', ({ number }) =>
    number < 2 ? writes('wrong')[number]! : number === 2 ? { afterMs: 'never' } : { say: 'Hello.' },
  );
  const session = prompt(stage, 'claude', `/gate ${task}`);
  await until(() => stage.calls.length === 3);
  process.kill(-session.child.pid!, 'SIGKILL');
  await session.ended;
  await prompt(stage, 'claude', 'Hello.').ended;
  expect(stage.calls.at(-1)?.all).toContain('is still held by another session of Claude Code');
});

it('a session of codex that is suspended goes on with its next prompt', async () => {
  const stage = await hookedStage(
    'codex',
    [...writes('right'), { say: 'Hello.' }],
    projectWith({
      agent: 'codex',
      stuck: 'off',
      gates: { answer: 'sh check.sh', yes: { kind: 'approval' } },
    }),
  );
  const { said } = await prompt(stage, 'codex', `/gate ${task}`).ended;
  expect(await newest(stage)).toMatchObject({ status: 'suspended', code: 'awaiting-approval' });
  // Its end is no end of the suspension.
  expect(heldIn(stage)).toHaveLength(1);
  expect((await stage.agentgate('approve', 'yes')).exit).toBe(0);
  const thread = /"thread_id":"([^"]+)"/.exec(said)?.[1] ?? '';
  const again = commands.codex.filter(
    (word) => word !== '-' && word !== '--sandbox' && word !== 'workspace-write',
  );
  const [program, exec, ...rest] = again;
  await prompt(stage, 'codex', 'And now?', [program!, exec!, 'resume', ...rest, thread, '-']).ended;
  expect(await newest(stage)).toMatchObject({ status: 'converged', iterations: 1 });
  expect(heldIn(stage)).toEqual([]);
});
