import { AnswerError, adaptStrategy, hasShape, StrategyShapeError, type UserStrategy } from '@agentgate/core';
import { type ChildRequest, type FailureCode, maxAnswer, type ModuleName, type Reply } from '../protocol.ts';
import { explain, whereIn } from './explain.ts';
import { checkSyntax, exportsOf, loadModule, type Namespace } from './load.ts';

/** Answers requests about one module. Never throws for what the module does. */
export function makeServer(): (request: ChildRequest) => Promise<Reply> {
  let strategy: UserStrategy | null = null;
  let root = '';
  const ask = (act: (strategy: UserStrategy) => unknown): Promise<Reply> | Reply => {
    const asked = strategy;
    return asked
      ? attempt('threw', root, () => act(asked))
      : failed('unable', 'was asked before it was loaded');
  };
  return async (request) => {
    switch (request.op) {
      case 'load': {
        const loading = await loadStrategy(request);
        if (loading.kind === 'failed') return loading;
        strategy = loading.value as UserStrategy;
        root = request.root;
        return { kind: 'value', value: null };
      }
      case 'decide':
        return ask(async (asked) => ({
          advice: await asked.decide(request.context),
          ...(await keep(asked)),
        }));
      case 'end':
        return ask(async (asked) => void (await asked.onLoopEnd?.(request.ending)));
      case 'judge':
        return judge(request);
    }
  };
}

async function loadStrategy(request: Extract<ChildRequest, { op: 'load' }>): Promise<Reply> {
  const { root, config = {}, state } = request;
  const found = await find(request, 'strategy');
  if (found.kind === 'failed') return found;
  const made = await attempt('config', root, async () => {
    const strategy = adaptStrategy(found.value, config, { workspace: root });
    await strategy.initialize?.(config);
    return strategy;
  });
  if (made.kind === 'failed' || state === undefined) return made;
  const restored = await attempt('threw', root, () => (made.value as UserStrategy).restore?.(state));
  return restored.kind === 'failed' ? restored : made;
}

async function judge(request: Extract<ChildRequest, { op: 'judge' }>): Promise<Reply> {
  const found = await find(request, 'gate');
  if (found.kind === 'failed') return found;
  const { value } = found;
  if (typeof value === 'function') {
    return attempt('threw', request.root, () => (value as (given: unknown) => unknown)(request.request));
  }
  return failed(
    'interface',
    `${request.name} is a value of type ${typeof value}; a gate is a function that gets a request and answers {passed, findings}`,
  );
}

/** Finds what the module exports under a name. A module without a default export may itself be the strategy. */
async function find({ module, root, name }: ModuleName, kind: 'strategy' | 'gate'): Promise<Reply> {
  const loading = await attempt('import', root, () => loadModule(module));
  if (loading.kind === 'failed') return placed(loading, module, root);
  const namespace = loading.value as Namespace;
  const exported = exportsOf(namespace);
  const value = namespace[name] ?? exported[name];
  if (value !== undefined) return { kind: 'value', value };
  const isWhole = kind === 'strategy' && name === 'default';
  if (isWhole && hasShape(namespace)) return { kind: 'value', value: namespace };
  const names = Object.keys(exported);
  if (isWhole) return failed('export', new StrategyShapeError('it exports no default and', names).message);
  return failed('export', `it exports no ${name}; it exports: ${names.join(', ') || 'nothing'}`);
}

function placed(reply: Extract<Reply, { kind: 'failed' }>, module: string, root: string): Reply {
  const { failure } = reply;
  if (failure.where !== undefined || !failure.detail.startsWith('SyntaxError')) return reply;
  const where = whereIn(checkSyntax(module), root);
  return where === undefined ? reply : { kind: 'failed', failure: { ...failure, where } };
}

/** A state that cannot be kept costs the state, not the advice. */
async function keep(strategy: UserStrategy): Promise<{ state?: unknown; stateProblem?: string }> {
  try {
    const text = JSON.stringify(await strategy.snapshot?.());
    if (text === undefined) return {};
    if (text.length <= maxAnswer) return { state: JSON.parse(text) };
    return { stateProblem: `it has ${text.length} characters; at most ${maxAnswer} are kept` };
  } catch (error) {
    return { stateProblem: explain('threw', error, '').detail };
  }
}

async function attempt(code: FailureCode, root: string, act: () => unknown): Promise<Reply> {
  try {
    return { kind: 'value', value: await act() };
  } catch (error) {
    if (error instanceof AnswerError) return failed('garbage', error.message);
    if (error instanceof StrategyShapeError) return failed('interface', error.message);
    return { kind: 'failed', failure: explain(code, error, root) };
  }
}

const failed = (code: FailureCode, detail: string): Reply => ({ kind: 'failed', failure: { code, detail } });
