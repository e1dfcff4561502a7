import type { RunFile } from '@agentgate/core';
import { render } from 'preact';
import { Chronicle } from './model/chronicle.ts';
import { Brand } from './parts/brand.tsx';
import { RunHead } from './parts/run-head.tsx';
import { RunView } from './parts/run-view.tsx';
import { applyTheme, ThemeButton } from './parts/theme.tsx';
import type { RunSource } from './source.ts';

/** The page of a run that carries the run in itself. It asks nobody for anything. */
function FilePage({ file, chronicle }: { file: RunFile; chronicle: Chronicle }) {
  return (
    <>
      <div class="top">
        <div class="top-in">
          <Brand />
          <nav aria-label="About this file">
            <span class="muted">
              as of <time dateTime={file.at}>{file.at.slice(0, 16).replace('T', ' ')}</time>
            </span>
          </nav>
          <ThemeButton />
        </div>
      </div>
      <main>
        <RunHead chronicle={chronicle} standing={file.standing} />
        <RunView chronicle={chronicle} version={0} source={sourceIn(file)} />
      </main>
    </>
  );
}

const sourceIn = ({ texts, diffs }: RunFile): RunSource => ({
  text: async ({ ref }) => texts[ref] ?? null,
  diff: async (from, to) =>
    from === to ? { diff: '', truncated: false } : (diffs[`${from}..${to}`] ?? null),
});

applyTheme();
const file = JSON.parse(document.getElementById('run')!.textContent ?? '') as RunFile;
const chronicle = new Chronicle();
for (const event of file.events) chronicle.take(event);
chronicle.settle();
document.title = `${chronicle.state.runId} ${chronicle.state.ended?.status ?? 'open'} · AgentGate`;
render(<FilePage file={file} chronicle={chronicle} />, document.getElementById('page')!);
