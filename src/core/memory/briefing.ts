/**
 * The briefing: the project memory relevant to one path, in fixed sections. A pure function, the same for every head.
 * Events are grouped and sorted by priority, then newest first; there is no scoring.
 */
import { namedAtMost, firstLine } from '../kit/text.ts';
import {
  perEventType,
  priorityRank,
  type EventPriority,
  type EventStatus,
  type EventType,
  urgencyRank,
} from '../kit/words.ts';
import { folding, holding } from '../kit/paths.ts';
import {
  cascades,
  fileScopes,
  heldPlace,
  type Holder,
  holderName,
  isRfc,
  openHolders,
  type Reach,
  testsByPlace,
} from '../hold/holds.ts';
import { isRfcWaiting, sinceOf } from '../rfc/rfc.ts';
import { type State, openAskBack } from '../state/state.ts';

// "Waiting for a Human" in a briefing: current holds, and answers that no agent has picked up.

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

/**
 * Holds, up to a limit: those that concern the focus first, then by urgency, then the oldest; and the number of further
 * ones.
 */
export function waitingHolds(state: State, place: Place, limit: number): { items: WaitingItem[]; more: number } {
  const isFocused = focusTest(state, place);
  const all = openHolders(state)
    .map((holder) => ({ holder, concerns: isFocused(holder) }))
    .sort((a, b) => Number(b.concerns) - Number(a.concerns) || rankOf(a.holder) - rankOf(b.holder));
  const reachOf = cascades(state);
  const items = all.slice(0, limit).map(({ holder, concerns }) => holdItem(holder, reachOf(holder), concerns));
  return { items, more: all.length - items.length };
}

/** An RFC has no urgency; it ranks as high, because it holds until a human has read it. */
function rankOf(holder: Holder): number {
  return urgencyRank(isRfc(holder) ? 'high' : holder.urgency);
}

