import { createHash } from 'node:crypto';

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** A text's name is the hash of its content. */
export const refOf = (text: string | Uint8Array): string => sha256(text).slice(0, 40);
