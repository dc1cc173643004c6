/**
 * Holds, derived from the state and never stored: what an open sync question (later: an open RFC) stops.
 * `heldWork` spreads from the holders outward; `blocksOf` climbs from one item. A property test holds them equal,
 * and equal to the recursive query of the projection.
 */
import { isHolding } from './state.ts';
import type { Question, State, WorkItem } from './state.ts';
import type { EffectiveStatus } from './words.ts';

/** One reason why a work item is held. `via` is the item the question names (or its workflow, if critical). */
export interface Block {
  readonly holder: Question;
  readonly via: string;
}

/** Open sync questions, oldest first. */
export function openHolders(state: State): Question[] {
  const open: Question[] = [];
  for (const id of state.holders) {
    const question = state.questions.get(id);
    if (question && isHolding(question)) open.push(question);
  }
  return open;
}

/** The work items a question holds by itself: what it names, and the whole workflow when it is critical. */
export function directlyHeld(state: State, question: Question): string[] {
  const item = question.work === null ? undefined : state.work.get(question.work);
  if (!item) return [];
  return question.urgency === 'critical' && item.workflow !== null ? [item.id, item.workflow] : [item.id];
}

/** Holders by the items they hold directly: made once for many `blocksOf`. */
export function holdersByItem(state: State): Map<string, Question[]> {
  const byItem = new Map<string, Question[]>();
  for (const question of openHolders(state))
    for (const id of directlyHeld(state, question)) {
      const found = byItem.get(id);
      if (found) found.push(question);
      else byItem.set(id, [question]);
    }
  return byItem;
}

/** What an item waits for directly: its workflow and its dependencies. */
function upward(item: WorkItem): string[] {
  return item.workflow === null ? [...item.dependsOn] : [item.workflow, ...item.dependsOn];
}

/** Every reason why one item is held; empty when it is free. Cycle-safe. */
export function blocksOf(state: State, id: string, byItem = holdersByItem(state)): Block[] {
  if (byItem.size === 0) return [];
  const blocks = new Map<string, Block>();
  const seen = new Set([id]);
  for (const current of seen) {
    for (const holder of byItem.get(current) ?? [])
      if (!blocks.has(holder.id)) blocks.set(holder.id, { holder, via: current });
    const item = state.work.get(current);
    if (item) for (const next of upward(item)) seen.add(next);
  }
  return [...blocks.values()];
}

/** All held items, each with the ids of its holders. Cycle-safe, no limit. */
export function heldWork(state: State): Map<string, Set<string>> {
  const below = dependants(state);
  const held = new Map<string, Set<string>>();
  for (const question of openHolders(state))
    for (const id of spread(below, directlyHeld(state, question))) {
      const found = held.get(id);
      if (found) found.add(question.id);
      else held.set(id, new Set([question.id]));
    }
  return held;
}

/** For each item, the items that wait for it directly. */
function dependants(state: State): Map<string, string[]> {
  const below = new Map<string, string[]>();
  for (const item of state.work.values())
    for (const target of upward(item)) {
      const found = below.get(target);
      if (found) found.push(item.id);
      else below.set(target, [item.id]);
    }
  return below;
}

function spread(below: ReadonlyMap<string, readonly string[]>, start: readonly string[]): Set<string> {
  const reached = new Set(start);
  for (const id of reached) for (const next of below.get(id) ?? []) reached.add(next);
  return reached;
}

/** What one question would hold or holds: the items it names, and those that wait for them. */
export function cascade(state: State, question: Question): { direct: string[]; dependants: string[] } {
  const direct = directlyHeld(state, question);
  const all = spread(dependants(state), direct);
  return { direct, dependants: [...all].filter((id) => !direct.includes(id)) };
}

/** The status to show and obey. `blocked_pending_approval` is reserved for RFC holds. */
export function effectiveStatus(item: WorkItem, blocks: readonly Block[]): EffectiveStatus {
  return blocks.length > 0 ? 'blocked_pending_human_input' : item.status;
}

/** The globs a question holds: its own, else those of its work item; globs added later always count too. */
export function fileScopes(state: State, question: Question): string[] {
  const item = question.work === null ? undefined : state.work.get(question.work);
  return [...(question.holds.length > 0 ? question.holds : (item?.holds ?? [])), ...question.addedHolds];
}

/** The item an agent works on: the one in progress that it started last. */
export function currentWork(state: State, agent: string): WorkItem | null {
  let current: WorkItem | null = null;
  for (const item of state.work.values())
    if (item.assignee === agent && item.status === 'in_progress' && item.startOrder >= (current?.startOrder ?? 0))
      current = item;
  return current;
}
