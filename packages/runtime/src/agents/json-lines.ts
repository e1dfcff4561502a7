/** No event of an agent is longer; a longer one is passed over. */
const mostCharacters = 16 * 1024 * 1024;
const keptText = 4_096;

type Event = Record<string, unknown>;

/** Takes a stream apart into its events, one JSON object a line; the last of everything else is kept as text. */
export class JsonLines {
  readonly #tell: (event: Event) => void;
  #rest = '';
  #isTooLong = false;
  #text = '';

  constructor(tell: (event: Event) => void) {
    this.#tell = tell;
  }

  take(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop() ?? '';
    for (const line of parts) this.#line(line);
    if (this.#rest.length <= mostCharacters) return;
    this.#rest = '';
    this.#isTooLong = true;
  }

  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
  }

  /** The last of what was no event: banners, warnings, the reason why it never began. */
  otherText(): string {
    return this.#text;
  }

  #line(line: string): void {
    if (this.#isTooLong) {
      this.#isTooLong = false;
      return;
    }
    const event = eventIn(line);
    if (event) this.#tell(event);
    else if (line.trim() !== '') this.#text = `${this.#text}${line}\n`.slice(-keptText);
  }
}

function eventIn(line: string): Event | null {
  if (!/^\s*\{/.test(line)) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Event) : null;
  } catch {
    // Half a line of a program that was killed, or text that only looks like an event.
    return null;
  }
}
