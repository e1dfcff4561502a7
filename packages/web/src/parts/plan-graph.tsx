import type { PlanNode } from '@agentgate/core';
import { useMemo } from 'preact/hooks';
import { itemWord } from '../model/item-word.ts';
import { drawPlan } from '../model/plan-layout.ts';
import { Bar } from './meter.tsx';
import { toneOf } from './pill.tsx';

/** A plan as it is drawn: what waits for what, what is inside of what, and how far each is. */
export function PlanGraph({
  items,
  selected,
  onSelect,
}: {
  items: readonly PlanNode[];
  selected: string | null;
  onSelect(id: string): void;
}) {
  const { boxes, edges, width, height } = useMemo(() => drawPlan(items), [items]);
  const done = new Set(boxes.filter(({ node }) => node.status.startsWith('done')).map(({ node }) => node.id));
  return (
    <div class="plan-scroller" tabIndex={0} role="group" aria-label="The plan, drawn">
      <div class="plan-graph" style={{ width: `${width}px`, height: `${height}px` }}>
        {boxes
          .filter(({ node }) => node.children.length > 0)
          .map(({ node, x, y, width: w, height: h, depth }) => (
            <div
              key={node.id}
              class={`group${node.resolvedBy === 'any' ? ' any' : ''}${depth % 2 ? ' deep' : ''}`}
              style={{ left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` }}
              aria-hidden="true"
            />
          ))}
        <svg width={width} height={height} aria-hidden="true">
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 6 6"
              refX="1"
              refY="3"
              markerWidth="6"
              markerHeight="6"
              orient="auto"
            >
              <path d="M0 0L6 3L0 6z" class="arrow" />
            </marker>
          </defs>
          {edges.map(({ from, to, path }) => (
            <path
              key={`${from} ${to}`}
              class={`edge${done.has(from) ? ' met' : ''}${selected === from || selected === to ? ' chosen' : ''}`}
              d={path}
              marker-end="url(#arrow)"
            />
          ))}
        </svg>
        <ul class="plain">
          {boxes.map(({ node, x, y, width: w, height: h }) => (
            <li key={node.id}>
              <button
                type="button"
                class={`item s-${toneOf(node.status)}${node.children.length > 0 ? ' head' : ''}${node.chosen === false ? ' other' : ''}`}
                aria-pressed={selected === node.id}
                style={{
                  left: `${x}px`,
                  top: `${y}px`,
                  width: `${w}px`,
                  height: node.children.length > 0 ? '48px' : `${h}px`,
                }}
                title={node.title}
                onClick={() => onSelect(node.id)}
              >
                <span class="item-title">{node.title}</span>
                <span class="item-status">
                  <i aria-hidden="true" />
                  {itemWord(node).replaceAll('-', ' ')}
                  {node.resolvedBy === 'any' && ', one of these'}
                  {node.children.length === 0 && (
                    <span class="muted">
                      {node.used} of {node.limit}
                    </span>
                  )}
                </span>
                {node.children.length === 0 && (
                  <Bar share={node.limit > 0 ? Math.min(1, node.used / node.limit) : 0} />
                )}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
