import { showDuration, showMoney } from '@agentgate/core';
import { useState } from 'preact/hooks';
import type { Chapter, Chronicle, Judged } from '../model/chronicle.ts';
import { evidenceIn } from '../model/evidence.ts';
import { type Standing, standingAt, type Track } from '../model/findings.ts';
import { flagsOf } from '../model/flags.ts';
import { markSigns, markWords } from '../model/gate-mark.ts';
import type { RunSource } from '../source.ts';
import { DiffView } from './diff-view.tsx';
import { Tabs } from './tabs.tsx';
import { TextView } from './text-view.tsx';

/** Everything about one iteration: why it went on, what failed, what was said, what changed. */
export function IterationPanel({
  chronicle,
  chapter,
  source,
}: {
  chronicle: Chronicle;
  chapter: Chapter;
  source: RunSource;
}) {
  const [tab, setTab] = useState('story');
  const { iteration } = chapter;
  const before = chronicle.chapters.findLast((one) => one.iteration < iteration && one.tree !== null) ?? null;
  const changes = chapter.changed;
  const files = changes ? changes.added + changes.modified + changes.deleted : undefined;
  const tabs = [
    { id: 'story', title: 'Story' },
    { id: 'findings', title: 'Findings', note: chapter.wasJudged ? openIn(chapter) : undefined },
    { id: 'gates', title: 'Gates', note: chapter.judged.size },
    ...(iteration === 0
      ? []
      : [
          { id: 'agent', title: 'Agent' },
          { id: 'feedback', title: 'Feedback' },
          { id: 'changes', title: 'Changes', note: files },
        ]),
  ];
  const chosen = tabs.some(({ id }) => id === tab) ? tab : 'story';
  return (
    <section class="card" aria-label={`Iteration ${iteration}`}>
      <header class="row">
        <h2>{iteration === 0 ? 'Baseline' : `Iteration ${iteration}`}</h2>
        <p class="muted facts">
          {chapter.tree !== null && <code title={chapter.tree}>{chapter.tree.slice(0, 6)}</code>}
          {chapter.tookMs > 0 && <span>{showDuration(chapter.tookMs)}</span>}
          <Cost chronicle={chronicle} chapter={chapter} />
          {!chapter.closed && <span>not finished</span>}
        </p>
      </header>
      <Tabs name="iteration" tabs={tabs} chosen={chosen} onChoose={setTab}>
        {chosen === 'story' && <StoryTab chronicle={chronicle} chapter={chapter} />}
        {chosen === 'findings' && <FindingsTab chronicle={chronicle} chapter={chapter} />}
        {chosen === 'gates' && <GatesTab chapter={chapter} source={source} />}
        {chosen === 'agent' && <TextView source={source} text={chapter.output} empty={silence(chapter)} />}
        {chosen === 'feedback' && (
          <>
            <TextView
              source={source}
              text={chapter.feedback}
              empty="The first iteration is given the task and the baseline only."
            />
            <details>
              <summary>The whole prompt</summary>
              <TextView source={source} text={chapter.prompt} empty="There was no prompt." />
            </details>
          </>
        )}
        {chosen === 'changes' &&
          (chapter.tree !== null && before?.tree ? (
            <DiffView source={source} from={before.tree} to={chapter.tree} />
          ) : (
            <p class="muted">There is no tree of this iteration yet.</p>
          ))}
      </Tabs>
    </section>
  );
}

/** How many findings are open. A gate that could not run is red and found nothing. */
const openIn = ({ counts }: Chapter): number =>
  Object.entries(counts).reduce((sum, [standing, count]) => (standing === 'fixed' ? sum : sum + count), 0);

function Cost({ chronicle, chapter }: { chronicle: Chronicle; chapter: Chapter }) {
  const before = chronicle.chapter(chapter.iteration - 1);
  const cost = (chapter.used.costUsd ?? 0) - (before?.used.costUsd ?? 0);
  return chapter.closed && cost > 0 ? <span>{showMoney(cost)}</span> : null;
}

