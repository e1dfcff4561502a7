const lists = new Set(['--train', '--test']);

/**
 * `--train a b c` is as good as `--train a --train b --train c`: what a shell makes of `--train traces/*`. So is
 * `--train=a b c`; a file behind `--test=` that was learned from instead of judged would mislead without a word.
 */
export function spreadLists(words: readonly string[]): readonly string[] {
  if (words[0] !== 'lab') return words;
  let list: string | null = null;
  let isFirst = false;
  return words.flatMap((word) => {
    if (word.startsWith('-')) {
      const [flag = ''] = word.split('=', 1);
      list = lists.has(flag) ? flag : null;
      isFirst = flag === word;
      return [word];
    }
    if (list === null || isFirst) {
      isFirst = false;
      return [word];
    }
    return [list, word];
  });
}
