/**
 * Holds of open sync questions, humans' stops and open RFCs, derived from the state and never stored. `cascade` spreads
 * out from the holders; `blocksOf` climbs up from one item. A property test checks that they agree with each other and
 * with the projection's recursive query.
 */

import { seenFrom } from '../kit/paths.ts';
import type { EffectiveStatus } from '../kit/words.ts';
import { isHoldingRfc } from '../rfc/rfc.ts';
import { everything } from '../state/heldChanges.ts';
import type { Rfc } from '../state/items.ts';
import { holdsOf } from '../state/quorum.ts';
import {
  type CurrentState,
  isFinished,
  isHolding,
  isStop,
  isUnfinished,
  type Question,
  undecidedQuestions,
  type WorkItem,
} from '../state/state.ts';

/** A holder: an open sync question, one answered with a stop, or an open RFC. */
export type Holder = Question | Rfc;

export function isRfc(holder: Holder): holder is Rfc {
  return 'revisions' in holder;
}

/** Whether a human stopped work with it, until a human lifts that. */
export function isStopped(holder: Holder): holder is Question {
  return !isRfc(holder) && isStop(holder);
}

export function holderName(holder: Holder): string {
  return isRfc(holder) ? holder.title : (holder.raised?.text ?? '');
}

/** One reason why a work item is held. `via` is the item the holder names (or its workflow, if critical). */
export interface Block {
  readonly holder: Holder;
  readonly via: string;
}

/** Open sync questions, stops and open RFCs, oldest first. */
export function openHolders(state: CurrentState, wanted: (holder: Holder) => boolean = () => true): Holder[] {
  const open: Holder[] = [];
  for (const id of state.holders) {
    const holder = openHolder(state, id);
    if (holder && wanted(holder)) open.push(holder);
  }
  return open;
}

/** The question or RFC with this id, if it holds something now. */
export function openHolder(state: CurrentState, id: string): Holder | null {
  const holder = holderOf(state, id);
  return holder && isOpenHolder(holder) ? holder : null;
}

/** A question or RFC by id, whether it still holds something or not. */
export function holderOf(state: CurrentState, id: string): Holder | undefined {
  return state.questions.get(id) ?? state.rfcs.get(id);
}

export function isOpenHolder(holder: Holder): boolean {
  return isRfc(holder) ? isHoldingRfc(holder) : isHolding(holder);
}

/** Work items that a holder holds directly: those it names, and the whole workflow for a critical question. */
export function directlyHeld(state: CurrentState, holder: Holder): string[] {
  if (isRfc(holder)) return [...holder.workflows, ...holder.tasks];
  const { work, alsoWork, urgency, resolution } = holder;
  const item = work === null ? undefined : state.work.get(work);
  const more = alsoWork.filter((id) => id !== work);
  if (!item) return more;
  // A stop covers the named work. A critical question holds its whole workflow only while open, or refused by too few.
  const isOpen = resolution === null || resolution.unmet === true;
  const whole = urgency === 'critical' && isOpen ? item.workflow : null;
  return whole === null || more.includes(whole) ? [item.id, ...more] : [item.id, whole, ...more];
}

/**
 * Holders by the items they hold directly; build once for many `blocksOf`.
 * @param among limits the result to these items
 */
export function holdersByItem(state: CurrentState, among: ReadonlySet<string> | null = null): Map<string, Holder[]> {
  const byItem = new Map<string, Holder[]>();
  const concerns = (id: string) => among === null || among.has(id);
  for (const holder of openHolders(state, (brief) => directlyHeld(state, brief).some(concerns)))
    for (const id of directlyHeld(state, holder)) {
      if (!concerns(id)) continue;
      const found = byItem.get(id);
      if (found) found.push(holder);
      else byItem.set(id, [holder]);
    }
  return byItem;
}

function parentsOf(item: WorkItem): string[] {
  return item.workflow === null ? [...item.dependsOn] : [item.workflow, ...item.dependsOn];
}

/**
 * The items through which another one is held: its workflow, and its unfinished dependencies. A dependency that is done
 * or deleted holds nothing, unless a human's stop names it; one that was cancelled does, so that a stop reaches what
 * depended on the stopped work. No agent frees anything by this: it can neither finish nor delete what is held, and
 * what was finished before a human stops it is treated as open.
 */
export function heldThrough(
  state: CurrentState,
  { workflow, dependsOn }: Pick<WorkItem, 'workflow' | 'dependsOn'>,
  byItem: ReadonlyMap<string, readonly Holder[]>,
): string[] {
  const open = dependsOn.filter((id) => !isDone(state, id) || byItem.get(id)?.some(isStopped) === true);
  return workflow === null || open.includes(workflow) ? open : [workflow, ...open];
}

