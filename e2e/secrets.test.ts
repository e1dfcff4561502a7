import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chance, planted, privateKey } from '../packages/runtime/src/redact/testing.ts';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

/** What only the environment knows: nothing in its look says that it is a secret. */
const inEnvironment = {
  SERVICE_TOKEN: 'plain words as a token',
  DEPLOY_PASSWORD: `über-${chance(8)}-größe`,
  SIGNING_KEY: privateKey('EC '),
  QUEUE_URL: `amqp://me:${chance(14, 'alnum', 21)}@queue/x`,
};
const values = [
  inEnvironment.SERVICE_TOKEN,
  inEnvironment.DEPLOY_PASSWORD,
  ...inEnvironment.SIGNING_KEY.split('\n').slice(1, -1),
  chance(14, 'alnum', 21),
];

const atFifth = (rest: number) => planted.filter((_, at) => at % 5 === rest);
const lines = (some: typeof planted) => `${some.map(({ text }) => `saw ${text}`).join('\n')}\n`;
const xml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');

// A fifth each: said by the agent, said by it in pieces, printed by a gate, in a report, in names of files.
const said = atFifth(0);
const inPieces = atFifth(1);
// A name has no slashes, so an address cannot stand in it.
const isName = ({ text }: (typeof planted)[number]) => !text.includes('/') && text.length < 200;
const printed = [...atFifth(2), ...atFifth(4).filter((one) => !isName(one))];
const reported = atFifth(3);
const named = atFifth(4).filter(isName);
const files = {
  'said.txt': lines(said),
  'printed.txt': `${lines(printed)}${privateKey('OPENSSH ')}\n`,
  'report.xml': `<testsuites><testsuite name="s">${reported
    .map(
      ({ text }, at) =>
        `<testcase name="t${at} ${xml(text)}"><failure message="${xml(text)}">${xml(text)}</failure></testcase>`,
    )
    .join('')}</testsuite></testsuites>`,
  'names.txt': `${named.map(({ text }, at) => `${at} ${text}`).join('\n')}\n`,
};

const agent = `n=$AGENTGATE_ITERATION
cp "$AGENTGATE_PROMPT_FILE" "../kept/prompt-$n"; cp "$AGENTGATE_FEEDBACK_FILE" "../kept/feedback-$n"
cat ../secrets/said.txt; cat ../secrets/said.txt >&2
node -e '
  const text = require("fs").readFileSync("../secrets/pieces.txt");
  let at = 0;
  const next = () => { if (at < text.length) { process.stdout.write(text.subarray(at, at += 13)); setTimeout(next, 1); } };
  next();'
env; echo "$SIGNING_KEY" | sed "s/^/   /"
while IFS= read -r name; do echo "$n" > "out/$name"; done < ../secrets/names.txt
echo "$n" >> work.txt
`;
const gate =
  'cat ../secrets/printed.txt; echo "FAIL $SERVICE_TOKEN"; cp ../secrets/report.xml report.xml; grep -q 3 work.txt';

let place: Place;
let shown: Record<string, string>;

