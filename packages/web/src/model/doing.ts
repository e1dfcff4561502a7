import { moveNames, type RunState, waitsSince } from '@agentgate/core';
import type { Chronicle } from './chronicle.ts';
import { sentence } from './title.ts';

/** What a run does now, in a sentence without its full stop, and since when. */
export interface Doing {
  what: string;
  since: string;
  /** Whether time of the run passes. */
  isWork: boolean;
}

/** Null once the run has ended. */
export function doingOf({ state, since }: Chronicle): Doing | null {
  if (state.ended || state.seq === 0) return null;
  const { what, isWork } = stepOf(state);
  // A wait is recorded in parts, and each of them begins a step.
  return { what, since: state.open?.kind === 'wait' ? waitsSince(state, since) : since, isWork };
}

/** The same for people, who must not take a run that was cut short for one that works. */
export function sayDoing({ what }: Doing, standing: string): string {
  switch (standing) {
    case 'cut-short':
      return `Cut short, and nobody drives it now; the last that is recorded: ${what}. Resume goes on from there`;
    case 'damaged':
      return `Its log is damaged; the last that can be read: ${what}`;
    default:
      return sentence(what);
  }
}

function stepOf(state: RunState): { what: string; isWork: boolean } {
  const { open, current, iteration, paused } = state;
  if (paused) return { what: 'paused between two iterations', isWork: false };
  if (!open) return { what: iteration === 0 ? 'about to begin' : 'deciding', isWork: true };
  switch (open.kind) {
    case 'measure-baseline': {
      const gate = nextGate(state);
      return { what: gate ? `baseline: judging ${gate}` : 'baseline', isWork: true };
    }
    case 'start-iteration':
      return current?.build
        ? { what: `iteration ${iteration}: taking the snapshot`, isWork: true }
        : { what: `iteration ${iteration}: the agent works`, isWork: true };
    case 'judge': {
      const gate = open.gates.find((one) => !current?.verdicts.has(one));
      return { what: `iteration ${iteration}: judging${gate ? ` ${gate}` : ''}`, isWork: true };
    }
    case 'confirm':
      return { what: `iteration ${iteration}: confirming the tree`, isWork: true };
    case 'control':
      return { what: 'judging the gates without the change', isWork: true };
    case 'consult':
      return { what: 'asking the strategy', isWork: true };
    case 'make-move':
      return { what: `changing something: ${moveNames[open.move]}`, isWork: true };
    case 'notify':
      return { what: 'telling a person', isWork: false };
    case 'ask':
    case 'wait':
      return { what: open.because.reason, isWork: false };
    case 'end-run':
      return { what: 'ending', isWork: true };
  }
}

function nextGate({ spec, current }: RunState): string | null {
  return spec?.gates.find((one) => !current?.verdicts.has(one.name))?.name ?? null;
}
