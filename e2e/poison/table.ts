/** One poisoned strategy, and what asking it once must bring. */
export interface Poison {
  /** The file in `fixtures`, without its ending. */
  name: string;
  /** The code of the failed answer, or `advice` where the answer is as good as any other. */
  asked: 'advice' | `module.${string}`;
  /** What the answer says. */
  says?: string;
}

export const poisons: readonly Poison[] = [
  { name: 'throws-at-import', asked: 'module.import', says: 'poison at import (at throws-at-import.mjs:1' },
  {
    name: 'throws-in-decide',
    asked: 'module.threw',
    says: 'RangeError: poison in decide (at throws-in-decide.mjs:2',
  },
  { name: 'hangs', asked: 'module.timeout', says: 'did not answer within' },
  { name: 'never-resolves', asked: 'module.timeout' },
  { name: 'never-loads', asked: 'module.timeout', says: 'while it was loaded' },
  { name: 'loops', asked: 'module.timeout' },
  { name: 'loops-at-import', asked: 'module.timeout', says: 'while it was loaded' },
  { name: 'eats-heap', asked: 'module.memory', says: 'raise strategy.memoryMb' },
  { name: 'eats-buffers', asked: 'module.memory' },
  { name: 'exits', asked: 'module.exited', says: 'ended its process with code 0' },
  { name: 'exits-at-import', asked: 'module.exited', says: 'while it was loaded' },
  { name: 'aborts', asked: 'module.exited', says: 'SIGABRT' },
  { name: 'kills-itself', asked: 'module.exited', says: 'SIGKILL' },
  { name: 'stops-itself', asked: 'module.timeout' },
  { name: 'kills-its-parent', asked: 'module.exited' },
  { name: 'kills-its-group', asked: 'module.exited' },
  { name: 'pollutes-prototypes', asked: 'advice' },
  { name: 'pollutes-json', asked: 'module.garbage' },
  { name: 'pollutes-by-key', asked: 'advice' },
  { name: 'returns-garbage', asked: 'module.garbage', says: 'answered the text "converged"' },
  { name: 'returns-nothing', asked: 'module.garbage', says: 'answered nothing' },
  { name: 'returns-a-trap', asked: 'module.garbage', says: 'trapped' },
  { name: 'returns-a-proxy', asked: 'module.garbage', says: 'no continue' },
  { name: 'returns-converged', asked: 'advice', says: 'converged: all gates passed' },
  { name: 'returns-status-alone', asked: 'module.garbage', says: 'continue is nothing' },
  { name: 'huge-answer', asked: 'module.garbage', says: 'characters' },
  { name: 'deep-answer', asked: 'module.garbage', says: 'nests deeper' },
  { name: 'circular-answer', asked: 'module.garbage', says: 'cannot be read' },
  { name: 'floods-stdout', asked: 'module.timeout' },
  { name: 'lingers', asked: 'advice' },
  { name: 'rejects-with-undefined', asked: 'module.threw', says: 'undefined' },
  { name: 'throws-later', asked: 'module.threw', says: 'poison later' },
  { name: 'closes-descriptors', asked: 'module.exited' },
  { name: 'forges-answers', asked: 'module.timeout' },
  { name: 'refuses-to-end', asked: 'advice' },
  { name: 'hangs-at-the-end', asked: 'advice' },
  {
    name: 'imports-missing',
    asked: 'module.import',
    says: "Cannot find package 'a-package-that-is-not-there'",
  },
  { name: 'exports-nothing', asked: 'module.export', says: 'found: nothing' },
  { name: 'wrong-interface', asked: 'module.interface', says: 'found: start, next' },
  { name: 'refuses-config', asked: 'module.config', says: 'config.patience must be a number' },
  { name: 'huge-state', asked: 'advice' },
  { name: 'changes-workspace', asked: 'advice' },
];
