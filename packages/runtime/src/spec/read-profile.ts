import { ProfileReader, type Profile, namesOf } from './profiles.ts';
import { type LocatedProblem, readSource } from './source.ts';
import { type LocatedNote, makeStack } from './stack.ts';

/** A profile with everything it extends, or what is wrong with it. */
export type ReadProfile =
  | {
      kind: 'read';
      /** The values, in the form of a spec. */
      value: unknown;
      /** The files they come from, the weakest first. */
      sources: string[];
      notes: LocatedNote[];
      /** Where the value at this path is said. */
      whereOf(path: readonly (string | number)[]): string;
    }
  | { kind: 'invalid'; problems: LocatedProblem[] };

/** The resolved values of a profile. */
export async function readProfile(root: string, name: string, env?: NodeJS.ProcessEnv): Promise<ReadProfile> {
  const reader = new ProfileReader(root, env);
  const sources = await reader.read(name, { where: 'profiles', chain: [] });
  const shapeless = sources.filter(({ value, problems }) => problems.length === 0 && !isGroup(value));
  const problems = [
    ...reader.problems,
    ...shapeless.map((one) => ({ where: one.where([]), path: '', message: 'expected options of a spec' })),
  ];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const stack = makeStack(sources);
  if (stack.problems.length > 0) return { kind: 'invalid', problems: stack.problems };
  const { value, notes, whereOf } = stack;
  return { kind: 'read', value, notes, sources: sources.map(({ label }) => label), whereOf };
}

/** What a profile says it extends; nothing when it cannot be read. */
export async function extendedBy(root: string, profile: Profile): Promise<string[]> {
  const { value } = await readSource(root, profile.path);
  return namesOf(value) ?? [];
}

const isGroup = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
