// What the rows of `npm run tamper` come to: counts by runner and class, tables of them, and what got worse.

/** Counts by class and runner. Of tricks: how many there are and were accepted; of honest work: false alarms. */
export function figuresOf(rows) {
  const of = (kind) => {
    const mine = rows.filter((row) => row.class === kind);
    const runners = [...new Set(mine.map((row) => row.runner))];
    return Object.fromEntries(
      runners.map((runner) => [
        runner,
        countsOf(
          kind,
          mine.filter((row) => row.runner === runner),
        ),
      ]),
    );
  };
  return { harness: of('harness'), source: of('source'), honest: of('honest'), base: of('base') };
}

function countsOf(kind, rows) {
  const count = (mode) =>
    rows.filter(
      (row) => row.mode === mode && (kind === 'harness' || kind === 'source' ? row.accepted : !row.right),
    ).length;
  const cases = new Set(rows.map((row) => row.id)).size;
  const modes = [...new Set(rows.map((row) => row.mode))];
  return { cases, ...Object.fromEntries(modes.map((mode) => [mode, count(mode)])) };
}

const titles = {
  harness: ['Harness-level tricks', 'accepted'],
  source: ['Source-level tricks', 'accepted'],
  honest: ['Honest diffs', 'false alarms'],
  base: ['Bases and their fixes', 'judged wrongly'],
};
const columns = ['plain', 'guarded', 'strict', 'held-out'];

export function tables(figures) {
  return Object.entries(figures)
    .filter(([, runners]) => Object.keys(runners).length > 0)
    .map(([kind, runners]) => table(kind, runners))
    .join('\n');
}

function table(kind, runners) {
  const [title, word] = titles[kind];
  const used = columns.filter((one) => Object.values(runners).some((counts) => one in counts));
  const all = [...Object.entries(runners), ['all', sum(Object.values(runners))]];
  const lines = all.map(([name, counts]) => [
    name,
    String(counts.cases),
    ...used.map((one) => share(counts, one, name === 'all')),
  ]);
  const head = [`${title}, ${word}`, 'cases', ...used];
  const rows = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...lines];
  return `${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

function share(counts, mode, withRate) {
  if (!(mode in counts)) return '';
  return withRate
    ? `${counts[mode]} (${((100 * counts[mode]) / counts.cases).toFixed(1)} %)`
    : String(counts[mode]);
}

function sum(all) {
  const total = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** Sentences about what is worse than it was; a runner that is missing here is not compared. */
export function worse(now, before, missing) {
  return Object.entries(before).flatMap(([kind, runners]) =>
    Object.entries(runners)
      .filter(([runner]) => !missing.includes(runner))
      .flatMap(([runner, counts]) =>
        compare(`${runner}, ${titles[kind][0].toLowerCase()}`, kind, now[kind]?.[runner] ?? {}, counts),
      ),
  );
}

function compare(name, kind, now, before) {
  const isTrick = kind === 'harness' || kind === 'source';
  return Object.entries(before).flatMap(([column, count]) => {
    const got = now[column] ?? 0;
    // Fewer cases, or tricks that no longer fool a plain loop, make a figure look better than it is.
    const isWorse = column === 'cases' || (isTrick && column === 'plain') ? got < count : got > count;
    return isWorse ? [`${name}: ${column} ${got}, was ${count}`] : [];
  });
}
