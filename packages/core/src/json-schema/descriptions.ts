import { isRecord } from '../spec/words.ts';
import { type JsonSchema, kindOf } from './short-forms.ts';

/** What each option means, by its way from the top; `*` stands for any one part. Kinds are parts of the way, too. */
export const descriptions: Record<string, string> = {
  task: 'The work in words, or {file: PROMPT.md}.',
  'task.file': 'A file with the work in words, from the project.',

  agent:
    'Who does the work: claude, codex, gemini, opencode, qwen, an agent of the Agent Client Protocol, or any program that reads its prompt from standard input.',
  'agent.program': 'The name or path of the program, if it is not on the PATH under its own name.',
  'agent.model': 'The model, as the program names it.',
  'agent.effort': 'How hard the model thinks, as the program names it.',
  'agent.context':
    'Whether an iteration goes on in the session of the one before; fresh under ralph, resumed otherwise.',
  'agent.permissions':
    'edits: files and the commands of the gates; all: everything. Unset, all inside of a sandbox and edits outside.',
  'agent.allow': 'Commands that it may run besides those of the gates.',
  'agent.args': 'Words that are put at the end of its command line.',
  'agent.timeout': 'How long one build may take; an agent that runs into it has failed that iteration.',
  'agent.mode': 'The mode of the session, as the agent names it.',
  'agent.login': 'The way to log in that is asked for, where the agent wants one named.',
  'agent.acp.run': 'The program that speaks the protocol on its standard input and output.',
  'otherAgent.*.run': 'The program: one text for the shell, or a list of words.',
  'otherAgent.*.timeout': 'How long one build of this agent may take.',
  'otherAgent.scripted.script': 'The file of turns of this agent.',
  'agent.command.run': 'The program: one text for the shell, or a list of words.',
  'agent.command.timeout':
    'How long one build may take; an agent that runs into it has failed that iteration.',
  'agent.*.escalate': 'The next agents of the ladder, weakest first, for a run that is stuck.',
  'agent.command.escalate.run': 'The program of this agent.',
  'agent.command.escalate.timeout': 'How long one build of this agent may take.',
  'agent.scripted.script': 'A file of turns that a scripted agent plays; it needs no model.',
  'agent.scripted.escalate.script': 'The file of turns of this agent.',

  gates: 'What proves that the work is done, by name. All hard gates must pass on one and the same tree.',
  'gate.severity': 'A hard gate must pass; a soft one advises.',
  'gate.baseline': 'Whether everything counts, or only what is new since before the run.',
  'gate.timeout':
    'How long one judgement may take; unset, the larger of five minutes and three times the baseline.',
  'gate.onFailure':
    'What a failure leads to: another iteration, the end, or a word to a person. A hard gate blocks all the same.',
  'gate.maxAttempts': 'A hard gate that failed so often in a row ends the run.',
  'gate.backoff': 'A pause before the next iteration while this gate fails, longer each time.',
  'gate.backoff.initial': 'The first pause.',
  'gate.backoff.max': 'The longest pause.',
  'gate.backoff.multiplier': 'How much longer each pause is than the one before.',
  'gate.onSuccess':
    'skip-remaining spares the gates after this one while it passes; none is spared at the end.',
  'gate.when': 'on-change judges again only when the inputs changed; manual only in agentgate check.',
  'gate.skipIf':
    'Leaves the gate out while this holds: gate.<name>.passed, gate.<name>.failed, iteration < 3.',
  'gate.inputs': 'What the verdict depends on; a green verdict is used again while none of it changed.',
  'gate.protect': 'Paths or globs that this gate judges by, which the agent must not change.',
  'gate.flaky': 'A failure that passes when it is tried again is called flaky, and is never green.',
  'gate.flaky.rerun': 'So many more tries for what fails.',
  'gate.flaky.quarantineUntil': 'Until this day a failure that is known as flaky does not block.',
  'gate.heldOut': 'The agent is told nothing of this gate but whether it passed.',
  'gate.network': 'Which network the gate has: none but its own loopback unless it is on.',
  'gate.services': 'Programs by name that must be up before the gate begins; they end with it.',
  'gate.services.run': 'The command that starts the service.',
  'gate.services.ready': 'A port that takes connections, or a command that succeeds, once it is up.',
  'gate.services.ready.port': 'The port, on this machine.',
  'gate.services.ready.run': 'The command.',
  'gate.services.timeout': 'How long it may take to be up.',
  'gate.data': 'Paths outside of the workspace that the gate reads.',
  'gate.env':
    'Variables for its programs: names that are passed on, or values. Gates get only what is known to be harmless.',
  'gate.parallel': 'May run beside other gates that say so too.',
  'gate.feedback': 'What the agent is told while this gate fails.',
  'gate.feedback.text': 'Exactly this text.',
  'gate.feedback.run': 'What this command prints.',

  'gates.command.run': 'The command: one text for the shell, or a list of words.',
  'gates.*.report': 'The report to read: found by itself, on standard output, in a file, or words only.',
  'gates.*.report.format': 'The format of the report file; found by itself unless told.',
  'gates.*.report.path': 'Where this run of the gate writes its report.',
  'gates.*.report.pattern':
    'A regular expression for the lines that tell a failure, with groups named file, line, rule, message, test.',
  'gates.*.expectExit': 'The exit code that means passed.',

  'gates.artifact.exists': 'Paths or globs that must exist.',
  'gates.artifact.notExists': 'Paths or globs that must not exist.',
  'gates.artifact.contains': 'Files and what must be found in them.',
  'gates.artifact.contains.path': 'The file.',
  'gates.artifact.contains.text': 'A text it must hold.',
  'gates.artifact.contains.matches': 'A regular expression it must match, multi-line and Unicode.',

  'gates.levels.contracts': 'L0: which files there are, and how they look. true takes the defaults.',
  'gates.levels.contracts.required': 'Paths or globs that must exist.',
  'gates.levels.contracts.forbidden': 'Paths or globs that must not exist, unless git ignores them.',
  'gates.levels.contracts.schemas': 'JSON and YAML files and the rules they must keep.',
  'gates.levels.contracts.schemas.files': 'The files, as paths or globs.',
  'gates.levels.contracts.schemas.rules': 'What must hold for single fields.',
  'gates.levels.contracts.schemas.rules.field': 'The way to the field, such as scripts.test.',
  'gates.levels.contracts.schemas.rules.exists': 'Whether the field must be there.',
  'gates.levels.contracts.schemas.rules.type': 'The type of its value.',
  'gates.levels.contracts.schemas.rules.matches': 'A regular expression that its text must match.',
  'gates.levels.contracts.schemas.jsonSchema': 'A JSON Schema, or the path of one.',
  'gates.levels.contracts.naming': 'How files must be named.',
  'gates.levels.contracts.naming.files': 'The files, as paths or globs.',
  'gates.levels.contracts.naming.style': 'How their names are written.',
  'gates.levels.tests': 'L1: what prepares the tests, then the tests.',
  'gates.levels.tests.setup': 'Commands that prepare the tests; one that fails ends the level.',
  'gates.levels.tests.run': 'The tests, as commands.',
  'gates.levels.tests.*.name': 'A name for the command, used in findings.',
  'gates.levels.tests.*.run': 'The command.',
  'gates.levels.tests.*.report': 'The report of the command, as for a command gate.',
  'gates.levels.tests.*.report.format': 'The format of the report file; found by itself unless told.',
  'gates.levels.tests.*.report.path': 'Where the command writes its report.',
  'gates.levels.tests.*.report.pattern': 'A regular expression for the lines that tell a failure.',
  'gates.levels.tests.*.timeout': 'How long the command may take.',
  'gates.levels.tests.*.expectExit': 'The exit code that means passed.',
  'gates.levels.blackbox': 'L2: the program from the outside.',
  'gates.levels.blackbox.name': 'A name for the check, used in findings.',
  'gates.levels.blackbox.run': 'The program with its arguments.',
  'gates.levels.blackbox.stdin': 'What it reads from standard input.',
  'gates.levels.blackbox.fixture': 'A folder that is copied to a fresh place; the program works there.',
  'gates.levels.blackbox.env': 'Environment variables.',
  'gates.levels.blackbox.timeout': 'How long it may take.',
  'gates.levels.blackbox.expect': 'What must hold afterwards.',
  'gates.levels.blackbox.expect.exitCode': 'The exit code, 0 unless told; any where it means nothing.',
  'gates.levels.blackbox.expect.stdoutContains': 'Texts that standard output must hold.',
  'gates.levels.blackbox.expect.stdoutMatches': 'Regular expressions that standard output must match.',
  'gates.levels.blackbox.expect.stderrContains': 'Texts that standard error must hold.',
  'gates.levels.blackbox.expect.equalsFile': 'A file that holds exactly the expected standard output.',
  'gates.levels.blackbox.expect.jsonEquals': 'The JSON that standard output must be.',
  'gates.levels.blackbox.expect.jsonSchema': 'A JSON Schema that standard output must keep, or its path.',
  'gates.levels.sanity': 'L3: signs of carelessness. true takes the defaults.',
  'gates.levels.sanity.maxFileSize': 'The largest file that may be added.',
  'gates.levels.sanity.forbidText': 'Texts that must not be found.',
  'gates.levels.sanity.forbidText.text': 'The text.',
  'gates.levels.sanity.forbidText.matches': 'A regular expression instead of a text.',
  'gates.levels.sanity.forbidText.files': 'Where to look.',
  'gates.levels.sanity.tempFiles': 'Warns of temporary files.',
  'gates.levels.sanity.debugPrints': 'Warns of debugging output that was left in.',
  'gates.levels.sanity.todos': 'Warns of work marked as to be done.',
  'gates.levels.sanity.missingTests': 'Warns of new sources without tests.',

  'gates.http.url': 'The address that is asked.',
  'gates.http.method': 'The method of the request.',
  'gates.http.headers': 'Headers of the request; ${NAME} is taken from the environment and never shown.',
  'gates.http.body': 'The body of the request; a text as it is, anything else as JSON.',
  'gates.http.status': 'The status, or one of several, that means passed.',
  'gates.http.contains': 'Texts that the answer must hold.',
  'gates.http.matches': 'Regular expressions that the answer must match.',
  'gates.http.json': 'JSON pointers and the values expected there.',
  'gates.http.responseTimeout': 'How long one answer may take.',
  'gates.http.retry': 'How long nobody may listen at the address before that is a failure.',
  'gates.http.retry.times': 'So many attempts.',
  'gates.http.retry.for': 'For so long.',
  'gates.http.retry.every': 'The pause between two attempts.',
  'gates.http.follow': 'Whether redirects are followed.',
  'gates.http.start': 'A server that lives as long as the gate.',
  'gates.http.start.run': 'The command that starts it.',
  'gates.http.start.ready': 'An address that answers with 2xx once it is ready.',
  'gates.http.start.timeout': 'How long it may take to be ready.',

  'gates.ci.provider': 'The forge; told by the remote of the repository where it is not named.',
  'gates.ci.repository': 'owner/name, or the path of a project; of the remote where it is not named.',
  'gates.ci.ref': 'A commit or a branch; without one the commit whose tree is the judged tree.',
  'gates.ci.checks':
    'The checks or jobs that must be green, * for any part of a name; all of them unless told.',
  'gates.ci.workflow': 'The workflows of GitHub that must be green, by name or by file.',
  'gates.ci.apiUrl': 'The address of the API; https, or http on this machine alone.',
  'gates.ci.token':
    'The environment variable with the token: GITHUB_TOKEN or GH_TOKEN, GITLAB_TOKEN or CI_JOB_TOKEN unless told.',
  'gates.ci.poll': 'The first pause between two looks; it grows to two minutes.',

  'gates.checklist.items': 'Things that must all hold.',
  'checks.name': 'A name for the check, used in findings.',
  'checks.command': 'A command that must succeed.',
  'checks.not_command': 'A command that must not succeed.',
  'checks.file': 'A path or glob that must exist.',
  'checks.not_file': 'A path or glob that must not exist.',
  'checks.assertion': 'A statement that a person confirms.',
  'checks.quality': 'A quality that a program or a person judges. Not judged is never passed.',
  'checks.quality.criteria': 'What is judged, each with a weight.',
  'checks.quality.criteria.name': 'The criterion.',
  'checks.quality.criteria.description': 'What it asks for.',
  'checks.quality.criteria.weight': 'How much it counts.',
  'checks.quality.threshold': 'The least weighted mean of the scores, which go from 1 to 5.',
  'checks.quality.run': 'A program that gets the rubric as JSON and answers {"scores": {criterion: 1 to 5}}.',
  'checks.quality.timeout': 'How long it may take.',
  'checks.quality.confirmed': 'A person must agree as well.',
  'checks.quality.scope': 'The files that the judge should look at.',
  'checks.all_of': 'Checks that must all hold.',
  'checks.any_of': 'Checks of which one must hold.',
  'checks.timeout': 'How long the command may take.',

  'gates.convergence.strategy': 'fingerprint compares the work itself, similarity what the agent said.',
  'gates.convergence.threshold': 'How alike two iterations must be.',

  'gates.approval.message': 'What the person is asked.',
  'gates.approval.approvers': 'Who may answer; anybody with access to the run when nobody is named.',
  'gates.approval.minApprovals': 'How many must say yes.',

  'gates.approval.default': 'What silence means once the time-out is over.',

  'gates.judge.run':
    'A program that gets the rubric and the change as JSON and answers with one JSON object.',
  'gates.judge.rubric': 'What the judge looks for, in words, or {file: RUBRIC.md}.',
  'gates.judge.rubric.file': 'A file with the rubric, read before the run begins.',
  'gates.judge.minScore': 'The least score, from 0 to 1; without it the judge says passed or not.',
  'gates.judge.confirm': 'A person must agree after the judge did; without that the gate must be soft.',

  'gates.custom.module': 'The path of a module in the project.',
  'gates.custom.export': 'The name of what it exports.',
  'gates.custom.config': 'What the module is given.',
  'gates.custom.memoryMb': 'The memory it may use, in megabytes.',

  strategy:
    'When the run goes on and when it stops, once nothing else decides: a name, or a group with kind.',
  'strategy.fixed.iterations': 'Exactly so many iterations, fewer only when the gates are met.',
  'strategy.hybrid.base': 'Iterations that run in any case.',
  'strategy.hybrid.bonus':
    'progress: each iteration with progress earns the next. A number: at most so many more.',
  'strategy.hybrid.progressThreshold': 'How much better an iteration must be to earn a bonus.',
  'strategy.hybrid.progressMode': 'Whether the improvement or the level itself is compared.',
  'strategy.hybrid.criteria':
    'What completes or ends the run, in this order; nothing while a hard gate fails.',
  'strategy.hybrid.minLevel': 'Levels above this one are advice.',
  'strategy.hybrid.acceptPartialAfter':
    'After so many iterations unfinished work is taken as it is; the run ends partial.',
  'strategy.hybrid.acceptPartial':
    'When unfinished work is taken as it is; the run ends partial, never converged.',
  'strategy.hybrid.acceptPartial.after': 'After so many iterations.',
  'strategy.hybrid.acceptPartial.minLevel': 'The least level that must have passed.',
  'strategy.hybrid.acceptPartial.allowHardFailures': 'Hard gates may fail then, and that wants to be said.',
  'strategy.ralph.min': 'The strategy ends nothing before so many iterations.',
  'strategy.ralph.max': 'The most iterations.',
  'strategy.ralph.window': 'How many outputs are compared.',
  'strategy.ralph.similarityThreshold': 'How alike outputs are that count as the same.',
  'strategy.ralph.signals': 'Words by which the agent says that it is done.',
  'strategy.ralph.onFalseClaim': 'What follows when the gates refute the word of the agent.',
  'strategy.ralph.loopDetection': 'Whether outputs are compared at all.',
  'strategy.manual.timeout': 'How long a person has to answer; then the default answer counts.',
  'strategy.manual.default': 'The answer when nobody answers.',
  'strategy.adaptive.mode':
    'What it aims at: to keep a share of the solves, or the most worth for the money.',
  'strategy.adaptive.target': 'The share of solves that is kept, against going on to the limits.',
  'strategy.adaptive.value': 'What a solve is worth, such as 5usd; for the mode value.',
  'strategy.adaptive.explore':
    'The share of runs that ignore its stop, so that it can learn that stopping was wrong.',
  'strategy.adaptive.base': 'The base of hybrid, while it decides in its place.',
  'strategy.custom.module': 'The path of a module in the project.',
  'strategy.custom.name': 'The name of what it exports.',
  'strategy.custom.config': 'What the module is given.',
  'strategy.custom.max': 'The most iterations.',
  'strategy.custom.timeout': 'How long one answer may take.',
  'strategy.custom.memoryMb': 'The memory it may use, in megabytes.',

  prepare:
    'Installs dependencies from the lock files, such as npm ci; runs, with network, when one of them changed.',
  'prepare.run': 'The command.',
  'prepare.timeout': 'How long it may take.',

  limits: 'Hard caps; a reached one ends the run.',
  'limits.iterations': 'The most iterations.',
  'limits.wallClock': 'The most active time: building, snapshots and judging.',
  'limits.tokens': 'The most tokens, as the agent reports them.',
  'limits.cost': 'The most money, as the agent reports it.',
  'limits.quota':
    'How full the usage windows of an account may get, such as 80%. Fuller than that, the run waits until they open again.',
  'limits.maxWait': 'The most time spent waiting for pending gates, quotas and people.',

  detectors: 'What sees that a run goes round in circles. All are on, except under fixed, manual and custom.',
  'detectors.enabled': 'false switches all of them off.',
  'detectors.failure-set-repeat': 'The same findings again and again.',
  'detectors.stall': 'New trees, but only failures seen before.',
  'detectors.snapshot-repeat': 'The same tree again and again.',
  'detectors.oscillation': 'Trees or failures that go round.',
  'detectors.divergence': 'Each iteration breaks more and fixes nothing.',
  'detectors.output-similarity': 'The agent says the same again and again.',
  'detectors.no-changes': 'Nothing was changed.',
  'detectors.*.enabled': 'Whether this detector is on.',
  'detectors.*.window': 'How many iterations it looks at, the current one included.',
  'detectors.output-similarity.threshold': 'How alike outputs are that count as the same.',
  'detectors.output-similarity.measure': 'How outputs are compared.',

  stuck: 'What a run does when it is stuck, before it gives up. off gives up at once.',
  'stuck.moves': 'The moves, in the order in which they are taken.',
  'stuck.patience': 'So many iterations without progress show that a move had no effect.',

  workspace: 'What belongs to a snapshot.',
  'workspace.include': 'Globs of ignored files that are kept all the same.',
  'workspace.exclude': 'Globs of files that are left out.',

  feedback: 'What the agent is told about the last judgement.',
  'feedback.maxChars': 'The most characters of it.',

  deliver: 'What becomes of a good tree. Your checkout is never touched.',
  'deliver.as': 'Nothing, a commit under our own refs, a branch, or a pull request.',
  'deliver.base': 'The branch that a pull request is to be merged into; the default of the forge.',
  'deliver.provider': 'The forge of a pull request; known by the remote.',
  'deliver.repository': 'The repository of a pull request; known by the remote.',
  'deliver.apiUrl': 'The address of the API, for a forge of your own.',
  'deliver.token': 'The variable that holds the token; GITHUB_TOKEN, GH_TOKEN or GITLAB_TOKEN.',
  'deliver.on': 'Which endings are delivered: converged, converged without caveats, or any.',
  'deliver.branchPrefix': 'The beginning of the branch name.',
  'deliver.commitPrefix': 'The beginning of the commit message.',

  notify: 'Whom to tell.',
  'notify.run': 'A command that is run.',
  'notify.webhook': 'An address that is called.',
  'notify.on': 'When to tell.',
  'notify.timeout': 'How long it may take.',

  stateDir: 'A folder in the workspace for the derived files that older tools read.',
  integrity: 'How far the gates are kept from the agent: strict, guarded or off.',
  'integrity.mode': 'How far the gates are kept from the agent.',
  'integrity.protect': 'Paths or globs that the agent must not change, beside those found by themselves.',
  'integrity.unprotect': 'Paths or globs that it may change all the same.',
  'integrity.grants': 'Paths or globs whose change is granted beforehand.',
  sandbox: 'Who is shut in by bubblewrap: auto where it works, bwrap or else refuse to run, none.',
  'sandbox.agent': 'The agent; unset, auto where the integrity is strict, and none otherwise.',
  'sandbox.gates':
    'The gates and everything they start; auto where they have a room, bwrap where they judge in place, too.',
};

