import {
  type Inspection,
  placeholderGate,
  placeholderTask,
  type ProposedAgent,
  type ProposedGate,
} from '@agentgate/runtime';

/** The text of a spec file for what a look at the project found, with the line for editors at its top if there is one. */
export function specText(
  { gates, tested }: Inspection,
  agent: ProposedAgent,
  schemaLine: string | null,
): string {
  return [
    ...(schemaLine === null ? [] : [schemaLine]),
    '# AgentGate: what to do, who does it, and what proves that it is done.',
    `task: ${placeholderTask}   # or {file: PROMPT.md}`,
    '',
    ...agentLines(agent),
    '',
    '# Every hard gate must pass on one and the same tree.',
    ...(tested || gates.length === 0
      ? []
      : ['# No tests were found: a run proves only what these gates say.']),
    'gates:',
    ...(gates.length > 0 ? gateLines(gates) : emptyGates),
    '',
    'limits: { iterations: 20, wallClock: 1h }',
    'strategy: hybrid',
    '',
  ].join('\n');
}

function agentLines({ program, agent, path, others, install }: ProposedAgent): string[] {
  return [
    '# Or any command: { run: [my-agent] }; the prompt comes on its standard input.',
    ...(path === null
      ? [`# ${program} was not found here: ${install}; or put in a command of your own.`]
      : []),
    ...(others.length > 0 ? [`# Also found: ${others.join(', ')}.`] : []),
    `agent: ${agentText(agent)}`,
  ];
}

function agentText(agent: ProposedAgent['agent']): string {
  if (typeof agent === 'string') return agent;
  const { run } = agent;
  return `{ run: ${typeof run === 'string' ? yamlText(run) : `[${run.map(yamlText).join(', ')}]`} }`;
}

function gateLines(gates: readonly ProposedGate[]): string[] {
  return gates.map((gate) => {
    const what =
      'run' in gate
        ? `run: ${yamlText(gate.run)}`
        : `exists: [${gate.exists.map((path) => yamlText(path)).join(', ')}]`;
    const soft = gate.severity === 'soft' ? ', severity: soft' : '';
    return `  ${yamlText(gate.name)}: { ${what}${soft} }   # ${comment(gate.because)}`;
  });
}

/** In an empty directory nothing can be judged, and a file that seems to judge something would lie. */
const emptyGates = [
  '  # Nothing was found here to judge the work by. Put in what proves that it is done, such as',
  '  #   tests: { run: npm test }',
  '  #   page: { exists: [dist/index.html] }',
  '  # The gate below stands for that, and fails until it is replaced.',
  `  ${placeholderGate}: { run: "echo 'error: agentgate.yaml has no gate of its own yet'; exit 1", onFailure: stop }`,
];

/** A plain word where YAML reads it as one, quotes where it could be anything else. */
function yamlText(text: string): string {
  const plain = /^(?:[A-Za-z]|\.{0,2}\/|\.\w+\/|-{1,2}[A-Za-z])[\w ./@-]*$/.test(text);
  return plain && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

/** Names of files and jobs are other people's; a comment must stay on its line. */
const comment = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
