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

export const AgentGate = async ({ client, directory }) => {
  const tell = (name, session_id, more = {}) =>
    ask({ hook_event_name: name, session_id, cwd: directory, ...more });
  const lastOf = async (id) => {
    const { data = [] } = await client.session.messages({ path: { id } }).catch(() => ({}));
    return data.findLast(({ info }) => info.role === 'assistant');
  };
  return {
    'chat.message': async ({ sessionID }, { parts }) => {
      const words = parts.find(({ type }) => type === 'text');
      if (!words) return;
      const answer = await tell('UserPromptSubmit', sessionID, { prompt: words.text });
      const more = answer?.hookSpecificOutput?.additionalContext;
      if (more) words.text += \`\\n\\n\${more}\`;
    },
    event: async ({ event }) => {
      if (event.type === 'session.deleted') await tell('SessionEnd', event.properties.info.id);
      if (event.type !== 'session.idle') return;
      const id = event.properties.sessionID;
      const last = await lastOf(id);
      // A person broke it off, or its model failed: that is no stop.
      if (!last || last.info.error) return;
      const words = last.parts.filter(({ type }) => type === 'text').map(({ text }) => text).join('\\n');
      const answer = await tell('Stop', id, { last_assistant_message: words, stop_id: last.info.id });
      if (answer?.decision !== 'block') return;
      await client.session.promptAsync({
        path: { id },
        body: { parts: [{ type: 'text', text: answer.reason }] },
      });
    },
  };
};
`;
