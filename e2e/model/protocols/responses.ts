import type { Deed } from '../deeds.ts';
import type { Tool } from '../script.ts';
import type { Answer, Protocol } from './protocol.ts';
import { halves, isLoose, listOf, newestOf, textIn } from './protocol.ts';

/** OpenAI's Responses. */
export const responses: Protocol = {
  name: 'responses',
  isFor: (path) => path.endsWith('/responses'),
  read(body) {
    const items = typeof body['input'] === 'string' ? [{ content: body['input'] }] : listOf(body['input']);
    const said = items.map((item) => ({
      byModel:
        item['role'] === 'assistant' ||
        ['function_call', 'custom_tool_call', 'reasoning'].includes(String(item['type'])),
      text: textIn(item),
    }));
    return {
      model: String(body['model']),
      newest: newestOf(said),
      all: [textIn(body['instructions']), ...said.map((one) => one.text)].join('\n'),
      // Newer models are told of their tools in the conversation.
      tools: [body, ...items].flatMap((one) => toolsIn(isLoose(one) ? one['tools'] : [])),
    };
  },
  whole: (answer) => finished(answer),
  *stream(answer) {
    let sequence_number = 0;
    const told = (type: string, more: object) => ({
      event: type,
      data: { type, sequence_number: sequence_number++, ...more },
    });
    const begun = { ...finished(answer), status: 'in_progress', output: [], usage: null };
    yield told('response.created', { response: begun });
    for (const [output_index, item] of itemsOf(answer).entries()) {
      yield told('response.output_item.added', {
        output_index,
        item: { ...item, ...(item.type === 'message' ? { content: [] } : {}), status: 'in_progress' },
      });
      if (item.type === 'message') {
        const at = { item_id: item.id, output_index, content_index: 0 };
        yield told('response.content_part.added', {
          ...at,
          part: { type: 'output_text', text: '', annotations: [] },
        });
        for (const delta of halves(answer.say)) yield told('response.output_text.delta', { ...at, delta });
        yield told('response.output_text.done', { ...at, text: answer.say });
      }
      yield told('response.output_item.done', { output_index, item });
    }
    yield told('response.completed', { response: finished(answer) });
  },
  failure: ({ type = 'server_error', message }) => ({ error: { message, type, code: type } }),
};

function toolsIn(value: unknown, namespace?: string): Tool[] {
  return listOf(value).flatMap((tool) =>
    tool['type'] === 'namespace'
      ? toolsIn(tool['tools'], String(tool['name']))
      : [
          {
            name: String(tool['name'] ?? tool['type']),
            ...(namespace ? { namespace } : {}),
            isPlain: tool['type'] === 'custom',
          },
        ],
  );
}

function finished(answer: Answer) {
  const { input, cached, output } = answer.tokens;
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: answer.model,
    status: 'completed',
    error: null,
    output: itemsOf(answer),
    usage: {
      input_tokens: input + cached,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + cached + output,
    },
  };
}

function itemsOf({ id, say, deeds }: Answer) {
  const content = [{ type: 'output_text', text: say, annotations: [] }];
  return [
    ...(say === ''
      ? []
      : [{ type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }]),
    ...deeds.map(itemOf),
  ];
}

function itemOf({ id, name, namespace, input, plain }: Deed) {
  const call = { call_id: `call_${id}`, name, status: 'completed' };
  if (plain !== undefined) return { type: 'custom_tool_call', id: `ctc_${id}`, ...call, input: plain };
  return {
    type: 'function_call',
    id: `fc_${id}`,
    ...call,
    ...(namespace ? { namespace } : {}),
    arguments: JSON.stringify(input),
  };
}
