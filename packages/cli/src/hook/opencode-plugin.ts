/** A server that refuses once is asked again. */
const goOnPausesMs = [200, 1_000];

/**
 * opencode has no hooks that could hold a stop, but plugins: this one asks us at every prompt and whenever a session
 * falls idle, and gives the findings as the next prompt. Its server and its own screen run it; `opencode run` ends
 * before the answer is there.
 */
export const opencodePlugin = (
  argv: readonly string[],
): string => `// Written by agentgate hook install, and taken away by agentgate hook uninstall.
import { spawn } from 'node:child_process';

const [program, ...args] = ${JSON.stringify([...argv, '--host', 'opencode'])};

const ask = (call) =>
  new Promise((done) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    let said = '';
    child.stdout.on('data', (text) => (said += text));
    child.stdin.on('error', () => undefined);
    // Whatever goes wrong, the session goes on.
    child.on('error', () => done(null));
    child.on('close', () => {
      try {
        done(said === '' ? null : JSON.parse(said));
      } catch {
        done(null);
      }
    });
    child.stdin.end(JSON.stringify(call));
  });

// Some refuse by throwing, some by what they return.
const tried = async (deed) => {
  try {
    return (await deed())?.error ?? null;
  } catch (error) {
    return error;
  }
};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export const AgentGate = async ({ client, directory }) => {
  const tell = (name, session_id, more = {}) =>
    ask({ hook_event_name: name, session_id, cwd: directory, ...more });
  // Its own screen shows it; its log keeps it where there is none.
  const show = async (message, variant = 'info') => {
    if (!message) return;
    const level = variant === 'error' ? 'error' : 'info';
    await tried(() => client.app.log({ body: { service: 'agentgate', level, message } }));
    await tried(() => client.tui.showToast({ body: { title: 'AgentGate', message, variant, duration: 20_000 } }));
  };
  const lastOf = async (id) => {
    const { data = [] } = await client.session.messages({ path: { id } }).catch(() => ({}));
    return data.findLast(({ info }) => info.role === 'assistant');
  };
  const begun = new Set();
  const subagents = new Set();
  // What was left unfinished here comes before the first words; a subagent is nobody to be told.
  const begin = async (id) => {
    if (begun.has(id)) return null;
    begun.add(id);
    const { data } = await client.session.get({ path: { id } }).catch(() => ({}));
    if (!data?.parentID) return tell('SessionStart', id);
    subagents.add(id);
    return null;
  };
  const goOn = async (id, text) => {
    const body = { parts: [{ type: 'text', text }] };
    let error;
    for (const ms of [0, ${goOnPausesMs.join(', ')}]) {
      await pause(ms);
      error = await tried(() => client.session.promptAsync({ path: { id }, body }));
      if (!error) return;
    }
    // Nobody works on: the run is left open, and whoever comes next is told.
    await tell('SessionEnd', id);
    await show(
      \`NOT converged, and no longer held: opencode did not take what is missing (\${error?.message ?? JSON.stringify(error)}). agentgate status tells how to go on.\`,
      'error',
    );
  };
  return {
    'chat.message': async ({ sessionID }, { parts }) => {
      const words = parts.find(({ type }) => type === 'text');
      if (!words) return;
      const start = await begin(sessionID);
      // Its words are no person's prompt: what is armed is not for it.
      if (subagents.has(sessionID)) return;
      const answer = await tell('UserPromptSubmit', sessionID, { prompt: words.text });
      for (const one of [start, answer]) {
        await show(one?.systemMessage);
        const more = one?.hookSpecificOutput?.additionalContext;
        if (more) words.text += \`\\n\\n\${more}\`;
      }
    },
    event: async ({ event }) => {
      if (event.type === 'session.deleted') await tell('SessionEnd', event.properties.info.id);
      if (event.type !== 'session.idle') return;
      const id = event.properties.sessionID;
      if (subagents.has(id)) return;
      const last = await lastOf(id);
      // A person broke it off, or its model failed: that is no stop.
      if (!last || last.info.error) return;
      const words = last.parts.filter(({ type }) => type === 'text').map(({ text }) => text).join('\\n');
      const answer = await tell('Stop', id, { last_assistant_message: words, stop_id: last.info.id });
      await show(answer?.systemMessage);
      if (answer?.decision === 'block') await goOn(id, answer.reason);
    },
  };
};
`;
