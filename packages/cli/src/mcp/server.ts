import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { Checks } from './checks.ts';
import { whereAmI, type Words } from './where.ts';
import { budgetText, gatesText } from './words.ts';

interface Around {
  cwd: string;
  env: NodeJS.ProcessEnv;
  version: string;
}

/** Nothing here touches the world outside of our own records, and nothing changes a gate, a limit or a verdict. */
const harmless = { destructiveHint: false, openWorldHint: false, idempotentHint: true } as const;
const reading = { ...harmless, readOnlyHint: true } as const;
/** Gates run what the agent wrote, with all that it may do to the world. */
const running = {
  readOnlyHint: false,
  destructiveHint: true,
  openWorldHint: true,
  idempotentHint: true,
} as const;
const saying = { ...harmless, readOnlyHint: false } as const;

const nonce = z
  .string()
  .optional()
  .describe('in a session that is held: the word behind "agentgate:give-up" in your instructions');

/** Serves an agent until it closes the line. */
export function serveAgent(around: Around): Promise<void> {
  const checks = new Checks();
  return new Promise((done) => {
    serveStdio(() => toolsFor(around, checks));
    process.stdin.on('close', () => {
      checks.close();
      done();
    });
  });
}

function toolsFor({ cwd, env, version }: Around, checks: Checks): McpServer {
  const server = new McpServer(
    { name: 'agentgate', version },
    {
      capabilities: { tools: {} },
      instructions:
        'AgentGate judges your work by its gates when you stop. See them with gates, try them with check, and end honestly: claim when it is done, give_up when it cannot be done, ask_approval when a person must decide. Nothing here changes a gate, a limit or a verdict.',
    },
  );
  const here = () => whereAmI(cwd, env);
  const said = async (words: Words, word: string | undefined, then: string) => {
    const problem = (await here()).leave(words, word);
    return problem === null ? told(then) : { ...told(problem), isError: true };
  };
  server.registerTool(
    'gates',
    {
      title: 'Gates and their findings',
      description: 'The gates that judge this work, how each was judged last, and what fails.',
      annotations: reading,
    },
    async () => told(gatesText(await here())),
  );
  server.registerTool(
    'check',
    {
      title: 'Judge the gates now',
      description:
        'Runs the gates on the files as they are and tells what fails. Costs no iteration and decides nothing.',
      inputSchema: z.object({ gate: z.string().optional().describe('only this gate') }),
      annotations: running,
    },
    async ({ gate }) => told(await checks.check(await here(), gate)),
  );
  server.registerTool(
    'budget',
    {
      title: 'Budget of the run',
      description: 'What the run has used of its iterations, time, tokens and money.',
      annotations: reading,
    },
    async () => told(budgetText(await here())),
  );
  server.registerTool(
    'claim',
    {
      title: 'Claim completion',
      description:
        'Says that the task is done, with what proves it. The gates confirm or refute it when you stop; a refuted claim is recorded as a false one.',
      inputSchema: z.object({
        evidence: z
          .string()
          .min(1)
          .describe('what shows that it is done: commands you ran and what they said'),
        nonce,
      }),
      annotations: saying,
    },
    ({ evidence, nonce: word }) =>
      said({ claim: evidence }, word, 'Recorded. Now stop: the gates judge the claim.'),
  );
  server.registerTool(
    'give_up',
    {
      title: 'Give up honestly',
      description:
        'Ends the run as not done, with the reason: the task contradicts itself, or needs what you do not have. Never held against you; a false claim is.',
      inputSchema: z.object({ reason: z.string().min(1).describe('why it cannot be done as asked'), nonce }),
      annotations: saying,
    },
    ({ reason, nonce: word }) =>
      said({ giveUp: reason }, word, 'Recorded. Now stop: the run ends, and a person reads your reason.'),
  );
  server.registerTool(
    'ask_approval',
    {
      title: 'Ask a person',
      description:
        'Asks a person to decide, where you must not: a protected file, a change of the task, something that cannot be undone. The run waits without cost until they answer.',
      inputSchema: z.object({
        question: z.string().min(1).describe('what they should decide, and why'),
        nonce,
      }),
      annotations: saying,
    },
    ({ question, nonce: word }) =>
      said(
        { ask: question },
        word,
        'Recorded. Now stop: the run waits for a person, and goes on with their answer.',
      ),
  );
  return server;
}

const told = (text: string) => ({ content: [{ type: 'text' as const, text }] });
