export { cutEnd, cutStart } from './cut.ts';
export { makeRedactor, ownRedactor, redact, redactAll, type Redactor } from './redact.ts';
export { RedactedStream } from './stream.ts';
