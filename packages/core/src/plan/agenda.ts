import { Grounds } from './grounds.ts';
import { MinHeap } from './min-heap.ts';
import type { ItemStatus } from './plan-decision.ts';
import { hasOwnGates, type Plan, type WorkItem } from './work-item.ts';

/** What the agenda asks of the items; the answers are kept elsewhere. */
export interface Standing {
  statusOf(id: string): ItemStatus;
  /** The alternative that is tried, of a group that has some. */
  choiceOf(group: string): string | null;
}

/**
 * Which items can be worked on, kept up to date as they are settled. An item is open when its dependencies and those of
 * everything around it are satisfied and it is no alternative that nobody chose; it is ready when it is open, nothing of
 * it is left to others, and it is not settled.
 */
export class Agenda {
  /** The items in their order: by priority, then as they were written, children behind their parents. */
  readonly items: readonly WorkItem[];
  readonly #at = new Map<string, number>();
  readonly #parent: Int32Array;
  readonly #children: number[][];
  readonly #dependents: number[][];
  readonly #unmet: Int32Array;
  /** Children that are not resolved yet. */
  readonly #left: Int32Array;
  readonly #isOpen: Uint8Array;
  readonly #isSatisfied: Uint8Array;
  readonly #share: Float64Array;
  /** What the children of each weigh together. */
  readonly #weight: Float64Array;
  /** How much of each is in the potential. */
  readonly #counted: Float64Array;
  readonly #ready = new MinHeap();
  readonly #standing: Standing;
  readonly #countsDeferred: boolean;
  #grounds: Grounds | null = null;
  #potential = 0;

