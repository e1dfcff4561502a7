/** The environment of a module: where programs, the home and the words of a language are, and no secrets. */
export function moduleEnvironment(base: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(base).filter(([name]) => isHarmless(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

// Names of what is let in, because nobody can list every name that holds a secret. NODE_OPTIONS is not among them:
// it could load other people's code, and lift the limit on memory.
const isHarmless = (name: string): boolean => names.has(name) || name.startsWith('LC_');

const names = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TERM',
  'NO_COLOR',
  'CI',
]);
