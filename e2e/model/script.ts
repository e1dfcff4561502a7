/** One thing that the scripted model lets the agent do. */
export type Act =
  | { write: string; text: string }
  | { shell: string }
  /** A tool by the name that the agent gave it. */
  | { tool: string; input: Record<string, unknown>; namespace?: string };

/** One answer of the scripted model. */
export interface Turn {
  say?: string;
  do?: readonly Act[];
  /** Tokens that went in without any cache, came out of one, and were said. */
  tokens?: { input?: number; cached?: number; output?: number };
  /** An error of the service in the place of an answer. */
  fail?: {
    status: number;
    type?: string;
    message: string;
    retryAfter?: number;
    headers?: Record<string, string>;
  };
  /** Headers that come with a good answer. */
  headers?: Record<string, string>;
  /** Answers only after so long, or never. */
  afterMs?: number | 'never';
  /** Answers only when somebody lets it. */
  until?: Promise<unknown>;
  /** Breaks the connection in the middle of the answer. */
  cut?: true;
}

/** What the model was asked. */
export interface Call {
  protocol: string;
  /** Counted from 0; calls that offer no tools are not counted. */
  number: number;
  model: string;
  /** Everything that came since the model spoke last. */
  newest: string;
  /** All of the conversation, instructions included. */
  all: string;
  tools: readonly Tool[];
}

export interface Tool {
  name: string;
  namespace?: string;
  /** A tool that takes plain text. */
  isPlain?: boolean;
}

/** Answers by the number of the call, or by what was asked. */
export type Script = readonly Turn[] | ((call: Call) => Turn);

/** What a model says that has nothing left to do. */
const over: Turn = { say: 'There is nothing left for me to do.' };

export const turnFor = (script: Script, call: Call): Turn =>
  typeof script === 'function' ? script(call) : (script[call.number] ?? over);
