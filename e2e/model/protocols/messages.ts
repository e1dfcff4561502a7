import type { Answer, Protocol, StreamEvent } from './protocol.ts';
import { halves, listOf, newestOf, saidIn, textIn } from './protocol.ts';

/** Anthropic's Messages. */
export const messages: Protocol = {
  name: 'messages',
  isFor: (path) => path.endsWith('/messages'),
  read(body) {
    const said = saidIn(body);
    return {
      model: String(body['model']),
      newest: newestOf(said),
      all: [textIn(body['system']), ...said.map((one) => one.text)].join('\n'),
      tools: listOf(body['tools']).map((tool) => ({ name: String(tool['name']) })),
    };
  },
  whole: (answer) => ({ ...head(answer), content: blocksOf(answer), stop_reason: reasonOf(answer) }),
  *stream(answer) {
    const { usage, ...message } = head(answer);
    yield* told({
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    });
    for (const [index, block] of blocksOf(answer).entries()) {
      const empty = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
      yield* told({ type: 'content_block_start', index, content_block: empty });
      const parts = block.type === 'text' ? halves(block.text) : halves(JSON.stringify(block.input));
      for (const part of parts) {
        const delta =
          block.type === 'text'
            ? { type: 'text_delta', text: part }
            : { type: 'input_json_delta', partial_json: part };
        yield* told({ type: 'content_block_delta', index, delta });
      }
      yield* told({ type: 'content_block_stop', index });
    }
    yield* told({
      type: 'message_delta',
      delta: { stop_reason: reasonOf(answer), stop_sequence: null },
      usage,
    });
    yield* told({ type: 'message_stop' });
  },
  failure: ({ type = 'api_error', message }) => ({ type: 'error', error: { type, message } }),
};

function* told(data: { type: string } & Record<string, unknown>): Iterable<StreamEvent> {
  yield { event: data.type, data };
}

const reasonOf = ({ deeds }: Answer): string => (deeds.length > 0 ? 'tool_use' : 'end_turn');

function head({ id, model, tokens }: Answer) {
  const usage = {
    input_tokens: tokens.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens.cached,
    output_tokens: tokens.output,
  };
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null, usage };
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

function blocksOf({ say, deeds }: Answer): Block[] {
  return [
    ...(say === '' ? [] : [{ type: 'text' as const, text: say }]),
    ...deeds.map(({ id, name, input }) => ({ type: 'tool_use' as const, id: `toolu_${id}`, name, input })),
  ];
}
