/**
 * Holds, derived from the state and never stored: what an open sync question, a human's stop or an open RFC blocks.
 * `heldWork` (`cascade.ts`) spreads out from the holders; `blocksOf` climbs up from one item. A property test checks that
 * they agree with each other and with the projection's recursive query.
 */
import { isHoldingRfc } from '../rfc/rfc.ts';
import type { Rfc } from '../state/rfc.ts';
import { isFinished, isHolding, isStop, isUnfinished } from '../state/state.ts';
import type { Question, QuestionBrief, State, UnreadWork, WorkItem } from '../state/state.ts';
import { everything } from '../records/widening.ts';
import { anyKey, keysOfWork } from './holdKeys.ts';
import type { KeysIn } from './holdKeys.ts';
import type { EffectiveStatus } from '../kit/words.ts';

/** A holder: an open sync question, one answered with a stop, or an open RFC. */
export type Holder = Question | Rfc;

/** The part of a holder that tells what it holds, available without loading all of it. */
export type HolderBrief = QuestionBrief | Rfc;

export function isRfc(holder: HolderBrief): holder is Rfc {
  return 'revisions' in holder;
}

/** Whether a human stopped work with it, until a human lifts that. */
export function isStopped(holder: Holder): holder is Question {
  return !isRfc(holder) && isStop(holder);
}

/** Display name of a holder: the question's text or the RFC's title. */
export function holderName(holder: Holder): string {
  return isRfc(holder) ? holder.title : holder.raised.text;
}

/** One reason why a work item is held. `via` is the item the holder names (or its workflow, if critical). */
export interface Block {
  readonly holder: Holder;
  readonly via: string;
}

/**
 * Open sync questions, stops and open RFCs, oldest first.
 * @param wanted filter; called once for holders of a saved state that share a brief
 * @param keys one of which each wanted holder has: of a saved state, only what may have them is read
 */
export function openHolders(
  state: State,
  wanted: (holder: HolderBrief) => boolean = anyHolder,
  keys: KeysIn = anyKey,
): Holder[] {
  const open = openBriefs(state, wanted, keys);
  // Once all questions are loaded, the briefs are the holders.
  const { unread } = state;
  if (!unread) return open.map(([, brief]) => brief as Holder);
  return open.map(([id, brief]) => (isRfc(brief) ? brief : (unread.held(id, brief) ?? (brief as Holder))));
}

/** Ids and briefs of what holds now, oldest first. Loads no holder of a saved state. */
export function holderBriefs(state: State): readonly Open[] {
  return openBriefs(state, anyHolder, anyKey);
}

type Open = readonly [id: string, brief: HolderBrief];

function openBriefs(state: State, wanted: (holder: HolderBrief) => boolean, keys: KeysIn): Open[] {
  const openIn = (ids: Iterable<string>): Open[] => {
    const open: Open[] = [];
    for (const id of ids) {
      const brief = openBrief(state, id);
      if (brief !== null && wanted(brief)) open.push([id, brief]);
    }
    return open;
  };
  const { unread = null } = state;
  if (!unread) return openIn(state.holders);
  const found: { readonly place: number; readonly open: Open }[] = [];
  for (const { brief, questions } of unread.holds(keys(unread)))
    if (isHolding(brief) && wanted(brief))
      for (const place of questions) {
        const id = `Q-${String(place)}`;
        if (!unread.isChanged(id)) found.push({ place, open: [id, brief] });
      }
  const added = new Set(unread.added());
  const more = (place: number, id: string) => {
    if (!added.has(id)) for (const open of openIn([id])) found.push({ place, open });
  };
  for (const id of unread.changed()) more(Number(id.slice(2)), id);
  for (const [id, after] of unread.rfcs) more(after + 0.5, id);
  const saved = found.sort((one, other) => one.place - other.place).map((each) => each.open);
  return [...saved, ...openIn(added)];
}

/** What tells what a holder holds; null if it holds nothing now. */
export function openBrief(state: State, id: string): HolderBrief | null {
  const question = state.unread ? state.unread.brief(id) : state.questions.get(id);
  if (question) return isHolding(question) ? question : null;
  const rfc = state.rfcs.get(id);
  return rfc && isHoldingRfc(rfc) ? rfc : null;
}

function anyHolder(): boolean {
  return true;
}

/** A question or RFC by id, whether it still holds something or not. */
export function holderOf(state: State, id: string): Holder | undefined {
  return state.questions.get(id) ?? state.rfcs.get(id);
}

export function isOpenHolder(holder: Holder): boolean {
  return isRfc(holder) ? isHoldingRfc(holder) : isHolding(holder);
}