  constructor(plan: Plan, standing: Standing) {
    this.items = inOrder(plan.items);
    const count = this.items.length;
    this.#standing = standing;
    this.#countsDeferred = plan.allowDeferredDeps;
    for (const [at, { id }] of this.items.entries()) this.#at.set(id, at);
    this.#parent = new Int32Array(count).fill(-1);
    this.#children = this.items.map(() => []);
    this.#dependents = this.items.map(() => []);
    this.#unmet = new Int32Array(count);
    this.#left = new Int32Array(count);
    this.#isOpen = new Uint8Array(count);
    this.#isSatisfied = new Uint8Array(count);
    this.#share = new Float64Array(count);
    this.#weight = new Float64Array(count);
    this.#counted = new Float64Array(count);
    this.#link();
    this.#weigh();
    for (const at of this.items.keys()) if (this.#parent[at] === -1) this.#open(at);
  }

  has(id: string): boolean {
    return this.#at.has(id);
  }

  item(id: string): WorkItem {
    return this.items[this.#at.get(id)!]!;
  }

  orderOf(id: string): number {
    return this.#at.get(id)!;
  }

  childrenOf(id: string): WorkItem[] {
    return this.#children[this.#at.get(id)!]!.map((at) => this.items[at]!);
  }

  /** Those that name it as a dependency. */
  dependentsOf(id: string): WorkItem[] {
    return this.#dependents[this.#at.get(id)!]!.map((at) => this.items[at]!);
  }

  /** The groups that an item is an alternative of, the nearest first: what judges these judges it. */
  groupsAround(id: string): WorkItem[] {
    const found: WorkItem[] = [];
    for (let { parent } = this.item(id); parent !== null; ) {
      const group = this.item(parent);
      if (group.resolvedBy !== 'any') break;
      found.push(group);
      parent = group.parent;
    }
    return found;
  }

  /** Whether it is judged beside what its parts brought, by its own gates or by those of what it is an alternative of. */
  isJudgedAsWhole(id: string): boolean {
    return [this.item(id), ...this.groupsAround(id)].some(hasOwnGates);
  }

  /** Weighted work that nobody has done yet: leaves alone count, alternatives that were not chosen do not. */
  get potential(): number {
    return this.#potential;
  }

  shareOf(id: string): number {
    return this.#share[this.#at.get(id)!]!;
  }

  isReady(id: string): boolean {
    return this.#isReady(this.#at.get(id)!);
  }

  /** Whether its dependencies, and those of what it is a part of, are satisfied. */
  isOpen(id: string): boolean {
    return this.#isOpen[this.#at.get(id)!] === 1;
  }

  isSatisfied(id: string): boolean {
    return this.#isSatisfied[this.#at.get(id)!] === 1;
  }

  /** How many of those that are ready `accepts` takes, counted up to `most`. */
  countReady(accepts: (item: WorkItem) => boolean, most: number): number {
    const found = new Set<number>();
    for (const at of this.#ready.values) {
      if (found.size >= most) break;
      if (this.#isReady(at) && accepts(this.items[at]!)) found.add(at);
    }
    return found.size;
  }

  /**
   * The first item in the order that is ready, that `accepts` takes, and that overlaps with none of those that it would
   * be worked on `beside`.
   */
  next(
    accepts: (item: WorkItem) => boolean = () => true,
    beside: readonly (readonly string[] | null)[] = [],
  ): WorkItem | null {
    // One that was settled since it was put there is dropped.
    for (let at = this.#ready.top; at !== null && !this.#isReady(at); at = this.#ready.top) this.#ready.pop();
    // What is overlapped is asked of each list of paths and not of each item: there are few, and many items.
    this.#grounds ??= new Grounds(this.items);
    const isFree = beside.length === 0 ? null : this.#grounds.freeOf(beside);
    if (isFree !== null && !isFree.includes(1)) return null;
    // Mostly the first is taken; where many are not, looking at all of them is cheaper than to take them out in order.
    let found: number | null = null;
    for (const at of this.#ready.values) {
      if (found !== null && at >= found) continue;
      if (isFree !== null && isFree[this.#grounds.of[at]!] === 0) continue;
      if (!this.#isReady(at) || !accepts(this.items[at]!)) continue;
      found = at;
      if (at === this.#ready.top) break;
    }
    return found === null ? null : this.items[found]!;
  }

  /** Its status has changed: what waited for it may be ready now. Only for items that come nearer to their end. */
  settled(id: string): void {
    const at = this.#at.get(id)!;
    const status = this.#standing.statusOf(id);
    if (this.#counts(status)) this.#satisfy(at);
    else if (status !== 'done' && status !== 'done-with-caveats') this.#offer(at);
    this.#recount(at);
  }

  #link(): void {
    for (const [at, item] of this.items.entries()) {
      const parent = item.parent === null ? -1 : this.#at.get(item.parent)!;
      this.#parent[at] = parent;
      if (parent !== -1) {
        this.#children[parent]!.push(at);
        this.#weight[parent]! += item.weight;
      }
      for (const id of item.dependsOn) this.#dependents[this.#at.get(id)!]!.push(at);
    }
    for (const [at, { id }] of this.items.entries())
      if (this.#counts(this.#standing.statusOf(id))) this.#isSatisfied[at] = 1;
    for (const [at, { dependsOn }] of this.items.entries()) {
      this.#unmet[at] = dependsOn.filter((id) => this.#isSatisfied[this.#at.get(id)!] === 0).length;
      this.#left[at] = this.#children[at]!.filter((child) => !this.#isResolved(child)).length;
    }
  }

  /** Parents come before their children in the order, so that their share is known. */
  #weigh(): void {
    for (const [at, item] of this.items.entries()) {
      const parent = this.#parent[at]!;
      this.#share[at] = parent === -1 ? item.weight : this.#shareIn(parent, item);
    }
    for (const at of this.items.keys()) {
      this.#counted[at] = this.#pending(at);
      this.#potential += this.#counted[at]!;
    }
  }

  #shareIn(parent: number, item: WorkItem): number {
    const { id, resolvedBy } = this.items[parent]!;
    const whole = this.#share[parent]!;
    if (resolvedBy === 'any') return this.#standing.choiceOf(id) === item.id ? whole : 0;
    return (whole * item.weight) / this.#weight[parent]!;
  }

  /** How much of the work lies in this item itself and is not done. */
  #pending(at: number): number {
    if (this.#children[at]!.length > 0 || this.#isResolved(at)) return 0;
    // A group that is settled as a whole takes its parts along.
    for (let up = this.#parent[at]!; up !== -1; up = this.#parent[up]!) if (this.#isResolved(up)) return 0;
    return this.#share[at]!;
  }

  #recount(at: number): void {
    const leaves = this.#children[at]!.length === 0 ? [at] : this.#leavesBelow(at);
    for (const leaf of leaves) {
      const now = this.#pending(leaf);
      this.#potential += now - this.#counted[leaf]!;
      this.#counted[leaf] = now;
    }
  }

  #leavesBelow(at: number): number[] {
    return this.#children[at]!.flatMap((child) =>
      this.#children[child]!.length === 0 ? [child] : this.#leavesBelow(child),
    );
  }

  #counts(status: ItemStatus): boolean {
    return (
      status === 'done' || status === 'done-with-caveats' || (status === 'deferred' && this.#countsDeferred)
    );
  }

  #isResolved(at: number): boolean {
    const status = this.#standing.statusOf(this.items[at]!.id);
    return status === 'done' || status === 'done-with-caveats' || status === 'deferred';
  }

  #satisfy(at: number): void {
    if (this.#isSatisfied[at] === 1) return;
    this.#isSatisfied[at] = 1;
    for (const waiting of this.#dependents[at]!) {
      this.#unmet[waiting]! -= 1;
      if (this.#unmet[waiting] === 0) this.#open(waiting);
    }
  }

  /** A child was resolved: its parent may have its own turn now. */
  childResolved(id: string): void {
    const at = this.#at.get(id)!;
    this.#left[at] = this.#children[at]!.filter((child) => !this.#isResolved(child)).length;
    this.#offer(at);
  }

  #open(at: number): void {
    const parent = this.#parent[at]!;
    if (this.#unmet[at]! > 0 || (parent !== -1 && !this.#isChosen(parent, at))) return;
    this.#isOpen[at] = 1;
    this.#offer(at);
    for (const child of this.#children[at]!) this.#open(child);
  }

  #isChosen(parent: number, child: number): boolean {
    if (this.#isOpen[parent] === 0) return false;
    const { id, resolvedBy, deferred } = this.items[parent]!;
    if (deferred) return false;
    return resolvedBy !== 'any' || this.#standing.choiceOf(id) === this.items[child]!.id;
  }

  #offer(at: number): void {
    if (this.#isReady(at)) this.#ready.push(at);
  }

  #isReady(at: number): boolean {
    if (this.#isOpen[at] === 0) return false;
    const item = this.items[at]!;
    const status = this.#standing.statusOf(item.id);
    if (status !== 'not-started' && status !== 'in-progress') return false;
    if (this.#children[at]!.length === 0) return item.resolvedBy === null;
    return item.resolvedBy === 'all' && this.#left[at] === 0 && this.isJudgedAsWhole(item.id);
  }
}

/** Children behind their parents; neighbours by priority, then as they were written. */
export function inOrder(items: readonly WorkItem[]): WorkItem[] {
  const children = new Map<string | null, WorkItem[]>();
  for (const item of items) {
    const siblings = children.get(item.parent);
    if (siblings) siblings.push(item);
    else children.set(item.parent, [item]);
  }
  for (const siblings of children.values())
    if (siblings.some(({ priority }) => priority !== null))
      siblings.sort((a, b) => (a.priority ?? Number.MAX_VALUE) - (b.priority ?? Number.MAX_VALUE));
  const ordered: WorkItem[] = [];
  const stack = (children.get(null) ?? []).toReversed();
  for (let item = stack.pop(); item; item = stack.pop()) {
    ordered.push(item);
    for (const child of (children.get(item.id) ?? []).toReversed()) stack.push(child);
  }
  return ordered;
}
