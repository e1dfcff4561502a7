import { parse } from 'yaml';

export type Group = Record<string, unknown>;

/** A YAML file as a group; empty when it is none. */
export function readYaml(text: string): Group {
  try {
    // Tags of one system's own, such as !reference, are no mistake of the file.
    return groupOf(parse(text, { logLevel: 'silent', maxAliasCount: 1_000, merge: true }));
  } catch {
    // A workflow that cannot be read runs nothing, there or here.
    return {};
  }
}

export const groupOf = (value: unknown): Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Group) : {};

/** A name from somebody's file as part of a sentence of ours. */
export const sayPlainly = (name: string): string =>
  name
    .replaceAll(/[^\w .:/@+-]+/g, ' ')
    .trim()
    .slice(0, 60);
