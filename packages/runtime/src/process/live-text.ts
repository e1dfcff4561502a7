import { ownRedactor, RedactedStream, type Redactor } from '../redact/index.ts';
import { cleanText } from './clean-text.ts';

/** Nobody reads faster than this; more is passed over, so that a flood costs next to nothing. */
const windowMs = 250;
const charsPerWindow = 256 * 1024;
const lastWords = 8 * 1024;

/** Passes live output on, line by line, without control sequences and secrets. */
export class LiveText {
  readonly #stream: RedactedStream;
  readonly #tell: (text: string) => void;
  #since = 0;
  #used = 0;
  #passedOver = '';

  constructor(tell: (text: string) => void, redactor: Redactor = ownRedactor()) {
    this.#tell = tell;
    this.#stream = new RedactedStream(redactor, cleanText);
  }

  take(chunk: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#since > windowMs) {
      this.#since = nowMs;
      this.#used = 0;
      this.#catchUp();
    }
    this.#used += chunk.length;
    if (this.#used <= charsPerWindow && this.#passedOver === '') return this.#show(this.#stream.take(chunk));
    this.#passedOver = (chunk.length < lastWords ? this.#passedOver + chunk : chunk).slice(-lastWords);
  }

  /** The last words, whole or not. */
  end(): void {
    this.#catchUp();
    this.#show(this.#stream.end());
  }

  #catchUp(): void {
    if (this.#passedOver === '') return;
    this.#stream.skip();
    this.#show(this.#stream.take(this.#passedOver));
    this.#passedOver = '';
  }

  #show(text: string): void {
    if (text !== '') this.#tell(text);
  }
}
