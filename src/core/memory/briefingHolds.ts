/** "Waiting for a Human" in a briefing: what holds work or files now, and what a human has said that nobody has picked up. */
import { holding } from '../kit/glob.ts';
import { cascade, fileScopes, heldPlace, holderName, isRfc, openHolders } from '../hold/holds.ts';
import type { Holder } from '../hold/holds.ts';
import { seenFrom } from '../kit/paths.ts';
import { isRfcWaiting } from '../rfc/rfc.ts';
import type { State } from '../state/state.ts';
import { firstLine } from '../kit/text.ts';
import { urgencyRank } from '../kit/words.ts';

export interface WaitingItem {
  /** `terms`: what a human asked with an approved or rejected RFC, as long as it is in force. */
  readonly kind: 'hold' | 'answer' | 'terms';
  /** For example `Q-12` or `RFC-3`. */
  readonly id: string;
  /** The first line of what is asked. */
  readonly text: string;
  readonly agent_id: string;
  readonly since: string;
  /** Work items held, those that wait for them included. */
  readonly holds_work: number;
  /** Who has it hold every file of the workspace; null where it holds what was named. */
  readonly all_files_by: string | null;
  /** True when it holds the focus, or something beneath it. */
  readonly concerns_focus: boolean;
  /** The AI reviewer asks its author for changes. A human can decide all the same. */
  readonly asks_changes?: true;
  /** Who is next: the author, where a draft is not laid before a human yet; the agent, where a human has spoken. */
  readonly waits_on: 'human' | 'author' | 'agent';
  /** Of an answer and of terms: what the human said, on one line. */
  readonly answer: string | null;
}

/** Where the focus lies. `ignoreCase`: true where the file system folds case. */
export interface Place {
  readonly focus: string | null;
  readonly worktree: string;
  readonly ignoreCase: boolean;
}

/** What holds, at most so many: what concerns the focus first, then by urgency, then the oldest; and how many more. */
export function waitingHolds(state: State, place: Place, limit: number): { items: WaitingItem[]; more: number } {
  const onFocus = focusTest(state, place);
  const holders = openHolders(state)
    .map((holder) => ({ holder, concerns: onFocus(holder), rank: rankOf(holder) }))
    .sort((a, b) => Number(b.concerns) - Number(a.concerns) || a.rank - b.rank);
  const items = holders.slice(0, limit).map(({ holder, concerns }) => holdItem(state, holder, concerns));
  return { items, more: holders.length - items.length };
}

/** An RFC has no urgency: it comes with what is high, for it holds until a human has read it. */
function rankOf(holder: Holder): number {
  return urgencyRank(isRfc(holder) ? 'high' : holder.urgency);
}

function holdItem(state: State, holder: Holder, concerns_focus: boolean): WaitingItem {
  const { direct, dependants } = cascade(state, holder);
  return {
    kind: 'hold',
    id: holder.id,
    text: firstLine(holderName(holder), 200),
    agent_id: holder.asker.id,
    since: isRfc(holder) ? holder.proposedAt : holder.raisedAt,
    holds_work: direct.length + dependants.length,
    all_files_by: holder.widened?.by ?? null,
    concerns_focus,
    waits_on: isRfc(holder) && !isRfcWaiting(holder) ? 'author' : 'human',
    answer: null,
    ...(isRfc(holder) && holder.review.stage === 'reviewing' ? { asks_changes: true as const } : {}),
  };
}

/** Whether what holds something holds a path (or something beneath it), seen from the worktree it was raised in. */
export function focusTest(state: State, { focus, worktree, ignoreCase }: Place): (holder: Holder) => boolean {
  if (focus === null) return () => false;
  /** By where holders were raised: thousands of them, in a few worktrees. */
  const tests = new Map<string, (glob: string) => boolean>();
  return (holder) => {
    const place = heldPlace(holder, worktree);
    let isHeldBy = tests.get(place);
    if (!isHeldBy) {
      const seen = seenFrom(place, worktree, focus);
      isHeldBy = seen === null ? () => false : holding(seen, ignoreCase);
      tests.set(place, isHeldBy);
    }
    return fileScopes(state, holder).some(isHeldBy);
  };
}
