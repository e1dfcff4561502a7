import type { GateSpec, NamedGate } from './spec.ts';

type Of<K extends GateSpec['kind']> = Extract<GateSpec, { kind: K }>;
type Item = Of<'checklist'>['items'][number];

const longest = 600;

/** One line that says what a gate wants, for prompts and plans. */
export function describeGate(gate: NamedGate): string {
  const soft = gate.severity === 'soft' ? ' (advice)' : '';
  // A command is told whole, because the agent may want to run it.
  return `${gate.name}${soft}: ${gate.kind === 'command' ? wants(gate) : shorten(wants(gate))}`;
}

function wants(gate: GateSpec): string {
  switch (gate.kind) {
    case 'command':
      return `${code(gate.run)}${gate.expectExit === 0 ? '' : `, expected exit code ${gate.expectExit}`}`;
    case 'artifact':
      return artifactWants(gate);
    case 'levels':
      return levelWants(gate).join('; ');
    case 'http':
      return httpWants(gate);
    case 'ci':
      return ciWants(gate);
    case 'checklist':
      return gate.items.map(itemWants).join('; ');
    case 'convergence':
      return gate.strategy === 'fingerprint'
        ? 'the work stays the same from one iteration to the next'
        : `the agent's output stays at least ${Math.round(gate.threshold * 100)} % the same from one iteration to the next`;
    case 'custom':
      return `the module ${gate.module} passes`;
    case 'judge':
      return judgeWants(gate);
    case 'approval':
      return `a person approves the result${gate.message === undefined ? '' : `: ${gate.message}`}`;
  }
}

function artifactWants({ exists, notExists, contains }: Of<'artifact'>): string {
  return [
    ...exists.map((path) => `${path} exists`),
    ...notExists.map((path) => `${path} does not exist`),
    ...contains.map(({ path, text, matches }) =>
      text === undefined ? `${path} matches /${matches}/` : `${path} contains ${JSON.stringify(text)}`,
    ),
  ].join('; ');
}

function levelWants({ contracts, tests, blackbox, sanity }: Of<'levels'>): string[] {
  const parts: string[] = [];
  if (contracts) {
    const { required, forbidden, schemas, naming } = contracts;
    const kept = [
      ...required.map((path) => `${path} exists`),
      ...(forbidden.length === 0 ? [] : [`nothing forbidden (${forbidden.join(', ')})`]),
      ...schemas.map(({ files }) => `${files.join(', ')} as agreed`),
      ...naming.map(({ files, style }) => `${files.join(', ')} named in ${style} case`),
    ];
    parts.push(`L0 ${kept.join(', ')}`);
  }
  if (tests) parts.push(`L1 ${[...tests.setup, ...tests.run].map(({ run }) => code(run)).join(', ')}`);
  if (blackbox) parts.push(`L2 ${blackbox.map(({ name, run }) => `${name} (${code(run)})`).join(', ')}`);
  if (sanity) {
    const forbidden = sanity.forbidText.map(({ text, matches }) =>
      text === undefined ? `, nothing that matches /${matches}/` : `, no ${JSON.stringify(text)}`,
    );
    parts.push(`L3 no file over ${Math.round(sanity.maxFileSize / 1024)} KB${forbidden.join('')}`);
  }
  return parts;
}

function httpWants({ method, url, status, contains, matches, json, start }: Of<'http'>): string {
  const shown = url.replace(/^(https?:\/\/)[^/@]*@/, '$1');
  const body = [
    ...contains.map((text) => `contains ${JSON.stringify(text)}`),
    ...matches.map((pattern) => `matches /${pattern}/`),
    ...Object.entries(json).map(
      ([pointer, value]) => `has ${JSON.stringify(value)} at ${pointer || 'its top'}`,
    ),
  ];
  const served = start ? `, while ${code(start.run)} runs` : '';
  return `${method} ${shown} answers ${status.join(' or ')}${body.map((one) => `, ${one}`).join('')}${served}`;
}

function ciWants({ checks, workflow, repository, ref }: Of<'ci'>): string {
  const what = [
    ...(checks.length === 0 ? [] : [`the checks ${checks.join(', ')}`]),
    ...(workflow.length === 0 ? [] : [`the workflows ${workflow.join(', ')}`]),
  ];
  const where = repository === undefined ? '' : ` of ${repository}`;
  const on = ref === undefined ? 'the commit with this tree' : ref;
  return `CI${where} is green on ${on}${what.length === 0 ? '' : `: ${what.join(', ')}`}`;
}

function judgeWants({ rubric, minScore, confirm }: Of<'judge'>): string {
  const least = minScore === undefined ? '' : ` with at least ${minScore} of 1`;
  const person = confirm === undefined ? '' : ', and a person agrees';
  return `judged as good${least}${person}: ${typeof rubric === 'string' ? rubric : rubric.file}`;
}

function itemWants(item: Item): string {
  switch (item.kind) {
    case 'all-of':
      return `all of (${item.items.map(itemWants).join('; ')})`;
    case 'any-of':
      return `any of (${item.items.map(itemWants).join('; ')})`;
    case 'command':
      return `${code(item.run)} succeeds`;
    case 'not-command':
      return `${code(item.run)} fails`;
    case 'file':
      return `${item.path} exists`;
    case 'not-file':
      return `${item.path} does not exist`;
    case 'assertion':
      return `a person confirms: ${item.text}`;
    case 'quality':
      return `judged at least ${item.threshold} of 5: ${item.criteria.map(({ name }) => name).join(', ')}`;
  }
}

const code = (run: string | readonly string[]): string =>
  `\`${typeof run === 'string' ? run : run.join(' ')}\``;

function shorten(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
