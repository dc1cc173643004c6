/** "Waiting for a Human" in a briefing: current holds, and answers that no agent has picked up. */
import { holding } from '../kit/glob.ts';
import { testsByPlace } from '../hold/heldPlaces.ts';
import { cascade } from '../hold/cascade.ts';
import { gatherHeldPaths, type HeldPaths } from '../hold/heldPaths.ts';
import { fileScopes, heldPlace, holderName, isRfc, openHolders, type Holder } from '../hold/holds.ts';
import { isRfcWaiting, sinceOf } from '../rfc/rfc.ts';
import { type State, openAskBack } from '../state/state.ts';
import { firstLine } from '../kit/text.ts';
import { urgency, urgencyRank } from '../kit/words.ts';

export interface WaitingItem {
  /** `ask_back`: a human waits for a reply. `terms`: what a human required with an approved or rejected RFC, while in force. */
  readonly kind: 'hold' | 'answer' | 'ask_back' | 'terms';
  /** For example `Q-12` or `RFC-3`. */
  readonly id: string;
  /** First line of the question. */
  readonly text: string;
  readonly agent_id: string;
  /** The person or responsibility that it is for. */
  readonly for?: string;
  readonly since: string;
  /** Number of held work items, dependants included. */
  readonly holds_work: number;
  /** The human who widened it to every file; null where it holds only what was named. */
  readonly all_files_by: string | null;
  /** True when it holds the focus, or something below it. */
  readonly concerns_focus: boolean;
  /** The AI reviewer asks for changes. A human can still decide. */
  readonly asks_changes?: true;
  /** Who acts next: the author of an unsubmitted draft; the agent, once a human has answered or asked back. */
  readonly waits_on: 'human' | 'author' | 'agent';
  /** For all but a hold: what the human said, on one line. */
  readonly answer: string | null;
}

/** Where the focus is. `ignoreCase`: true where the file system folds case. */
export interface Place {
  readonly focus: string | null;
  readonly worktree: string;
  readonly ignoreCase: boolean;
}

/** What holds, as briefings of different files look it up. It is of one state, and of no use once that has changed. */
export interface GatheredHolds {
  /** By urgency, then the oldest first. */
  readonly inOrder: readonly Holder[];
  readonly paths: HeldPaths<Holder>;
}

/** For briefings of several files. */
export function gatherHolds(state: State, worktree: string): GatheredHolds {
  const inOrder = holdersInOrder(state);
  const paths = gatherHeldPaths<Holder>();
  for (const holder of inOrder) paths.add(holder, heldPlace(holder, worktree), fileScopes(state, holder));
  return { inOrder, paths };
}

/** In groups, so that thousands need not be sorted. */
function holdersInOrder(state: State): Holder[] {
  const ranks = urgency.options.map((): Holder[] => []);
  for (const holder of openHolders(state)) ranks[rankOf(holder)]?.push(holder);
  return ranks.flat();
}

/**
 * Holds, up to a limit: those that concern the focus first, then by urgency, then the oldest; and the number of further
 * ones.
 */
export function waitingHolds(
  state: State,
  place: Place,
  limit: number,
  gathered: GatheredHolds | null = null,
): { items: WaitingItem[]; more: number } {
  const inOrder = gathered?.inOrder ?? holdersInOrder(state);
  const onFocus = focusTest(state, place);
  const { focus, worktree } = place;
  const candidates = focus === null ? [] : (gathered?.paths.around(focus, worktree) ?? inOrder);
  const concerning = new Set([...candidates].filter(onFocus));
  const first: Holder[] = [];
  // Both end early: of thousands, few are listed.
  for (const concerns of concerning.size === 0 ? [false] : [true, false])
    for (const holder of inOrder) {
      if (first.length === limit) break;
      if (concerning.has(holder) === concerns) first.push(holder);
    }
  const items = first.map((holder) => holdItem(state, holder, concerning.has(holder)));
  return { items, more: inOrder.length - items.length };
}

/** An RFC has no urgency; it ranks as high, because it holds until a human has read it. */
function rankOf(holder: Holder): number {
  return urgencyRank(isRfc(holder) ? 'high' : holder.urgency);
}

function holdItem(state: State, holder: Holder, concerns_focus: boolean): WaitingItem {
  const { open } = cascade(state, holder);
  return {
    kind: 'hold',
    id: holder.id,
    text: firstLine(holderName(holder), 200),
    agent_id: holder.asker.id,
    ...forOf(holder),
    since: isRfc(holder) ? sinceOf(holder) : holder.raisedAt,
    holds_work: open.length,
    all_files_by: holder.widened?.by ?? null,
    concerns_focus,
    waits_on: waitsOn(holder),
    answer: null,
    ...(isRfc(holder) && holder.review.stage === 'reviewing' ? { asks_changes: true as const } : {}),
  };
}

function forOf(holder: Holder): { readonly for?: string } {
  const to = isRfc(holder) ? holder.for : holder.facts.for;
  return to === null ? {} : { for: to };
}

function waitsOn(holder: Holder): WaitingItem['waits_on'] {
  if (isRfc(holder)) return isRfcWaiting(holder) ? 'human' : 'author';
  return openAskBack(holder) === null ? 'human' : 'agent';
}

/** Whether a holder holds a path (or something below it), seen from the worktree it was raised in. */
export function focusTest(state: State, { focus, worktree, ignoreCase }: Place): (holder: Holder) => boolean {
  if (focus === null) return () => false;
  const isHeldIn = testsByPlace(worktree, focus, (seen) => holding(seen, ignoreCase));
  return (holder) => fileScopes(state, holder).some(isHeldIn(heldPlace(holder, worktree)));
}