function isDone(state: CurrentState, id: string): boolean {
  const status = state.work.get(id)?.status;
  return status === 'done' || status === 'deleted';
}

/** The ids of the items that depend directly on each of those that have any, in the order of these items. */
function dependantsByItem(items: Iterable<WorkItem>): Map<string, string[]> {
  const dependants = new Map<string, string[]>();
  for (const item of items)
    for (const target of parentsOf(item)) {
      const found = dependants.get(target);
      if (found) found.push(item.id);
      else dependants.set(target, [item.id]);
    }
  return dependants;
}

/** Every reason why one item is held; empty when it is free. Cycle-safe. */
export function blocksOf(state: CurrentState, id: string, byItem = holdersByItem(state, upwardOf(state, id))): Block[] {
  if (byItem.size === 0) return [];
  const blocks = new Map<string, Block>();
  const seen = new Set([id]);
  for (const current of seen) {
    for (const holder of byItem.get(current) ?? [])
      if (!blocks.has(holder.id)) blocks.set(holder.id, { holder, via: current });
    const item = state.work.get(current);
    if (item) for (const next of heldThrough(state, item, byItem)) seen.add(next);
  }
  return [...blocks.values()];
}

/** The status to show. A missing approval takes precedence over a missing answer; finished work is not blocked. */
export function effectiveStatus(item: WorkItem, blocks: readonly Block[]): EffectiveStatus {
  if (isFinished(item)) return item.status;
  if (blocks.some(({ holder }) => isRfc(holder))) return 'blocked_pending_approval';
  return blocks.length > 0 ? 'blocked_pending_human_input' : item.status;
}

/** The globs a holder holds: everything if a human widened it, otherwise the named ones. */
export function fileScopes(state: CurrentState, holder: Holder): readonly string[] {
  return holder.widened === null ? namedScopes(state, holder) : everything;
}

/** The worktree in which a holder's files are held: the one it was raised in, or any if a human widened it. */
export function heldPlace({ asker, widened }: Pick<Holder, 'asker' | 'widened'>, here: string): string {
  return widened === null ? (asker.worktree ?? here) : here;
}

/** Its own globs, or those of its work items; later additions always apply. */
export function namedScopes(state: CurrentState, holder: Holder): readonly string[] {
  const named = isRfc(holder) ? [...holder.workflows, ...holder.tasks] : workNamed(holder);
  const own = holder.holds.length > 0 ? holder.holds : holdsOf(state, named);
  return holder.addedHolds.length > 0 ? [...own, ...holder.addedHolds] : own;
}

function workNamed({ work, alsoWork }: Question): readonly string[] {
  if (work === null) return alsoWork;
  return alsoWork.length === 0 ? [work] : [work, ...alsoWork];
}

/** The RFC whose rejection stopped this item or one of its workflows; null if none. */
export function stoppedBy(state: CurrentState, id: string): Rfc | null {
  if (state.stopped.size === 0) return null;
  const seen = new Set([id]);
  for (const current of seen) {
    const rfc = state.rfcs.get(state.stopped.get(current) ?? '');
    if (rfc) return rfc;
    const workflow = state.work.get(current)?.workflow;
    if (workflow != null) seen.add(workflow);
  }
  return null;
}

/** An item and everything it depends on; their terms apply to it as well. */
export function upwardOf(state: CurrentState, id: string): Set<string> {
  const seen = new Set([id]);
  for (const current of seen) {
    const item = state.work.get(current);
    if (item) for (const next of parentsOf(item)) seen.add(next);
  }
  return seen;
}

/** The item an agent works on: the last started of those in progress. */
export function currentWork(state: CurrentState, agent: string): WorkItem | null {
  let current: WorkItem | null = null;
  for (const id of state.inProgress) {
    const item = state.work.get(id);
    if (item?.assignee === agent && item.startOrder >= (current?.startOrder ?? 0)) current = item;
  }
  return current;
}

/** The items that are not finished, in the order of their registration. */
export function unfinishedWork(state: CurrentState): WorkItem[] {
  return [...state.work.values()].filter(isUnfinished);
}

// Holds are never refused without a replacement: an agent with this many questions and RFCs waiting for humans is itself
// held, whatever it works on, and only human decisions reduce the number. The other limits concern what holds nothing.
export const openAtMost = {
  holders: 1_000,
  asyncQuestions: 1_000,
  /** Unsettled requests of one responsibility. */
  requests: 1_000,
  /** Work items that one agent registered. */
  work: 10_000,
} as const;