/** Puts the descriptions where they belong. Answers the ways that have none. */
export function describe(schema: JsonSchema): string[] {
  const missing: string[] = [];
  const say = (target: JsonSchema, way: string) => {
    const text = find(way);
    if (text) target.description = text;
    else missing.push(way);
  };
  const visit = (one: JsonSchema, way: string): void => {
    const kind = kindOf(one);
    const here = kind ? join(way, kind) : way;
    for (const [name, option] of Object.entries(one.properties ?? {}) as [string, JsonSchema][]) {
      if (name === 'kind') continue;
      if (!/\/(?:gate|agent)\./.test(option.$ref ?? '')) say(option, join(here, name));
      visit(option, join(here, name));
    }
    for (const inner of [one.anyOf, one.oneOf, one.items, one.additionalProperties].flat())
      if (isRecord(inner)) visit(inner as JsonSchema, here);
  };
  visit(schema, '');
  for (const [name, def] of Object.entries((schema.$defs ?? {}) as Record<string, JsonSchema>)) {
    if (/^(?:gate|agent)\./.test(name)) say(def, name);
    visit(def, name);
  }
  return missing;
}

const join = (way: string, name: string): string => (way === '' ? name : `${way}.${name}`);

function find(way: string): string | undefined {
  if (Object.hasOwn(descriptions, way)) return descriptions[way];
  const parts = way.split('.');
  return Object.entries(descriptions).find(([key]) => {
    const pattern = key.split('.');
    return pattern.length === parts.length && pattern.every((one, at) => one === '*' || one === parts[at]);
  })?.[1];
}