beforeAll(async () => {
  place = makePlace({ 'out/.keep': '', '.gitignore': 'report.xml\n' });
  Object.assign(place.env, inEnvironment);
  for (const folder of ['secrets', 'kept']) mkdirSync(join(place.workspace, '..', folder));
  for (const [name, text] of Object.entries({ ...files, 'pieces.txt': lines(inPieces) }))
    writeFileSync(join(place.workspace, '../secrets', name), text);
  place.write({
    '../agent.sh': agent,
    'agentgate.yaml': `task: go
agent: { run: [sh, ../agent.sh] }
integrity: off
sandbox: none
gates:
  plain: { run: ${JSON.stringify(gate)}, env: [SERVICE_TOKEN] }
  report: { run: ${JSON.stringify(`${gate.split(';')[2]}; false`)}, report: { format: junit, path: report.xml } }
limits: { iterations: 2 }
notify: { run: "cat >> ../kept/notice; echo \\"$AGENTGATE_TEXT\\" >> ../kept/notice; cat ../secrets/said.txt; exit 3" }
stateDir: .agentgate
`,
  });
  const run = await agentgate(place, 'run', '--json');
  shown = { 'run --json': run.stdout + run.stderr };
  expect(outcomeOf(run), run.stderr).toMatchObject({ kind: 'run.ended', iterations: 2 });
  const commands = [
    'run',
    'show',
    'show --json',
    'show --output 1',
    'show --output 2:plain',
    'show --output 2:report',
    'explain',
    'explain --json',
    'report',
    'report --json',
    'report --format junit',
    'report --output ../kept/report.md',
    'list',
    'list --json',
    'diff',
    'diff --json',
    'check',
    'check --json',
    'doctor',
    'doctor --json',
  ];
  for (const command of commands) {
    const { stdout, stderr } = await agentgate(place, ...command.split(' '));
    shown[command] = stdout + stderr;
  }
  const mistaken = [
    ['run', '--config', `${said[0]!.text}.yaml`],
    ['show', printed[0]!.text],
    ['check', '--gate', `no-such-program-${planted[2]!.secret} --flag`],
    ['check', '--json', '--gate', `no-such-program-${planted[2]!.secret}`],
    ['run', '-p', 'x', '--gate', 'true', '--', `/no/such/${planted[5]!.secret}`],
    ['run', '--set', `limits.iterations=${planted[5]!.secret}`],
    ['list', '-C', `/no/such/${planted[6]!.secret}`],
  ];
  for (const args of mistaken) {
    const { stdout, stderr } = await agentgate(place, ...args);
    expect(stdout + stderr).not.toBe('');
    shown[`mistake ${args[0]} ${mistaken.indexOf(args)}`] = stdout + stderr;
  }
});
afterAll(() => place.remove());

const secrets = [
  ...planted.map(({ secret }) => secret),
  ...values,
  ...privateKey('OPENSSH ').split('\n').slice(1, -1),
];
const forms = new Set(secrets.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]));
const found = (text: string): string[] => [...forms].filter((one) => text.includes(one));

/** Every file below, with its text; the workspace's own files lie in our git directory and in the rooms, as they are. */
function textsBelow(folder: string): [string, string][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['git', 'rooms'].includes(entry.name) ? [] : textsBelow(path);
    return entry.isFile() ? [[path, readFileSync(path, 'utf8')]] : [];
  });
}

describe(`of ${secrets.length} planted secrets none is`, () => {
  it('in the store: not in the log, not in an output, not in a request', () => {
    const texts = textsBelow(place.state);
    expect(texts.filter(([path]) => path.includes('/blobs/')).length).toBeGreaterThan(5);
    for (const [path, text] of texts) expect([path, found(text)]).toEqual([path, []]);
  });
  it('in what the agent is told, in notices, or in reports that were written', () => {
    const texts = textsBelow(join(place.workspace, '../kept'));
    expect(texts.map(([path]) => path.split('/').at(-1))).toEqual(
      expect.arrayContaining(['feedback-2', 'prompt-2', 'notice', 'report.md']),
    );
    for (const [path, text] of texts) expect([path, found(text)]).toEqual([path, []]);
  });
  it('in the files for older tools', () => {
    expect(existsSync(join(place.workspace, '.agentgate'))).toBe(true);
    for (const [path, text] of textsBelow(join(place.workspace, '.agentgate')))
      expect([path, found(text)]).toEqual([path, []]);
  });
  it('in anything that a command prints', () => {
    for (const [command, text] of Object.entries(shown))
      expect([command, found(text)]).toEqual([command, []]);
  });
});

it('what was said around them is still there', () => {
  expect(shown['show --output 1']).toContain('saw [redacted: aws key]');
  expect(shown['show --output 1']).toContain('SERVICE_TOKEN=[redacted: SERVICE_TOKEN]');
  expect(shown['show --output 2:plain']).toContain('FAIL [redacted: SERVICE_TOKEN]');
  expect(readFileSync(join(place.workspace, '../kept/feedback-2'), 'utf8')).toContain('[redacted: ');
});
