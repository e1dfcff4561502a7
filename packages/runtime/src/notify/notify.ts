import type { Notify, NotifyRequest, RunSpec } from '@agentgate/core';
import { cleanText } from '../process/index.ts';
import { runNotice } from './command.ts';
import { postNotice } from './webhook.ts';

export type NotifySpec = NonNullable<RunSpec['notify']>;

/** How one way of telling went. */
export type Way = Awaited<ReturnType<Notify>>[number];

/** What a command reads on its input and a webhook in its body. */
export interface Notice extends NotifyRequest {
  kind: 'notice';
  v: 1;
}

/** Tells people by the ways of the spec, side by side. Never throws; without a way it tells nobody. */
export function makeNotify(spec: RunSpec['notify'], root: string): Notify {
  return async (request, signal) => {
    if (!spec?.on.includes(request.about)) return [];
    const notice: Notice = { kind: 'notice', v: 1, ...request, text: harmless(request.text) };
    return Promise.all([
      ...(spec.run === undefined ? [] : [told('command', runNotice(spec, spec.run, root, notice, signal))]),
      ...(spec.webhook === undefined
        ? []
        : [
            told(
              `webhook ${new URL(spec.webhook).host}`,
              postNotice(spec.webhook, spec.timeout, notice, signal),
            ),
          ]),
    ]);
  };
}

/** The words of an agent may stand in the text; a chat must not read a call for a person or a channel in them. */
function harmless(text: string): string {
  return cleanText(text)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/@(?=\w)/g, '@ ');
}

async function told(way: string, sending: Promise<string | null>): Promise<Way> {
  try {
    const problem = await sending;
    return problem === null ? { way, ok: true } : { way, ok: false, detail: problem };
  } catch (error) {
    // Whatever went wrong, the run goes on; the event says that nobody was told.
    return { way, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
