import { type Fault, fault } from '@agentgate/core';
import { safeText } from '../process/index.ts';
import type { Failure } from './protocol.ts';

/** Whose module it is, for messages. */
export interface Subject {
  /** Such as `strategy strategies/mine.mjs`. */
  name: string;
  /** Where it is set in the spec, such as `strategy` or `gates.style`. */
  option: string;
  /** The option that names what the module exports. */
  exported: string;
  /** What an answer looks like. */
  answer: string;
}

export const strategySubject = (module: string): Subject => ({
  name: `strategy ${module}`,
  option: 'strategy',
  exported: 'strategy.name',
  answer: '{continue: true or false, reason: a text}',
});

export const gateSubject = (gate: string, module: string): Subject => ({
  name: `gate ${gate} (${module})`,
  option: `gates.${gate}`,
  exported: `gates.${gate}.export`,
  answer: '{passed: true} or {passed: false, findings: [{id, title}]}',
});

/** Says what went wrong with a module, where, and what to do next. */
export function moduleFault(subject: Subject, failure: Failure): Fault {
  const { code } = failure;
  const detail = safeText(failure.detail).replaceAll('\n', ' ').slice(0, 500);
  const where = failure.where === undefined ? '' : ` (at ${safeText(failure.where).slice(0, 200)})`;
  return fault(`module.${code}`, sentence(subject, code, `${detail}${where}`));
}

function sentence(
  { name, option, exported, answer }: Subject,
  code: Failure['code'],
  detail: string,
): string {
  switch (code) {
    case 'missing':
      return `${name}: ${detail}; correct ${option}.module`;
    case 'outside':
      return `${name}: ${detail}; move it into the project, and name it in ${option}.module`;
    case 'export':
      return `${name}: ${detail}; name what it exports in ${exported}, or export it`;
    case 'interface':
      return `${name}: ${detail}; docs/custom.md shows what it needs`;
    case 'config':
      return `${name} refuses its config: ${detail}; correct ${option}.config`;
    case 'import':
      return `${name} cannot be loaded: ${detail}; correct the module, or install what it imports`;
    case 'threw':
      return `${name} threw: ${detail}; correct the module`;
    case 'timeout':
      return `${name} ${detail}; make it quicker, or raise ${option}.timeout`;
    case 'memory':
      return `${name} ${detail}; let it keep less, or raise ${option}.memoryMb`;
    case 'exited':
      return `${name} ${detail}; it must answer and leave its process alone`;
    case 'garbage':
      return `${name} ${detail}; it must answer ${answer}`;
    case 'unable':
      return `${name} ${detail}`;
  }
}