function holdItem(holder: Holder, { open }: Reach, concerns_focus: boolean): WaitingItem {
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

export interface BriefedEvent {
  readonly id: string;
  /** Position in the journal among events: greater is newer. */
  readonly number: number;
  readonly type: EventType;
  readonly priority: EventPriority;
  readonly status: EventStatus;
  readonly text: string;
  readonly scopes: readonly string[];
  readonly author: string;
  readonly author_kind: 'agent' | 'human';
  readonly posted_at: string;
  readonly resolved_reason: string | null;
  readonly superseded_by_event_id: string | null;
  readonly closed_at: string | null;
  readonly closed_by: string | null;
  /** Imported: its author is the one named in the source. */
  readonly imported: boolean;
  /** When it was posted, or last named by another event, a question or an RFC. */
  readonly mentioned_at: string;
}

/** Two active decisions on one scope, the newer one first, where no event that names both says how they fit together. */
export interface DecisionConflict {
  readonly scope: string;
  readonly decisions: readonly [BriefedEvent, BriefedEvent];
}

/** The section of an event. Closed events appear in `resolved` for 48 hours, then nowhere. */
type Section = 'critical' | EventType | 'other' | 'resolved';

export interface Group<T> {
  readonly items: readonly T[];
  /** Number of further events. */
  readonly more: number;
}

export interface Briefing {
  /** The project's name; null where the caller gave none. */
  readonly project: string | null;
  /** Workspace-relative; null without a focus. */
  readonly focus: string | null;
  readonly generated_at: string;
  readonly critical_warnings: Group<BriefedEvent>;
  readonly waiting: Group<WaitingItem>;
  /** Decisions that may contradict each other. */
  readonly conflicts: Group<DecisionConflict>;
  /** By type, in reading order; empty without a focus. */
  readonly relevant: Readonly<Record<EventType, Group<BriefedEvent>>>;
  readonly other: Group<BriefedEvent>;
  readonly recently_resolved: Group<BriefedEvent>;
  /** How many active events are left out because nothing has mentioned them for long. */
  readonly aged: number;
}

export interface BriefingInput {
  readonly project?: string | undefined;
  readonly focus: string | null;
  /** True where the file system folds case: there `Src/A.ts` is `src/a.ts`. */
  readonly ignoreCase?: boolean | undefined;
  readonly now: string;
  /** Active and recently closed events, in any order. */
  readonly events: readonly BriefedEvent[];
  /** In the order to handle them. */
  readonly waiting: readonly WaitingItem[];
  readonly moreWaiting?: number | undefined;
  readonly conflicts?: Group<DecisionConflict> | undefined;
  /** What only informs and was not mentioned since then (ISO 8601) is left out. Null or left out: nothing is. */
  readonly agedBefore?: string | null | undefined;
  /** Default: `briefingLimits`. Infinity shows all. */
  readonly limits?: Limits | undefined;
}

type Limits = Readonly<Record<'critical' | 'waiting' | 'conflicts' | 'relevant' | 'other' | 'resolved', number>>;

export const briefingLimits: Limits = {
  critical: 50,
  waiting: namedAtMost,
  conflicts: 10,
  relevant: 10,
  other: 10,
  resolved: 10,
};

/** How long closed events still appear. Milliseconds. */
const recentlyMs = 48 * 60 * 60_000;

export function briefing(input: BriefingInput): Briefing {
  const { project, focus, ignoreCase = false, now, events, waiting, conflicts } = input;
  const { moreWaiting, limits = briefingLimits, agedBefore = null } = input;
  const shown = events.filter((event) => !isAged(event, agedBefore));
  const sections = Map.groupBy(shown, (event) => sectionOf(event, focus, now, ignoreCase));
  const group = (section: Section, limit: number, order: (a: BriefedEvent, b: BriefedEvent) => number) =>
    limitGroup([...(sections.get(section) ?? [])].sort(order), limit);
  return {
    project: project ?? null,
    focus,
    generated_at: now,
    critical_warnings: group('critical', limits.critical, hereFirst(focus, ignoreCase)),
    waiting: limitGroup(waiting, limits.waiting, moreWaiting),
    conflicts: limitGroup(conflicts?.items ?? [], limits.conflicts, conflicts?.more),
    relevant: perEventType((type) => group(type, limits.relevant, byPriority)),
    other: group('other', limits.other, unscopedWarningsFirst),
    recently_resolved: group('resolved', limits.resolved, latestClosed),
    aged: events.length - shown.length,
  };
}

/** Whether an event only informs: a warning, what is critical and what was decided stay until somebody closes them. */
function onlyInforms({ type, priority }: Pick<BriefedEvent, 'type' | 'priority'>): boolean {
  // Memory keeps the answers to requests as decisions of low priority.
  const informs = type !== 'warning' && (type !== 'decision' || priority === 'low');
  return informs && priority !== 'critical';
}

function isAged(event: BriefedEvent, before: string | null): boolean {
  return before !== null && event.status === 'active' && onlyInforms(event) && event.mentioned_at < before;
}

/** What is older than that ages under this policy; null where nothing does. */
export function agingTime(ageDays: number, now: string): string | null {
  return ageDays === 0 ? null : new Date(Date.parse(now) - ageDays * 24 * 60 * 60_000).toISOString();
}

/** Each active event belongs to exactly one section, whatever the focus. Null: no longer shown. */
export function sectionOf(event: BriefedEvent, focus: string | null, now: string, ignoreCase = false): Section | null {
  if (event.status !== 'active') {
    const closed = Date.parse(event.closed_at ?? event.posted_at);
    return Date.parse(now) - closed <= recentlyMs ? 'resolved' : null;
  }
  if (event.type === 'warning' && event.priority === 'critical') return 'critical';
  return focus !== null && event.scopes.some((scope) => concerns(scope, focus, ignoreCase)) ? event.type : 'other';
}

/** A scope concerns its own path and everything below; a focused folder also includes everything below it. */
export function concerns(scope: string, focus: string, ignoreCase = false): boolean {
  const [a, b] = [scopeKey(scope, ignoreCase), scopeKey(focus, ignoreCase)];
  return a === b || isBeneath(b, a) || isBeneath(a, b);
}

/** The form in which scopes are compared, which is that of the patterns of holds. */
export function scopeKey(path: string, ignoreCase = false): string {
  return folding(ignoreCase)(path);
}

function isBeneath(path: string, folder: string): boolean {
  return path !== folder && (folder === '.' || path.startsWith(`${folder}/`));
}

/** A warning about the file at hand comes before all others. */
function hereFirst(focus: string | null, ignoreCase: boolean): typeof byPriority {
  const isHere = ({ scopes }: BriefedEvent) =>
    Number(focus !== null && scopes.some((scope) => concerns(scope, focus, ignoreCase)));
  return (a, b) => isHere(b) - isHere(a) || byPriority(a, b);
}

function byPriority(a: BriefedEvent, b: BriefedEvent): number {
  return priorityRank(a.priority) - priorityRank(b.priority) || b.number - a.number;
}

function unscopedWarningsFirst(a: BriefedEvent, b: BriefedEvent): number {
  const general = (event: BriefedEvent) => Number(event.type === 'warning' && event.scopes.length === 0);
  return general(b) - general(a) || byPriority(a, b);
}

function latestClosed(a: BriefedEvent, b: BriefedEvent): number {
  const at = (event: BriefedEvent) => event.closed_at ?? '';
  return at(a) === at(b) ? b.number - a.number : at(a) < at(b) ? 1 : -1;
}

function limitGroup<T>(sorted: readonly T[], limit: number, left = 0): Group<T> {
  return { items: sorted.slice(0, limit), more: Math.max(0, sorted.length - limit) + left };
}
