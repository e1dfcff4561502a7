import type { BuildEnd } from '@agentgate/core';

/** Who or what a fault is of. */
type FaultClass = 'limit' | 'network' | 'environment' | 'configuration';

type Why = Extract<BuildEnd, { kind: 'unavailable' }>['why'];

/** One thing that can go wrong around an agent. None of them costs an iteration; a fault of the agent itself does. */
export interface AgentFault {
  name: string;
  class: FaultClass;
  why: Why;
  /** What follows. */
  follows: string;
  /** By which words at the end of its output it is known. */
  pattern: RegExp;
  /** As it really looks. */
  examples: readonly string[];
}

/** In the order in which they are looked for: the first that fits is the one. */
export const faultTable: readonly AgentFault[] = [
  {
    name: 'the usage limit of an account is reached',
    class: 'limit',
    why: 'usage-limit',
    follows: 'waits for the time that is told, else 30 s and twice as long each time, up to limits.maxWait',
    pattern:
      /\b(?:usage limit (?:reached|exceeded|has been reached)|hit your (?:usage |session |weekly )?limit|(?:session|weekly|5-hour) limit reached|quota (?:exceeded|exhausted)|exceeded your current quota|RESOURCE_EXHAUSTED|insufficient_quota|credit balance is too low)\b/i,
    examples: [
      'Claude AI usage limit reached|9999999999',
      "You've hit your usage limit. Try again in 3 hours",
      'Error: 429 {"error":{"status":"RESOURCE_EXHAUSTED"}}',
    ],
  },
  {
    name: 'the model is overloaded, or asked too often',
    class: 'network',
    why: 'overloaded',
    follows: 'waits and tries again, up to limits.maxWait',
    pattern:
      /\b(?:overloaded_error|rate_limit_error|rate limit (?:reached|exceeded)|too many requests|(?:API|stream|server) error:? (?:HTTP )?(?:429|5\d\d)|(?:unexpected |HTTP )?status (?:429|5\d\d)|(?:429|503|529) (?:too many|service unavailable|overloaded|\{))/i,
    examples: [
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
      'stream error: HTTP 429 Too Many Requests',
      'unexpected status 503 Service Unavailable: try later',
    ],
  },
  {
    name: 'nobody is logged in, or the key is wrong',
    class: 'configuration',
    why: 'configuration',
    follows: 'ends the run with 4 and what to do; agentgate resume goes on',
    pattern:
      /\b(?:authentication_error|invalid (?:x-)?api[- ]key|API key not valid|not logged in|please run \/login|(?:unexpected |HTTP )?status 40[13]|API Error: 40[13])\b/i,
    examples: [
      'Invalid API key · Please run /login',
      'unexpected status 401 Unauthorized: bad key',
      '[API Error: API key not valid. Please pass a valid API key.]',
    ],
  },
  {
    name: 'the program does not know a word of its command line, or the model',
    class: 'configuration',
    why: 'configuration',
    follows: 'ends the run with 4 and what to do; agentgate resume goes on',
    pattern:
      /(?:^|\W)(?:error: unknown option|error: unexpected argument|Unknown arguments?:|model not found|not_found_error: model|ProviderModelNotFoundError)/i,
    examples: [
      "error: unknown option '--colour'",
      "error: unexpected argument '--colour' found",
      'Model not found: one/two.',
    ],
  },
  {
    name: 'the network, or the name of a host, is not there',
    class: 'network',
    why: 'network',
    follows: 'waits and tries again for an hour at most',
    pattern:
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network is unreachable|temporary failure in name resolution|connection error\.?$)\b/im,
    examples: [
      'Error: getaddrinfo ENOTFOUND api.example.com',
      'curl: (6) Temporary failure in name resolution',
    ],
  },
  {
    name: 'the machine has no room or no memory left',
    class: 'environment',
    why: 'environment',
    follows: 'waits and tries again for an hour at most',
    pattern: /\b(?:ENOSPC|no space left on device|ENOMEM|cannot allocate memory|EMFILE)\b/i,
    examples: ['Error: ENOSPC: no space left on device, write', 'fork: Cannot allocate memory'],
  },
];
