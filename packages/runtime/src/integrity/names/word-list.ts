const braces = /\{([^{}]*)\}/;

/** The words of a text, with `{a,b}` standing for either. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean).flatMap(spread);
}

function spread(word: string): string[] {
  const found = braces.exec(word);
  if (found === null) return [word];
  return (found[1] ?? '').split(',').flatMap((part) => spread(word.replace(braces, part)));
}
