const lists = new Set(['--train', '--test']);

/** `--train a b c` is as good as `--train a --train b --train c`: what a shell makes of `--train traces/*`. */
export function spreadLists(words: readonly string[]): readonly string[] {
  if (words[0] !== 'lab') return words;
  let list: string | null = null;
  let isFirst = false;
  return words.flatMap((word) => {
    if (word.startsWith('-')) {
      list = lists.has(word) ? word : null;
      isFirst = true;
      return [word];
    }
    if (list === null || isFirst) {
      isFirst = false;
      return [word];
    }
    return [list, word];
  });
}
