import type { Proof } from '../proposed-gate.ts';

/** What a command of continuous integration proves; null when it is none of a gate's business. */
export function kindOf(command: string): Proof | null {
  const bare = command.replace(/^cd \S+ && /, '').replace(/^(\w+=\S+ +)+/, '');
  if (other.test(bare) || changes.test(bare) || (formats.test(bare) && !looks.test(bare))) return null;
  return kinds.find(([, words]) => words.test(bare))?.[0] ?? null;
}

/** Programs that fetch, tell, sign or send: never a judgement. */
const other =
  /^(sudo|apt|apt-get|apk|brew|choco|curl|wget|git|gh|aws|gcloud|az|kubectl|helm|terraform|docker|docker-compose|podman|ssh|scp|rsync|echo|printf|cat|ls|rm|cp|mv|mkdir|chmod|tar|unzip|sleep|corepack|nvm|rustup|codecov|coveralls|twine|vercel|netlify|firebase|wrangler|goreleaser|semantic-release|env|true|false|test|\[)\b/;

/** Steps that bring something in, send something out, or stay and wait. */
const changes =
  /^(npm|pnpm) (ci|i)\b|(?:^|[\s:])(install|add|setup|restore|download|publish|release|deploy|upload|push|login|sync|fetch|update|upgrade|preview|serve|start|dev|watch|bootstrap|prepare|clean|changeset|codecov)(?=$|[\s:])|--(watch|fix|write)\b/;

/** A formatter rewrites what it reads, unless it is told only to look. */
const formats = /(?:^|[\s:])(prettier|black|isort|fmt|format|gofmt|spotless\w*)(?=$|[\s:])/;
const looks = /check|--diff|--list-different|\s-l\b|verify/i;

const word = (names: string): RegExp => new RegExp(`(?:^|[\\s:/_.-])(?:${names})(?=$|[\\s:_.-])`);

const kinds: readonly [Proof, RegExp][] = [
  [
    'types',
    word(
      'tsc|vue-tsc|svelte-check|mypy|pyright|basedpyright|typecheck|type-check|types|phpstan|psalm|sorbet',
    ),
  ],
  [
    'lint',
    word(
      'lint|eslint|oxlint|biome|ruff|flake8|pylint|black|isort|clippy|vet|golangci-lint|staticcheck|rubocop|prettier|fmt|format|format-check|stylelint|shellcheck|ktlint|spotless|credo|hadolint|yamllint|markdownlint',
    ),
  ],
  [
    'tests',
    word(
      'test|tests|spec|pytest|vitest|jest|mocha|ava|rspec|phpunit|pest|ctest|unittest|tox|nox|nextest|playwright|cypress|e2e|unit|integration|verify',
    ),
  ],
  ['build', word('build|compile|assemble|package|bundle')],
];
