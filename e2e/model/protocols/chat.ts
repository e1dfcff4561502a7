import type { Answer, Protocol } from './protocol.ts';
import { halves, isLoose, listOf, newestOf, saidIn } from './protocol.ts';

/** OpenAI's Chat Completions, which many services speak. */
export const chat: Protocol = {
  name: 'chat',
  isFor: (path) => path.endsWith('/chat/completions'),
  read(body) {
    const said = saidIn(body);
    return {
      model: String(body['model']),
      newest: newestOf(said),
      all: said.map((one) => one.text).join('\n'),
      tools: listOf(body['tools']).map(({ function: made }) => ({
        name: isLoose(made) ? String(made['name']) : '',
      })),
    };
  },
  whole: (answer) => ({
    ...head(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.say, ...callsOf(answer) },
        finish_reason: reasonOf(answer),
      },
    ],
    usage: usageOf(answer),
  }),
  *stream(answer) {
    const part = (delta: object, finish_reason: string | null = null) => ({
      data: { ...head(answer, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason }] },
    });
    yield part({ role: 'assistant', content: '' });
    for (const content of halves(answer.say)) yield part({ content });
    if (answer.deeds.length > 0) yield part(callsOf(answer));
    yield part({}, reasonOf(answer));
    yield { data: { ...head(answer, 'chat.completion.chunk'), choices: [], usage: usageOf(answer) } };
    yield { data: '[DONE]' };
  },
  failure: ({ type = 'server_error', message }) => ({ error: { message, type, code: type } }),
};

const reasonOf = ({ deeds }: Answer): string => (deeds.length > 0 ? 'tool_calls' : 'stop');
const head = ({ id, model }: Answer, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: 1_700_000_000,
  model,
});

function callsOf({ deeds }: Answer) {
  if (deeds.length === 0) return {};
  const calls = deeds.map(({ id, name, input }, index) => ({
    index,
    id: `call_${id}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { tool_calls: calls };
}

function usageOf({ tokens: { input, cached, output } }: Answer) {
  return {
    prompt_tokens: input + cached,
    completion_tokens: output,
    total_tokens: input + cached + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
