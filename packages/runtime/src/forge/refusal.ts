/** Why a forge gave no answer that can be judged by. */
export type Refusal =
  /** Asked too often; it says when it answers again. */
  | { kind: 'limited'; forMs: number; why: string }
  /** It may work the next time. */
  | { kind: 'trouble'; why: string }
  /** It will not work before a person does something. */
  | { kind: 'denied'; why: string };
