import type { BuildEnd } from '@agentgate/core';

/** Who or what a fault is of. */
export type FaultClass = 'agent' | 'environment' | 'limit' | 'configuration' | 'network';

type Why = Extract<BuildEnd, { kind: 'unavailable' }>['why'];

/** One thing that can go wrong with an agent or around it. */
export type AgentFault = {
  name: string;
  class: FaultClass;
  /** What follows. */
  follows: string;
  /**
   * By which words it is known: at the end of the output for one that costs nothing, of its end for one that does.
   * Null where it is met before or after the agent, by whoever meets it there.
   */
  pattern: RegExp | null;
  /** The exit code by which programs say the same. */
  exitCode?: number;
  /** As it really looks. */
  examples: readonly Example[];
} & (
  | { costs: true }
  /** It uses no iteration; `why` is what the run is told. */
  | { costs: false; why: Why }
);

/** What an agent says before it exits with 1, or what its shell does instead; both fit into a command line. */
export type Example = { says: string } | { does: string; timeout?: string };

const waits = 'waits and tries again, up to `limits.maxWait`';
const waitsAnHour = 'waits and tries again for an hour at most';
const ends = 'ends the run with 4 and what to do; `agentgate resume` goes on';
const goesOn = 'the next iteration is told of it, after a pause that doubles each time';

