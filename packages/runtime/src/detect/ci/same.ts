/** Scripts of package.json, so that a command can be told from the script that wraps it. */
type Scripts = Record<string, string>;

/**
 * What a command runs in the end, whichever way it is started: `npx vitest`, `npm test` with a script that calls
 * vitest, and `pnpm exec vitest run` are one tool.
 */
export function toolsOf(command: string, scripts: Scripts, depth = 0): string[] {
  return command
    .split(/\s*(?:&&|;|\|\|)\s*/)
    .filter((part) => !/^cd\s/.test(part))
    .flatMap((part) => toolOf(part.trim(), scripts, depth));
}

/** Whether everything that a command runs is run by what is there. */
export function isThere(command: string, there: readonly string[], scripts: Scripts): boolean {
  const known = new Set(there.flatMap((one) => toolsOf(one, scripts)));
  const [first, ...inside] = toolsOf(command, scripts);
  return (
    first === undefined || known.has(first) || (inside.length > 0 && inside.every((one) => known.has(one)))
  );
}

/** Scripts may call scripts; a few steps down every tool is in sight. */
const deepest = 3;

function toolOf(part: string, scripts: Scripts, depth: number): string[] {
  const words = part
    .replace(/^(\w+=\S+\s+)+/, '')
    .replace(starters, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const name = scriptName(words);
  if (name !== null) {
    const body = depth < deepest ? scripts[name] : undefined;
    return [`script ${name}`, ...(body === undefined ? [] : toolsOf(body, scripts, depth + 1))];
  }
  const [program = '', ...rest] = words;
  const tool = program
    .replace(/^.*\//, '')
    .replace(/^gradlew$/, 'gradle')
    .replace(/^mvnw$/, 'mvn');
  if (!manyTools.has(tool)) return [tool];
  return [`${tool} ${rest.find((word) => /^[a-z]/.test(word)) ?? ''}`.trim()];
}

const starters =
  /^(?:npx\s+(?:--?\S+\s+)*|pnpm\s+(?:exec|dlx)\s+|yarn\s+(?:exec|dlx)\s+|bunx\s+|(?:uv|poetry|pipenv|pdm|hatch)\s+run\s+(?:python\d?\s+-m\s+)?|(?:\S*\/)?python[\d.]*\s+-m\s+|bundle\s+exec\s+)/;

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);

function scriptName([program = '', ...rest]: readonly string[]): string | null {
  if (!managers.has(program)) return null;
  const [first = '', second] = rest.filter((word) => !word.startsWith('-'));
  if (first === 'run' || first === 'run-script') return second ?? null;
  if (first === 't' || first === 'test') return program === 'bun' ? null : 'test';
  // yarn and pnpm take the name of a script without `run`.
  return program === 'npm' || first === '' ? null : first;
}

/** Programs whose second word tells what they do. */
const manyTools = new Set(
  'go cargo dotnet deno bun mix make just task gradle mvn ruff biome swift zig stack dart flutter composer rake rails cmake tox nox turbo nx'.split(
    ' ',
  ),
);
