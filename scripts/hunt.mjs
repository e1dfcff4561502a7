/**
 * The first seed whose world shows a planted bug. A world that breaks something without the bug shows nothing of it,
 * so it does not count and is told apart.
 */
export async function hunt({ planted, clean, seeds }) {
  const unclean = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const first = await violationIn(planted, seed);
    if (!first) continue;
    if (await violationIn(clean, seed)) unclean.push(seed);
    else return { seed, id: first.id, text: first.text.split('\n')[0].slice(0, 100), unclean };
  }
  return { seed: null, unclean };
}

const violationIn = async ({ drawPlan, simulate }, seed) => (await simulate(drawPlan(seed))).violations[0];