/** In the order in which they are looked for: the first that fits is the one, and the last one always does. */
export const faultTable: readonly AgentFault[] = [
  {
    name: 'the usage limit of an account is reached',
    class: 'limit',
    costs: false,
    why: 'usage-limit',
    follows: 'waits for the time that is told, else 30 s and twice as long each time, up to `limits.maxWait`',
    pattern:
      /\b(?:usage limit (?:reached|exceeded|has been reached)|(?:hit|reached) your (?:usage |session |weekly )?limit|(?:session|weekly|5-hour) limit reached|quota (?:exceeded|exhausted)|exceeded your current quota|exhausted your (?:daily quota|capacity)|resource has been exhausted|RESOURCE_EXHAUSTED|insufficient_quota|credit balance is too low)\b/i,
    examples: [
      { says: 'Claude AI usage limit reached|9999999999' },
      { says: "You've hit your usage limit. Try again in 3 hours" },
      { says: 'Error: 429 {"error":{"status":"RESOURCE_EXHAUSTED"}}' },
      { says: '[API Error: You have exhausted your daily quota on this model.]' },
      { says: 'You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.' },
      { says: '[API Error: Resource has been exhausted (e.g. check quota).]' },
      { says: 'API Error: Request rejected (429) · You have reached your usage limit; resets at 5pm' },
    ],
  },
  {
    name: 'the model is asked too often',
    class: 'limit',
    costs: false,
    why: 'overloaded',
    follows: waits,
    pattern:
      /\b(?:rate_limit_error|rate limit (?:reached|exceeded)|exceed\w* .{0,60}\brate limit|too many requests|request rejected \(429\)|(?:API|stream|server) error:? (?:HTTP )?429|(?:unexpected |HTTP )?status 429|429 (?:too many|\{))/i,
    examples: [
      { says: 'stream error: HTTP 429 Too Many Requests' },
      { says: "API Error: Request rejected (429) · This request would exceed your account's rate limit." },
      { says: "[API Error: This request would exceed your account's rate limit. Please try again later.]" },
    ],
  },
  {
    name: 'the model is overloaded, or its service fails',
    class: 'network',
    costs: false,
    why: 'overloaded',
    follows: waits,
    pattern:
      /\b(?:overloaded_error|(?:API|stream|server) error:? (?:HTTP )?5\d\d|(?:unexpected |HTTP )?status 5\d\d|(?:503|529) (?:service unavailable|overloaded|\{))/i,
    examples: [
      { says: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}' },
      { says: 'unexpected status 503 Service Unavailable: try later' },
    ],
  },
  {
    name: 'nobody is logged in, or the key is wrong',
    class: 'configuration',
    costs: false,
    why: 'configuration',
    follows: ends,
    pattern:
      /\b(?:authentication_error|invalid (?:x-)?api[- ]key|API key not valid|not logged in|please run \/login|(?:unexpected |HTTP )?status 40[13]|API Error: 40[13])\b/i,
    examples: [
      { says: 'Invalid API key · Please run /login' },
      { says: 'unexpected status 401 Unauthorized: bad key' },
      { says: '[API Error: API key not valid. Please pass a valid API key.]' },
    ],
  },
  {
    name: 'the program does not know a word of its command line, or the model',
    class: 'configuration',
    costs: false,
    why: 'configuration',
    follows: ends,
    pattern:
      /(?:^|\W)(?:error: unknown option|error: unexpected argument|Unknown arguments?:|model not found|not_found_error: model|ProviderModelNotFoundError)/i,
    examples: [
      { says: "error: unknown option '--colour'" },
      { says: "error: unexpected argument '--colour' found" },
      { says: 'Model not found: one/two.' },
    ],
  },
  {
    name: 'the network, or the name of a host, is not there',
    class: 'network',
    costs: false,
    why: 'network',
    follows: waitsAnHour,
    pattern:
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network is unreachable|temporary failure in name resolution|(?:TypeError|cause): fetch failed|connection error\.?$)(?:\b|$)/im,
    examples: [
      { says: 'Error: getaddrinfo ENOTFOUND api.example.com' },
      { says: 'curl: (6) Temporary failure in name resolution' },
      { says: '[API Error: exception TypeError: fetch failed sending request]' },
      { says: '[API Error: Connection error. (cause: fetch failed)]' },
      { says: 'Connection error.' },
    ],
  },
  {
    name: 'the machine has no room or no memory left',
    class: 'environment',
    costs: false,
    why: 'environment',
    follows: waitsAnHour,
    pattern: /\b(?:ENOSPC|no space left on device|ENOMEM|cannot allocate memory|EMFILE)\b/i,
    examples: [
      { says: 'Error: ENOSPC: no space left on device, write' },
      { says: 'fork: Cannot allocate memory' },
    ],
  },
  {
    name: 'it says itself that it is to be tried again: exit code 75, or its outcome file',
    class: 'environment',
    costs: false,
    why: 'environment',
    follows: waitsAnHour,
    pattern: null,
    // EX_TEMPFAIL.
    exitCode: 75,
    examples: [
      { does: 'exit 75' },
      { does: 'echo \'{"unavailable": {"why": "environment"}}\' > "$AGENTGATE_OUTCOME_FILE"' },
    ],
  },
  {
    name: 'a program behind a shell is missing; one that the spec names itself, as a kind, a list of words or a text of plain words, is missed before the run begins',
    class: 'configuration',
    costs: true,
    follows: 'ends the run with 4 and what to install; `agentgate resume` goes on',
    pattern: null,
    examples: [{ does: 'cd . && no-such-agent --go' }],
  },
  {
    name: 'it stopped for one of these reasons, and had changed something before',
    class: 'agent',
    costs: true,
    follows: `what it left stays; ${goesOn}`,
    pattern: null,
    examples: [{ does: 'echo half > work.txt; echo "usage limit reached"; exit 1' }],
  },
  {
    name: 'it ran into its own time-out',
    class: 'agent',
    costs: true,
    follows: goesOn,
    pattern: /^it did not end within its own time-out/,
    examples: [{ does: 'sleep 60', timeout: '200ms' }],
  },
  {
    name: 'it was ended by a signal',
    class: 'agent',
    costs: true,
    follows: goesOn,
    pattern: /^it was ended by SIG/,
    examples: [{ does: 'kill -9 $$' }],
  },
  {
    name: 'it failed by itself: an exit code that is not 0, or no word that it came to its good end',
    class: 'agent',
    costs: true,
    follows: goesOn,
    pattern: /^/,
    examples: [{ says: 'TypeError: undefined is not a function' }, { does: 'exit 3' }],
  },
];