function StoryTab({ chronicle, chapter }: { chronicle: Chronicle; chapter: Chapter }) {
  // A claim is told in the sentences already.
  const flags = flagsOf(chronicle).filter(
    (one) => one.iteration === chapter.iteration && one.kind !== 'claim',
  );
  const { build } = chapter;
  return (
    <div class="story">
      {chapter.told.map((sentence, index) => (
        <p key={index} class={index === 0 ? 'lead' : ''}>
          {sentence}
        </p>
      ))}
      {chapter.told.length === 0 && (
        <p class="muted">{chapter.closed ? 'Nothing is told of it.' : 'It is under way.'}</p>
      )}
      {build && build.kind === 'failed' && <p class="problem">The agent failed: {build.detail}</p>}
      {flags.length > 0 && (
        <ul class="plain">
          {flags.map((flag, index) => (
            <li key={index} class={`flag-line f-${flag.kind}`}>
              {flag.text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const order: Standing[] = ['new', 'unmasked', 'still', 'pre-existing', 'flaky', 'fixed', 'hidden'];
const most = 100;

function FindingsTab({ chronicle, chapter }: { chronicle: Chronicle; chapter: Chapter }) {
  const groups = new Map<Standing, Track[]>();
  for (const track of chronicle.findings.tracks.values()) {
    const standing = standingAt(track, chapter.iteration);
    if (!standing) continue;
    const group = groups.get(standing) ?? [];
    groups.set(standing, group);
    group.push(track);
  }
  if (groups.size === 0) return <p class="muted">No finding in this iteration.</p>;
  const evidence = evidenceIn(chapter);
  return (
    <div class="groups">
      {order.flatMap((standing) => {
        const tracks = groups.get(standing);
        if (!tracks) return [];
        return [
          <section key={standing}>
            <h3 class={`g-${standing}`}>
              {standing} <span class="count">{tracks.length}</span>
            </h3>
            <ul class="plain mono">
              {tracks.slice(0, most).map(({ key, gate, title }) => (
                <li key={key}>
                  {gate}: {title}
                  {evidence.get(key) && <span class="muted sub">{evidence.get(key)}</span>}
                </li>
              ))}
              {tracks.length > most && <li class="muted">and {tracks.length - most} more</li>}
            </ul>
          </section>,
        ];
      })}
    </div>
  );
}

function GatesTab({ chapter, source }: { chapter: Chapter; source: RunSource }) {
  if (chapter.judged.size === 0) return <p class="muted">No gate was judged.</p>;
  return (
    <div class="gate-list">
      {[...chapter.judged.values()].map((one) => (
        <GateLine key={one.gate} judged={one} chapter={chapter} source={source} />
      ))}
    </div>
  );
}

function GateLine({ judged, chapter, source }: { judged: Judged; chapter: Chapter; source: RunSource }) {
  const [open, setOpen] = useState(false);
  const { verdict, gate } = judged;
  const known = chapter.marks.get(gate);
  const mark = known?.mark ?? (verdict.kind === 'passed' ? 'passed' : verdict.kind);
  const tests = verdict.kind === 'passed' || verdict.kind === 'failed' ? verdict.tests : undefined;
  return (
    <div class="gate-line">
      <button type="button" class="file-name" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class={`sign m-${mark}`} aria-hidden="true">
          {markSigns[mark]}
        </span>
        <b>{gate}</b>
        <span>{markWords[mark]}</span>
        <span class="counts muted">
          {tests && `${tests.passed} passed, ${tests.failed} failed · `}
          {verdict.kind === 'failed' &&
            `${verdict.findings.length} ${verdict.findings.length === 1 ? 'finding' : 'findings'} · `}
          {showDuration(judged.tookMs)}
          {judged.rung !== null && ` · ${judged.rung}`}
        </span>
      </button>
      {open && (
        <div class="inset">
          {noteOf(verdict) !== '' && <p>{noteOf(verdict)}</p>}
          <TextView source={source} text={judged.output} empty="It printed nothing." />
        </div>
      )}
    </div>
  );
}

function noteOf(verdict: Judged['verdict']): string {
  switch (verdict.kind) {
    case 'unable':
      return verdict.fault.message;
    case 'timed-out':
      return `It ran out of time after ${showDuration(verdict.afterMs)}.`;
    case 'pending':
    case 'passed':
      return verdict.note ?? '';
    case 'skipped':
      return verdict.why;
    case 'failed':
      return verdict.note ?? '';
  }
}

/** Of an agent whose controller was killed nobody knows what it printed. */
const silence = ({ build }: Chapter): string =>
  build?.kind === 'interrupted'
    ? 'What the agent printed was not recorded: it was cut short.'
    : 'The agent printed nothing.';
