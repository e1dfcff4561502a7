import type { Answer, Protocol } from './protocol.ts';
import { halves, listOf, newestOf, textIn } from './protocol.ts';

/** Google's Generate Content. */
export const gemini: Protocol = {
  name: 'gemini',
  isFor: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  read(body, path) {
    const said = listOf(body['contents']).map((one) => ({
      byModel: one['role'] === 'model',
      text: textIn(one['parts']),
    }));
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      newest: newestOf(said),
      all: [textIn(body['systemInstruction']), ...said.map((one) => one.text)].join('\n'),
      tools: listOf(body['tools'])
        .flatMap((tool) => listOf(tool['functionDeclarations']))
        .map((one) => ({ name: String(one['name']) })),
    };
  },
  whole: (answer) => part(answer, [...saidOf(answer.say), ...callsOf(answer)], true),
  *stream(answer) {
    const calls = callsOf(answer);
    const texts = answer.say === '' ? [] : halves(answer.say);
    for (const [at, text] of texts.entries())
      yield { data: part(answer, [{ text }], calls.length === 0 && at === texts.length - 1) };
    if (calls.length > 0 || texts.length === 0)
      yield { data: part(answer, calls.length > 0 ? calls : [{ text: '' }], true) };
  },
  failure: ({ status, type = 'INTERNAL', message }) => ({ error: { code: status, message, status: type } }),
};

const saidOf = (text: string) => (text === '' ? [] : [{ text }]);
const callsOf = ({ deeds }: Answer) =>
  deeds.map(({ id, name, input }) => ({
    functionCall: { id: `call_${id}`, name, args: input },
    thoughtSignature: 'c2NyaXB0',
  }));

function part(
  { id, model, tokens: { input, cached, output } }: Answer,
  parts: readonly object[],
  isLast: boolean,
) {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}) },
    ],
    usageMetadata: {
      promptTokenCount: input + cached,
      candidatesTokenCount: output,
      totalTokenCount: input + cached + output,
      cachedContentTokenCount: cached,
    },
    modelVersion: model,
    responseId: id,
  };
}