/** Work items that a holder holds directly: those it names, and the whole workflow for a critical question. */
export function directlyHeld(state: State, holder: HolderBrief): string[] {
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
export function holdersByItem(state: State, among: ReadonlySet<string> | null = null): Map<string, Holder[]> {
  const byItem = new Map<string, Holder[]>();
  const concerns = (id: string) => among === null || among.has(id);
  const keys: KeysIn = among === null ? anyKey : (unread) => keysOfWork(state, unread, among);
  for (const holder of openHolders(state, (brief) => directlyHeld(state, brief).some(concerns), keys))
    for (const id of directlyHeld(state, holder)) {
      if (!concerns(id)) continue;
      const found = byItem.get(id);
      if (found) found.push(holder);
      else byItem.set(id, [holder]);
    }
  return byItem;
}

/** The direct dependencies of an item, workflow included. */
function upward(item: WorkItem): string[] {
  return item.workflow === null ? [...item.dependsOn] : [item.workflow, ...item.dependsOn];
}

/**
 * Through which items another item is held: its workflow, and what it still waits for. A dependency that is done or
 * deleted holds nothing, unless a human's stop names it; one that was cancelled does, so that a stop reaches what depended
 * on the stopped work. No agent frees anything by this: it can neither finish nor delete what is held, and what was
 * finished before a human stops it counts as open.
 */
export function heldThrough(
  state: State,
  { workflow, dependsOn }: Pick<WorkItem, 'workflow' | 'dependsOn'>,
  byItem: ReadonlyMap<string, readonly Holder[]>,
): string[] {
  const open = dependsOn.filter((id) => !isDone(state, id) || byItem.get(id)?.some(isStopped) === true);
  return workflow === null || open.includes(workflow) ? open : [workflow, ...open];
}

export function isDone(state: State, id: string): boolean {
  const status = state.work.get(id)?.status;
  return status === 'done' || status === 'deleted';
}

/** The ids of the items that depend directly on each of those that have any, in the order of these items. */
export function dependantsByItem(items: Iterable<WorkItem>): Map<string, string[]> {
  const dependants = new Map<string, string[]>();
  for (const item of items)
    for (const target of upward(item)) {
      const found = dependants.get(target);
      if (found) found.push(item.id);
      else dependants.set(target, [item.id]);
    }
  return dependants;
}

/** Every reason why one item is held; empty when it is free. Cycle-safe. */
export function blocksOf(state: State, id: string, byItem = holdersByItem(state, upwardOf(state, id))): Block[] {
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
export function fileScopes(state: State, holder: HolderBrief): readonly string[] {
  return holder.widened === null ? namedScopes(state, holder) : everything;
}

/** The worktree in which a holder's files are held: the one it was raised in, or any if a human widened it. */
export function heldPlace({ asker, widened }: Pick<HolderBrief, 'asker' | 'widened'>, here: string): string {
  return widened === null ? (asker.worktree ?? here) : here;
}

/** Its own globs, or those of its work items; later additions always count. */
export function namedScopes(state: State, holder: HolderBrief): readonly string[] {
  const named = isRfc(holder) ? [...holder.workflows, ...holder.tasks] : workNamed(holder);
  const own = holder.holds.length > 0 ? holder.holds : holdsOf(state, named);
  return holder.addedHolds.length > 0 ? [...own, ...holder.addedHolds] : own;
}

function workNamed({ work, alsoWork }: QuestionBrief): readonly string[] {
  if (work === null) return alsoWork;
  return alsoWork.length === 0 ? [work] : [work, ...alsoWork];
}

function holdsOf(state: State, named: readonly string[]): readonly string[] {
  const [id, ...more] = named;
  // Fast path: most holders name one item, and there may be thousands.
  if (id !== undefined && more.length === 0) return state.work.get(id)?.holds ?? [];
  return named.flatMap((each) => state.work.get(each)?.holds ?? []);
}

/** The RFC whose rejection stopped this item or one of its workflows; null if none. */
export function stoppedBy(state: State, id: string): Rfc | null {
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
export function upwardOf(state: State, id: string): Set<string> {
  const seen = new Set([id]);
  for (const current of seen) {
    const item = state.work.get(current);
    if (item) for (const next of upward(item)) seen.add(next);
  }
  return seen;
}

/** The item an agent works on: the last started of those in progress. */
export function currentWork(state: State, agent: string): WorkItem | null {
  const items = workAmong(state, (unread) => new Set([...unread.started(agent), ...unread.changed()]));
  let current: WorkItem | null = null;
  for (const item of items)
    if (item.assignee === agent && item.status === 'in_progress' && item.startOrder >= (current?.startOrder ?? 0))
      current = item;
  return current;
}

/** The items that are not finished, in the order of their registration. */
export function unfinishedWork(state: State): WorkItem[] {
  const items = workAmong(state, (unread) => unread.inOrder([...unread.unfinished(), ...unread.changed()]));
  return [...items].filter(isUnfinished);
}

/** Whether an agent owns an item, a finished one too; also true if it owned one when the state was saved. */
export function mayOwnWork(state: State, agent: string): boolean {
  if (state.unread?.work?.owners().has(agent)) return true;
  return [...workAmong(state, (unread) => unread.changed())].some(({ assignee }) => assignee === agent);
}

/** All items; of a saved state that is not loaded, those with these ids. */
function workAmong(state: State, ids: (unread: UnreadWork) => Iterable<string>): Iterable<WorkItem> {
  const unread = state.unread?.work ?? null;
  return unread ? [...ids(unread)].flatMap((id) => state.work.get(id) ?? []) : state.work.values();
}