/** An agent's holders once they reach the limit, oldest first; empty below it. */
export function crowd(state: CurrentState, agent: string): readonly Holder[] {
  if (state.holders.size < openAtMost.holders) return [];
  const own = openHolders(state, (holder) => holder.asker.id === agent && (isRfc(holder) || !isStop(holder)));
  return own.length < openAtMost.holders ? [] : own;
}

/** Number of an agent's open async questions; they hold nothing. */
export function asyncWaiting(state: CurrentState, agent: string): number {
  let count = 0;
  for (const { asker, mode, status } of undecidedQuestions(state))
    if (mode === 'async' && status === 'pending' && asker.id === agent) count += 1;
  return count;
}

// The files and folders from which on something is held, whoever asks.

/** Relative to the store's root, sorted. `here` is the worktree that is asked about. */
export function heldPlaces(state: CurrentState, here: string): string[] {
  const places = new Set<string>();
  for (const holder of openHolders(state)) {
    const place = heldPlace(holder, here);
    for (const glob of fileScopes(state, holder)) places.add(joinPlace(place, literalPart(glob)));
  }
  return [...places].sort();
}

function joinPlace(place: string, base: string): string {
  if (place === '.') return base;
  return base === '' ? place : `${place}/${base}`;
}

/** The folder or file before its first wildcard. */
function literalPart(glob: string): string {
  const wildcard = glob.search(/[*?]/);
  return wildcard < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', wildcard)));
}

/**
 * Tests of what holds a path, by the worktree that globs are seen from: thousands of holders share a few.
 * @param path cleaned, relative to `here`
 * @param test of the path as seen from that worktree, where it is in it
 */
export function testsByPlace(
  here: string,
  path: string,
  test: (seen: string) => (glob: string) => boolean,
): (place: string) => (glob: string) => boolean {
  const tests = new Map<string, (glob: string) => boolean>();
  return (place) => {
    let isHeldBy = tests.get(place);
    if (!isHeldBy) {
      const seen = seenFrom(place, here, path);
      isHeldBy = seen === null ? () => false : test(seen);
      tests.set(place, isHeldBy);
    }
    return isHeldBy;
  };
}

// What holders hold downwards: the items that they name, and all that depend on those.

/** The ids of all held items. Handles cycles; no limit. */
export function heldItems(state: CurrentState): Set<string> {
  const direct = openHolders(state).flatMap((holder) => directlyHeld(state, holder));
  return spread(dependantsOf(state), direct);
}

/** The ids of the items that depend on this one directly, in the order of their registration. */
type Dependants = (id: string) => readonly string[];

/** Those that are held through an item: by the same rule as `heldThrough`, from the other end. */
function dependantsOf(state: CurrentState): Dependants {
  const byItem = dependantsByItem(state.work.values());
  const all = (id: string) => byItem.get(id) ?? [];
  let stopped: ReadonlySet<string> | null = null;
  return (id) => {
    if (!isDone(state, id) || (stopped ??= namedByStops(state)).has(id)) return all(id);
    return all(id).filter((each) => state.work.get(each)?.workflow === id);
  };
}

function namedByStops(state: CurrentState): Set<string> {
  const stops = openHolders(state, (holder) => !isRfc(holder) && isStop(holder));
  return new Set(stops.flatMap((holder) => directlyHeld(state, holder)));
}

function spread(below: Dependants, start: readonly string[]): Set<string> {
  const reached = new Set(start);
  for (const id of reached) for (const next of below(id)) reached.add(next);
  return reached;
}

/** The items a holder names, and their dependants that are not finished; each once, however often it names one. */
export interface Reach {
  readonly direct: readonly string[];
  readonly dependants: readonly string[];
  /** Those of both that are not finished: what figures count. */
  readonly open: readonly string[];
}

export const reachesNothing: Reach = { direct: [], dependants: [], open: [] };

export function cascade(state: CurrentState, holder: Holder): Reach {
  return cascades(state)(holder);
}

/** Cascades of many holders; computes the dependants once. */
export function cascades(state: CurrentState): (holder: Holder) => Reach {
  const below = dependantsOf(state);
  return (holder) => {
    const direct = directlyHeld(state, holder);
    const named = new Set(direct);
    const open = [...spread(below, direct)].filter((id) => {
      const item = state.work.get(id);
      return item === undefined || !isFinished(item);
    });
    return { direct: [...named], dependants: open.filter((id) => !named.has(id)), open };
  };
}
