/** A secret as a program prints it: the text around it, and the part that nobody may see. */
export interface Planted {
  name: string;
  text: string;
  secret: string;
}

// The secrets are made here, so that no scanner takes this file for a leak.
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const alphabets = {
  hex: `${digits}abcdef`,
  base32: `${upper}234567`,
  alnum: `${upper}${upper.toLowerCase()}${digits}`,
  base64: `${upper}${upper.toLowerCase()}${digits}+/`,
};

/** Characters that look like chance and are the same each time. */
export function chance(length: number, alphabet: keyof typeof alphabets = 'alnum', seed = 7): string {
  const from = alphabets[alphabet];
  let state = seed * 2_654_435_761 + length;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += from[(state >>> 8) % from.length];
  }
  return text;
}

const whole = (name: string, secret: string): Planted => ({ name, text: secret, secret });
const within = (name: string, before: string, secret: string, after = ''): Planted => ({
  name,
  text: before + secret + after,
  secret,
});

/** A private key as openssl writes it. */
export const privateKey = (kind = 'RSA '): string => {
  const lines = Array.from({ length: 12 }, (_, at) => chance(64, 'base64', at + 3));
  return [
    `-----BEGIN ${kind}PRIVATE KEY-----`,
    ...lines,
    `${chance(30, 'base64')}==`,
    `-----END ${kind}PRIVATE KEY-----`,
  ].join('\n');
};

const jwt = [`eyJ${chance(33)}`, `eyJ${chance(80)}`, chance(43)].join('.');

/** One of every kind that is known by its look or by the words before it. */
export const planted: readonly Planted[] = [
  whole('aws key id', `AKIA${chance(16, 'base32')}`),
  within('aws secret', 'aws_secret_access_key = ', chance(40, 'base64')),
  whole('github token', `ghp_${chance(36)}`),
  whole('github server token', `ghs_${chance(36, 'alnum', 9)}`),
  whole('github fine-grained token', `github_pat_${chance(22)}_${chance(59)}`),
  whole('gitlab token', `glpat-${chance(20)}`),
  whole('gitlab runner token', `glrt-${chance(24)}`),
  whole('slack bot token', `xoxb-${chance(12, 'hex')}-${chance(24)}`),
  whole('slack app token', `xapp-1-${chance(11)}-${chance(64, 'hex')}`),
  within('slack webhook', 'https://', `hooks.slack.com/services/T${chance(8)}/B${chance(8)}/${chance(24)}`),
  whole('stripe live key', `sk_live_${chance(24)}`),
  whole('stripe restricted key', `rk_test_${chance(24)}`),
  whole('npm token', `npm_${chance(36)}`),
  within('npmrc', '//registry.example/:_authToken=', chance(36)),
  whole('pypi token', `pypi-AgEIcHlwaS5vcmc${chance(60)}`),
  whole('openai key', `sk-proj-${chance(48)}`),
  whole('older openai key', `sk-${chance(48)}`),
  whole('anthropic key', `sk-ant-api03-${chance(80)}`),
  whole('openrouter key', `sk-or-v1-${chance(64, 'hex')}`),
  whole('google key', `AIza${chance(35)}`),
  whole('google token', `ya29.${chance(60)}`),
  whole('google client secret', `GOCSPX-${chance(28)}`),
  whole('hugging face token', `hf_${chance(34)}`),
  whole('sendgrid key', `SG.${chance(22)}.${chance(43)}`),
  whole('twilio key', `SK${chance(32, 'hex')}`),
  whole('digitalocean token', `dop_v1_${chance(64, 'hex')}`),
  whole('shopify token', `shpat_${chance(32, 'hex')}`),
  whole('vault token', `hvs.${chance(90)}`),
  whole('databricks token', `dapi${chance(32, 'hex')}`),
  whole('linear key', `lin_api_${chance(40)}`),
  whole('docker token', `dckr_pat_${chance(27)}`),
  whole('rubygems key', `rubygems_${chance(48, 'hex')}`),
  whole('age key', `AGE-SECRET-KEY-1${chance(58, 'base32')}`),
  whole('json web token', jwt),
  within('bearer header', 'Authorization: Bearer ', chance(40)),
  within('basic header', 'authorization: Basic ', Buffer.from(`me:${chance(12)}`).toString('base64')),
  within('bearer in a command', `curl -H 'authorization: bearer `, chance(32), `'`),
  within('api key header', 'x-api-key: ', chance(32)),
  within('cookie', 'Set-Cookie: sid=', chance(40), '; HttpOnly'),
  within('database address', 'postgres://app:', `${chance(10)}!`, '@db.internal:5432/app'),
  within('git remote', 'https://oauth2:', chance(20), '@git.example/x.git'),
  within('redis address without a user', 'redis://:', chance(16), '@cache:6379'),
  within('password in yaml', '  password: ', `${chance(9)}#4`),
  within('password in json', '{"db":{"password":"', chance(14), '"}}'),
  within('password in code', `const PASSWORD = '`, chance(12), `';`),
  within('client secret', 'client_secret=', chance(32)),
  within('azure account key', 'AccountKey=', `${chance(86, 'base64')}==`, ';EndpointSuffix=x'),
  within('login of curl', 'curl -u admin:', chance(12), ' https://x.example'),
  within('flag', 'deploy --token ', chance(24)),
  within('private key in json', '{"private_key":"', privateKey('').replaceAll('\n', '\\n'), '"}'),
];
