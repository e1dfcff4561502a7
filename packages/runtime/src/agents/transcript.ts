import type { Activity, AgentRequest } from '@agentgate/core';

const keptCharacters = 512 * 1024;
const mostDenied = 1_000;

/** What an agent says and does while it works: its words are its output, the rest is told live. */
export class Transcript {
  readonly #request: Pick<AgentRequest, 'onOutput' | 'onActivity'>;
  readonly denied: { tool: string; what: string }[] = [];
  #text = '';
  #bytes = 0;

  constructor(request: Pick<AgentRequest, 'onOutput' | 'onActivity'>) {
    this.#request = request;
  }

  take(activity: Activity): void {
    if (activity.kind === 'text') {
      this.#bytes += Buffer.byteLength(activity.text);
      this.#text = (this.#text + activity.text).slice(-keptCharacters);
    }
    if (activity.kind === 'denied' && this.denied.length < mostDenied)
      this.denied.push({ tool: activity.tool, what: activity.what });
    this.#request.onActivity?.(activity);
    this.#request.onOutput?.(lineOf(activity));
  }

  result(): { output: string; bytes: number } {
    return { output: this.#text, bytes: this.#bytes };
  }
}

function lineOf(activity: Activity): string {
  switch (activity.kind) {
    case 'text':
      return activity.text;
    case 'tool':
      return `\n▸ ${activity.tool} ${activity.what}\n`;
    case 'denied':
      return `\n⊘ not allowed: ${activity.tool} ${activity.what}\n`;
    case 'retry':
      return `\n↻ ${activity.what}\n`;
  }
}
