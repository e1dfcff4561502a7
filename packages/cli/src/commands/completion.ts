import { type Application, buildChoiceParser, buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { scripts, type Shell, shells } from '../completion/scripts.ts';
import { wordsFor } from '../completion/words.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';

interface Flags extends CommonFlags {
  words?: boolean;
}

/** The command that completes the others, so it has to be given the whole of them. */
export function makeCompletion(app: () => Application<Context>) {
  const act = guarded(async function completion(this: Context, flags: Flags, shell?: Shell): Promise<number> {
    if (flags.words) {
      const words = await wordsFor(app(), this.agentCommand, this);
      if (flags.json) this.terminal.out(JSON.stringify({ kind: 'words', words }));
      else for (const { word, brief } of words) this.terminal.out(`${word}\t${brief}`);
      return exitCode.ok;
    }
    if (shell === undefined) {
      throw new FaultError(fault('usage', `name the shell: agentgate completion ${shells.join('|')}`));
    }
    const script = scripts[shell];
    this.terminal.out(flags.json ? JSON.stringify({ kind: 'completion', shell, script }) : script.trimEnd());
    return exitCode.ok;
  });
  return buildCommand({
    func: act,
    parameters: {
      positional: {
        kind: 'tuple',
        parameters: [
          {
            parse: buildChoiceParser(shells),
            proposeCompletions: () => [...shells],
            brief: 'bash, zsh or fish',
            placeholder: 'shell',
            optional: true,
          },
        ],
      },
      flags: {
        words: {
          kind: 'boolean',
          brief: 'the words that may stand at the end of the command after --',
          optional: true,
          hidden: true,
          withNegated: false,
        },
        ...common,
      },
      aliases: commonAliases,
    },
    docs: {
      brief: 'print the script that completes commands, flags and runs in your shell',
      fullDescription:
        'For bash put the line of the example into ~/.bashrc, for zsh the same with zsh into ~/.zshrc; for fish: agentgate completion fish > ~/.config/fish/completions/agentgate.fish\n\nExample:\n  source <(agentgate completion bash)',
    },
  });
}
