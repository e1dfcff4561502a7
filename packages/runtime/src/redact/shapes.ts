import { looksRandom } from './random.ts';
import { noteFor, type Span } from './span.ts';

/** A secret that is known by its first characters. */
interface Shape {
  name: string;
  starts: readonly string[];
  /** What follows them; bounded, so that a text full of beginnings takes linear time. */
  rest: RegExp;
  /** For beginnings that also stand in other words. */
  isSecret?: (text: string) => boolean;
}

/** A token may be longer than a pattern reads; the rest of it goes along. */
const mostRest = 128;
const token = /[\w.~+/=-]*/y;

const letters = /[A-Za-z0-9]{20,128}/y;
const words = /[\w-]{20,128}/y;
const hex = /[0-9a-fA-F]{32,128}/y;

const shapes: readonly Shape[] = [
  { name: 'aws key', starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], rest: /[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { name: 'github token', starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], rest: letters },
  { name: 'github token', starts: ['github_pat_'], rest: /\w{20,128}/y },
  {
    name: 'gitlab token',
    starts: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glsoat-',
      'glagent-',
      'gloas-',
      'glimt-',
    ],
    rest: /[\w.-]{16,128}/y,
  },
  {
    name: 'slack token',
    starts: [
      'xoxa-',
      'xoxb-',
      'xoxe-',
      'xoxe.',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
      'xoxc-',
      'xoxd-',
      'xapp-',
    ],
    rest: /[\w.%/+-]{10,128}/y,
  },
  { name: 'slack webhook', starts: ['hooks.slack.com/'], rest: /[a-z]+\/[\w/]{20,128}/y },
  {
    name: 'discord webhook',
    starts: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    rest: /\d+\/[\w-]{20,128}/y,
  },
  {
    name: 'stripe key',
    starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    rest: /[A-Za-z0-9]{10,128}/y,
  },
  { name: 'stripe secret', starts: ['whsec_'], rest: /[A-Za-z0-9+/=]{20,128}/y },
  { name: 'npm token', starts: ['npm_'], rest: /[A-Za-z0-9]{36}(?![A-Za-z0-9])/y },
  { name: 'pypi token', starts: ['pypi-'], rest: /[\w-]{40,128}/y },
  { name: 'anthropic key', starts: ['sk-ant-'], rest: words },
  { name: 'api key', starts: ['sk-', 'xai-', 'pplx-', 'gsk_', 'r8_'], rest: words, isSecret: looksRandom },
  { name: 'hugging face token', starts: ['hf_', 'api_org_'], rest: /[A-Za-z0-9]{30,128}/y },
  { name: 'google key', starts: ['AIza'], rest: /[\w-]{35}/y },
  { name: 'google token', starts: ['ya29.', 'GOCSPX-', '1//0'], rest: words },
  { name: 'sendgrid key', starts: ['SG.'], rest: /[\w-]{16,64}\.[\w-]{30,128}/y },
  { name: 'twilio key', starts: ['SK'], rest: /[0-9a-f]{32}(?![0-9a-zA-Z])/y },
  { name: 'mailgun key', starts: ['key-'], rest: /[0-9a-f]{32}(?![0-9a-zA-Z])/y },
  { name: 'digitalocean token', starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'], rest: hex },
  { name: 'shopify token', starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], rest: hex },
  { name: 'square token', starts: ['sq0atp-', 'sq0csp-'], rest: words },
  { name: 'vault token', starts: ['hvs.', 'hvb.', 'hvr.'], rest: words },
  { name: 'databricks token', starts: ['dapi'], rest: /[0-9a-f]{32}(?:-\d)?(?![0-9a-z])/y },
  { name: 'linear key', starts: ['lin_api_', 'lin_oauth_'], rest: letters },
  { name: 'notion token', starts: ['ntn_', 'secret_'], rest: /[A-Za-z0-9]{40,128}/y },
  { name: 'figma token', starts: ['figd_', 'figu_', 'figo_'], rest: words },
  { name: 'grafana token', starts: ['glc_', 'glsa_'], rest: /[A-Za-z0-9_=+/]{20,128}/y },
  { name: 'new relic key', starts: ['NRAK-'], rest: /[A-Z0-9]{27}/y },
  {
    name: 'planetscale token',
    starts: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    rest: /[\w.=-]{32,128}/y,
  },
  { name: 'postman key', starts: ['PMAK-'], rest: words },
  { name: 'rubygems key', starts: ['rubygems_'], rest: hex },
  { name: 'docker token', starts: ['dckr_pat_', 'dckr_oat_'], rest: words },
  {
    name: 'atlassian token',
    starts: ['ATATT3', 'ATBB', 'ATCTT3'],
    rest: /[\w=-]{24,128}/y,
    isSecret: looksRandom,
  },
  { name: 'age key', starts: ['AGE-SECRET-KEY-1'], rest: /[0-9A-Z]{50,64}/y },
  { name: 'supabase token', starts: ['sbp_', 'sb_secret_'], rest: /[\w-]{20,128}/y },
  { name: 'sentry token', starts: ['sntrys_', 'sntryu_'], rest: /[\w+/=-]{20,128}/y },
  { name: 'netlify token', starts: ['nfp_'], rest: /[A-Za-z0-9]{36,128}/y },
  { name: 'heroku key', starts: ['HRKU-'], rest: words },
  { name: 'nuget key', starts: ['oy2'], rest: /[a-z0-9]{43}(?![a-z0-9])/y },
  { name: 'doppler token', starts: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], rest: /[\w.-]{30,128}/y },
  { name: '1password token', starts: ['ops_eyJ'], rest: /[\w=-]{40,128}/y },
  { name: 'json web token', starts: ['eyJ'], rest: /[\w-]{8,1024}\.{1,2}[\w-]{8,128}/y },
];

const byStart = new Map(shapes.flatMap((shape) => shape.starts.map((start) => [start, shape] as const)));

// One pattern for all beginnings, the longer before the shorter. In the middle of a word it is another word:
// `task-…` does not begin with `sk-`.
const anyStart = new RegExp(
  `(?<![A-Za-z0-9])(?:${[...byStart.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((start) => start.replaceAll(/[./]/g, '\\$&'))
    .join('|')})`,
  'g',
);

/** Finds secrets by their own look. */
export function findShapes(text: string): Span[] {
  const spans: Span[] = [];
  anyStart.lastIndex = 0;
  for (let match = anyStart.exec(text); match !== null; match = anyStart.exec(text)) {
    const shape = byStart.get(match[0])!;
    const end = endOf(shape, text, anyStart.lastIndex);
    if (end === null) continue;
    spans.push({ start: match.index, end, note: noteFor(shape.name) });
    anyStart.lastIndex = end;
  }
  return spans;
}

function endOf({ rest, isSecret, starts }: Shape, text: string, from: number): number | null {
  rest.lastIndex = from;
  const found = rest.exec(text)?.[0];
  if (found === undefined || (isSecret && !isSecret(found))) return null;
  const isOpen = found.length >= mostRest || starts[0] === 'eyJ';
  return isOpen ? endOfToken(text, from + found.length) : from + found.length;
}

/** Where a token ends that was read in part. */
export function endOfToken(text: string, from: number): number {
  token.lastIndex = from;
  token.exec(text);
  return Math.max(from, token.lastIndex);
}
