import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { findSpecFile, loadSpec, openHome, startRun } from '@agentgate/runtime';
import { stringify } from 'yaml';
import { type CommonFlags, type Context, common, commonAliases, guarded, quietFlag } from '../context.ts';
import { driveRun, type OutputFlags } from '../drive-run.ts';
import { exitCode } from '../exit-code.ts';
import { refuseSpec } from '../refuse.ts';

const act = guarded(async function demo(this: Context, flags: CommonFlags & OutputFlags): Promise<number> {
  const root = makeProject();
  const home = openHome(root, this.env);
  const loaded = await loadSpec(home.root, findSpecFile(home.root), [], { alone: true });
  if (loaded.kind === 'invalid') return refuseSpec(this, flags, root, loaded);
  const talk = !flags.json && !flags.quiet;
  if (talk) this.terminal.out(`A small broken project in ${root}, and a scripted agent that mends it.\n`);
  const code = await driveRun(this, flags, home, (door) =>
    startRun({ home, version: this.version, ...door }, loaded),
  );
  if (talk && code === exitCode.ok) {
    this.terminal.out('\nFor your own project, paste this where it lies:');
    this.terminal.out(`  ${commandName(this.env)} run -p "what to do" --gate "npm test" --agent claude`);
  }
  return code;
});

/** The gates need real tools; where one is not installed, the demo goes without its gate. */
function makeProject(): string {
  const source = join(packageRoot(), 'demo');
  const root = mkdtempSync(join(tmpdir(), 'agentgate-demo-'));
  cpSync(join(source, 'project'), root, { recursive: true });
  cpSync(join(source, 'script.yaml'), join(root, '.agent', 'script.yaml'));
  const tsc = findTool('typescript', 'bin/tsc');
  const oxlint = findTool('oxlint', 'bin/oxlint');
  const spec = {
    task: { file: 'TASK.md' },
    agent: { kind: 'scripted', script: '.agent/script.yaml' },
    gates: {
      tests: { run: 'node --test', report: 'tap' },
      ...(tsc ? { types: { run: [process.execPath, tsc, '-p', '.'] } } : {}),
      ...(oxlint
        ? {
            lint: {
              run: [process.execPath, oxlint, '--deny-warnings', '--format', 'unix', 'src'],
              severity: 'soft',
            },
          }
        : {}),
    },
    limits: { iterations: 10, wallClock: '5m', cost: '2usd' },
  };
  writeFileSync(join(root, 'agentgate.yaml'), stringify(spec));
  return root;
}

/** The directory of this package, from its source as from its bundle. */
function packageRoot(): string {
  let dir = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(dir, 'demo', 'script.yaml'))) {
    if (dir === dirname(dir))
      throw new FaultError(
        fault('demo.missing', 'the bundled example is not in this package; install it anew'),
      );
    dir = dirname(dir);
  }
  return dir;
}

function findTool(name: string, program: string): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), program);
  } catch {
    // Not installed beside agentgate; the demo says less, not more.
    return null;
  }
}

function commandName(env: NodeJS.ProcessEnv): string {
  return env['AGENTGATE_COMMAND'] ?? 'agentgate';
}

export const demo = buildCommand({
  func: act,
  parameters: {
    flags: {
      quiet: quietFlag,
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'watch a scripted agent converge on a small broken project',
    fullDescription: 'Needs no model, no key and no network.\n\nExample:\n  agentgate demo',
  },
});
