import { anatomyOf, substanceOf } from '@agentgate/core';

/**
 * Whether two texts differ only in comments, indentation and empty lines. Line breaks count, because in some
 * languages they end a statement, and so do comments that a tool takes for a command.
 */
export function isCosmetic(path: string, before: string, after: string): boolean {
  if (substanceOf(path, before) !== substanceOf(path, after)) return false;
  const [a, b] = [anatomyOf(path, before), anatomyOf(path, after)];
  return bare(a.spoken) === bare(b.spoken) && commands(a.comments) === commands(b.comments);
}

const bare = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter(Boolean)
    .join('\n');

/** Comments in which something speaks to a tool: a mark, a colon after a word, a word that switches something. */
const command =
  /@[a-z]|\b(?:eslint|oxlint|biome|prettier|jest|vitest|istanbul|c8|v8|ts|go|type|noqa|pragma|pylint|pyright|mypy|ruff|nolint|rubocop|phpcs|phpstan|shellcheck|webpack|vite|sourceMappingURL|fmt|isort|coding|env|global|globals|jshint|flow|build)\b\s*[:\-= ]|\b(?:ignore|disable|enable|skip|only)\b|^#!|^#\[/i;

const commands = (comments: readonly { text: string }[]): string =>
  comments
    .map(({ text }) => text.trim())
    .filter((text) => command.test(text))
    .join('\n');
