import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeRedactor, redactAll } from './redact.ts';
import { chance, planted, privateKey } from './testing.ts';

const { redact } = makeRedactor({});

test.each(planted)('hides $name', ({ text, secret }) => {
  const shown = redact(`before ${text}\nafter\n`);
  expect(shown).not.toContain(secret);
  expect(shown).toMatch(/^before .*\[redacted: [\w ]+\].*\nafter\n$/s);
  expect(redact(shown)).toBe(shown);
});

test('says what it was, and leaves the words around it', () => {
  expect(redact(`npm error Authorization: Bearer ${chance(30)}\nnext`)).toBe(
    'npm error Authorization: Bearer [redacted: authorization]\nnext',
  );
  expect(redact(`cloning https://me:${chance(12)}@git.example/x`)).toBe(
    'cloning https://me:[redacted: url password]@git.example/x',
  );
});

describe('stays', () => {
  test.each([
    ['an object name', `commit ${chance(40, 'hex')}`],
    ['a hash', `sha256:${chance(64, 'hex')}  dist/index.js`],
    ['the integrity of a lock file', `"integrity": "sha512-${chance(86, 'base64')}=="`],
    ['a checksum', `checksum = "${chance(64, 'hex')}"`],
    ['a uuid', 'request 6f1c9a52-7d3b-4e0f-9a61-0c2b7f3d5e88 failed'],
    ['a uuid that is called a token', 'token: 6f1c9a52-7d3b-4e0f-9a61-0c2b7f3d5e88'],
    ['a hash in a name of a file', `dist/assets/index-${chance(8)}.js`],
    ['an error of a parser', 'SyntaxError: Unexpected token: punctuation_mark at token=EndOfFile'],
    ['code about passwords', 'const password = await readPassword(process.env.DB_PASSWORD);'],
    ['a type', 'function login(password: string, token: AuthTokenProvider): void'],
    [
      'a variable in the place of a value',
      'password=$DB_PASSWORD token=${GITHUB_TOKEN} key: <your-api-key-123>',
    ],
    ['a placeholder', 'password: ******** token=xxxxxxxxxxxxxxxx'],
    ['a reference', 'secret: process.env.SESSION_SECRET2 token = config.auth.token1'],
    ['a path', 'token: src/auth/token2.ts:14:3 secret=/run/secrets/db1'],
    ['an address without a password', 'https://user@host.example:8080/a:b@c'],
    ['a scoped package in an address', 'https://registry.example/@types/node/-/node-20.1.0.tgz'],
    [
      'a word that holds a beginning',
      'the task-list-of-risk-management-2024-edition and disk-usage-1234567890abcdef',
    ],
    ['a count', 'max_tokens: 1234567890123 and keys=12345678'],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${chance(64, 'base64')}\n-----END PUBLIC KEY-----`],
    ['a certificate', `-----BEGIN CERTIFICATE-----\n${chance(64, 'base64')}\n-----END CERTIFICATE-----`],
    ['an image', `src="data:image/png;base64,${chance(400, 'base64')}"`],
    ['a header without a value', 'authorization: Bearer <token>, Basic authentication-is-required'],
    ['a test name', '✗ rejects a token: expired after 3600s (auth.test.ts:41)'],
  ])('%s', (_what, text) => {
    expect(redact(text)).toBe(text);
  });
});

test('the folder that a shell stands in is no password', () => {
  const text = JSON.stringify({ PWD: '/tmp/modules-6hFUKD/19', OLDPWD: '/x/q7Zk2LwP9v' });
  expect(redact(text)).toBe(text);
});

describe('private keys', () => {
  const key = privateKey();
  const kinds = ['RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', ''].map((kind) => [privateKey(kind)]);
  test.each(kinds)('become one note, whatever they are called', (text) => {
    expect(redact(`a\n${text}\nb`)).toBe('a\n[redacted: private key]\nb');
  });
  test.each([
    ['a diff', key.replaceAll(/^/gm, '+')],
    ['a quotation', key.replaceAll(/^/gm, '  | ')],
    ['a log', key.replaceAll(/^/gm, '2024-05-01T10:00:00Z app | ')],
    ['carriage returns', key.replaceAll('\n', '\r\n')],
    ['no end', key.split('\n').slice(0, 8).join('\n')],
    [
      'an older header',
      key.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n'),
    ],
  ])('are seen with %s', (_what, text) => {
    const shown = redact(`before\n${text}\nand that is all\n`);
    for (const line of key.split('\n').slice(1, 8)) expect(shown).not.toContain(line);
    expect(shown).toContain('before\n');
    expect(shown).toContain('and that is all\n');
  });
});

describe('the environment', () => {
  const secret = `${chance(9)}"\\n ${chance(9)}`;
  const env = {
    MY_SERVICE_TOKEN: 'correct-horse',
    DB_PASSWORD: secret,
    DATABASE_URL: 'postgres://app:sw0rdfish9@db/app',
    DEPLOY_KEY: privateKey(''),
    STRIPE_API_KEY: 'short',
    POSTGRES_PASSWORD: 'postgres',
    PWD: '/home/someone/project',
    SSH_KEY_PATH: '/home/someone/.ssh/id',
    MAX_OUTPUT_TOKENS: '1234567890',
    GREETING: 'hello world',
  };
  const own = makeRedactor(env);
  test('hides what a telling name holds, in every form it is printed in', () => {
    const text = [
      'use correct-horse now',
      secret,
      JSON.stringify({ error: secret }),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      'login failed for sw0rdfish9',
    ].join('\n');
    const shown = own.redact(text);
    for (const part of [
      'correct-horse',
      secret,
      secret.slice(0, 9),
      encodeURIComponent(secret),
      'sw0rdfish9',
    ])
      expect(shown).not.toContain(part);
    expect(shown).toContain('use [redacted: MY_SERVICE_TOKEN] now');
    expect(JSON.parse(shown.split('\n').find((line) => line.startsWith('{'))!)).toEqual({
      error: '[redacted: DB_PASSWORD]',
    });
  });
  test('hides each line of a longer one', () => {
    const [, second, third] = env.DEPLOY_KEY.split('\n');
    expect(own.redact(`x ${third} y ${second}`)).toBe('x [redacted: DEPLOY_KEY] y [redacted: DEPLOY_KEY]');
  });
  test('leaves common words, places, counts and what has another name', () => {
    const text = 'short postgres /home/someone/project/a.ts /home/someone/.ssh/id 1234567890 hello world';
    expect(own.redact(text)).toBe(text);
  });
});

test('reaches every text of a record, and only texts', () => {
  const token = `ghp_${chance(36)}`;
  expect(redactAll({ a: [token, 1, null, { [`x ${token}`]: true }], b: undefined }, redact)).toEqual({
    a: ['[redacted: github token]', 1, null, { 'x [redacted: github token]': true }],
    b: undefined,
  });
});

test('JSON stays JSON', () => {
  const words = fc.constantFrom(
    ...planted.map(({ text }) => text),
    '"',
    '\\',
    '\n',
    "'",
    ' token=',
    'password: "',
    'é',
  );
  const values = fc.array(words, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), values), (value) => {
      JSON.parse(redact(JSON.stringify(value)));
    }),
    { numRuns: 300 },
  );
});

test.each([
  'token=',
  'sk-',
  'eyJ',
  'password: ',
  'a:',
  '://a:',
  '://x:y',
  'curl ',
  'Bearer ',
  'cookie:a=',
  'A',
  '\n',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '--token ',
  'AAAA\n',
  '-----END ',
  'sk-a1B',
])('takes linear time for megabytes of %j', (unit) => {
  const text = unit.repeat(2 ** 21 / unit.length);
  const startMs = performance.now();
  redact(text);
  redact(`password=${text}`);
  redact(`-----BEGIN RSA PRIVATE KEY-----\n${text}`);
  expect(performance.now() - startMs).toBeLessThan(15_000);
});
