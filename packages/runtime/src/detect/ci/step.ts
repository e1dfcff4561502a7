/** One shell command that continuous integration runs. */
export interface CiStep {
  command: string;
  /** The workflow's file and the job in it. */
  file: string;
  job: string;
  /** Its failure does not fail the job. */
  mayFail: boolean;
}

/** A block of shell text in a job, with the directory it runs in. */
export interface CiBlock extends Omit<CiStep, 'command'> {
  text: string;
  dir: string;
}

/**
 * The commands of a block that mean the same on any machine. A block that moves about, sets variables or branches
 * is one program, so nothing is taken out of it.
 */
export function stepsOf({ text, dir, ...place }: CiBlock): CiStep[] {
  const lines = text.split('\n').map((line) => line.trim());
  const commands = lines.filter((line) => line !== '' && !line.startsWith('#') && !/^set [-+]\w+/.test(line));
  if (commands.some((line) => isProgram.test(line))) return [];
  return commands
    .flatMap((line) => line.split(/\s+&&\s+/))
    .filter(isSimple)
    .map((command) => ({ ...place, command: dir === '' ? command : `cd ${dir} && ${command}` }));
}

const isProgram = /^(cd|pushd|export|source|\.|if|for|while|case|function|trap|exit)\b|\\$|<</;

/** Letters, flags, paths and quotes; nothing that is expanded, piped or redirected. */
const isSimple = (command: string): boolean =>
  /^[\w ./:@=,+*'"-]+$/.test(command) && command.length <= 200 && balanced(command);

const balanced = (text: string): boolean =>
  [`'`, `"`].every((quote) => (text.split(quote).length - 1) % 2 === 0);

/** Only a plain path inside the project can be gone into. */
export function plainDir(value: unknown): string | null {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return null;
  const dir = value.replace(/^\.\//, '').replace(/\/$/, '');
  if (dir === '' || dir === '.') return '';
  return /^[\w-][\w./-]*$/.test(dir) && !dir.split('/').includes('..') ? dir : null;
}
