import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildCommand } from '@stricli/core';
import { makeFolder, stateRoot } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { parsed } from '../../flag.ts';
import { readHistoryRuns } from '../../past-runs.ts';
import { plural } from '../../view/words.ts';
import { writeOut } from '../../write-out.ts';

interface Flags extends CommonFlags {
  all?: boolean;
  output?: string;
}

const act = guarded(async function labExport(this: Context, flags: Flags): Promise<number> {
  const { anonymous } = await import('@agentgate/lab');
  const { runs, unread } = await readHistoryRuns(this, flags);
  const key = keyOf(this.env);
  const lines = runs.map(({ trace, gates }) => JSON.stringify(anonymous(trace, gates, key)));
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  if (flags.output === undefined) {
    for (const line of lines) this.terminal.out(line);
  } else {
    const content = flags.output.endsWith('.gz') ? gzipSync(text) : text;
    writeOut(this, flags.output, 'traces', { content });
    if (flags.json)
      this.terminal.out(JSON.stringify({ kind: 'exported', file: flags.output, traces: lines.length }));
    else this.terminal.err(`${plural(lines.length, 'trace')} in ${flags.output}.`);
  }
  if (lines.length === 0)
    this.terminal.err(
      'agentgate: no run here is over and shows anything yet; --all looks at every workspace',
    );
  for (const why of unread) this.terminal.err(`agentgate: left out: ${why}`);
  return exitCode.ok;
});

/** A word that only this machine knows: with it the same things have the same hash in every export from here. */
function keyOf(env: NodeJS.ProcessEnv): Buffer {
  const dir = join(stateRoot(env), 'lab');
  const path = join(dir, 'key');
  if (!existsSync(path)) {
    makeFolder(dir, 0o700);
    // Who is there first has written it.
    try {
      writeFileSync(path, randomBytes(32), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return readFileSync(path);
}

export const labExport = buildCommand({
  func: act,
  parameters: {
    flags: {
      all: { kind: 'boolean', brief: 'the runs of every workspace', optional: true, withNegated: false },
      output: parsed('write them to this file; gzipped when its name ends in .gz', 'file'),
      ...common,
    },
    aliases: { ...commonAliases, o: 'output' },
  },
  docs: {
    brief: 'the recorded runs as traces: numbers and hashes, nothing of code, paths or words',
    fullDescription: [
      'One line a run, in the format of docs/traces.md. Names of tasks, projects, gates and models leave as hashes',
      'under a key that stays on this machine, so that nobody can find out by guessing what they were.',
      '',
      'Example:',
      '  agentgate lab export --all -o traces.jsonl.gz',
    ].join('\n'),
  },
});
