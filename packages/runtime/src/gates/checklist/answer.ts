import type { Fault, Finding, GateRequest, GateSpec } from '@agentgate/core';
import { brief, sayCommand } from '../failed.ts';
import { hash } from '../normalise.ts';
import type { Halt } from '../step.ts';

export type ChecklistGate = Extract<GateSpec, { kind: 'checklist' }> & { name: string };
export type Item = ChecklistGate['items'][number];
export type ItemOf<K extends Item['kind']> = Extract<Item, { kind: K }>;
export type Group = ItemOf<'all-of' | 'any-of'>;

/** How one item stands. */
export type Answer =
  | { kind: 'met' }
  | { kind: 'unmet'; findings: Finding[] }
  /** A person has not answered yet. */
  | { kind: 'waiting'; asks: string[] }
  | { kind: 'unable'; fault: Fault }
  | Halt;

export interface Look {
  request: GateRequest;
  untilMs: number;
  /** Where the item stands on the list, such as 2 or 2.1; with a name of its own it is called by that. */
  at: string;
}

/** What a finding about an item is called; it stays when items before it come or go. */
export function idOf(item: Item): string {
  const key = item.name ?? `${item.kind}:${contentOf(item)}`;
  return `checklist:${key.length > 100 ? `${key.slice(0, 90)}#${hash(key, 8)}` : key}`;
}

/** The item in words. */
export function wordsOf(item: Item): string {
  return item.name ?? contentOf(item);
}

function contentOf(item: Item): string {
  switch (item.kind) {
    case 'command':
    case 'not-command':
      return sayCommand(item.run);
    case 'file':
    case 'not-file':
      return item.path;
    case 'assertion':
      return item.text;
    case 'quality':
      return item.criteria.map(({ name }) => name).join(', ');
    default:
      return brief(item.items.map(wordsOf).join('; '));
  }
}

export const met: Answer = { kind: 'met' };

export function unmet(item: Item, title: string, more: Partial<Finding> = {}): Answer {
  return { kind: 'unmet', findings: [{ id: idOf(item), title, ...more }] };
}
