/**
 * The decisions that can still be undone, and in a tab the waiting items one after another. A decision is delayed for
 * the undo time of the signed policy; then it is recorded like any other, and refused if the question has changed since.
 */
import * as l10n from '@vscode/l10n';
import { defaultUndoSeconds, isWaiting } from '../../core/state/state.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import type { Outcome } from '../kit/view.ts';
import type { Decision } from './messages.ts';
import type { QuestionForm } from './question.ts';
import type { QueueState } from './form.ts';
import type { Decidable, Settling } from './decisions.ts';
import type { Folders } from '../kit/folders.ts';
import type { Waiting } from './nothing.ts';
import { refusedOutcome } from '../surface/signedActs.ts';
import { workspaceForm } from '../surface/workspaceForms.ts';

interface HeldDecision {
  readonly message: Settling;
  readonly view: QuestionForm;
  readonly decide: () => Promise<Outcome>;
}

export interface QueueOptions extends Partial<Pick<HeldBackOptions<never>, 'now' | 'later'>> {
  /** Its key is the place in the queue. */
  readonly selection: Pick<Selection, 'key' | 'select'>;
  readonly undoSeconds: (key: string) => number;
  /** Says that a delayed decision was not recorded. */
  readonly failed?: (view: QuestionForm, why: string) => unknown;
  readonly changed: () => void;
}

/** How a decision is made. Neither throws. */
export interface Steps {
  /** Whether it could be made as it is. Records nothing. */
  readonly check: (message: Settling) => Promise<Outcome>;
  readonly decide: () => Promise<Outcome>;
}

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(options: QueueOptions) {
  const { selection } = options;
  let items: readonly string[] | undefined;
  let open = new Set<string>();
  let isPast = false;
  let failed: QueueState['failed'];
  const heldBack = createHeldBack<HeldDecision>({
    now: () => Date.now(),
    later: runLater,
    ...options,
    async send({ key, decision: { view, decide } }) {
      const outcome = await decide();
      if (outcome.type === 'done') open.delete(key);
      else {
        failed = { key, why: outcome.text };
        options.failed?.(view, outcome.text);
      }
      options.changed();
    },
  });
  const isLeft = (key: string) => open.has(key) && !heldBack.all.some((held) => held.key === key);

  function go(to: 'next' | 'back'): void {
    if (!items) return;
    const key = selection.key();
    const at = key === null ? (to === 'next' ? -1 : items.length) : items.indexOf(key);
    const found =
      to === 'next' ? items.slice(at + 1).find(isLeft) : (items.slice(0, Math.max(at, 0)).findLast(isLeft) ?? key);
    selection.select(found ?? null);
    isPast = selection.key() === null;
  }

  return {
    /** Starts from the first item, unless one is in progress. */
    begin(): void {
      if (items && (selection.key() !== null || heldBack.all.length > 0)) return;
      [items, failed, isPast] = [[], undefined, false];
      selection.select(null);
    },
    /** What is left of the waiting items, from the displayed one on; all of them while the tab shows a single item. */
    arrange(waiting: readonly Waiting[]): readonly Waiting[] {
      if (!items) return waiting;
      const known = new Set(items);
      open = new Set(waiting.map(({ key }) => key));
      // An RFC is decided in its own tab.
      const fresh = waiting.filter(({ key, id }) => !known.has(key) && !isRfcId(id));
      items = [...items, ...fresh.map(({ key }) => key)];
      return waiting.filter(({ key, id }) => isRfcId(id) || isLeft(key)).sort(queueOrder(items, selection.key()));
    },
    /** Whether the reader has gone past the last item. */
    isThrough: () => items !== undefined && isPast && selection.key() === null,
    /** Undefined if nothing can be undone, and no items are shown one after another. */
    state(): QueueState | undefined {
      const decisions = { held: heldBack.all.map(heldShown), ...(failed === undefined ? {} : { failed }) };
      if (!items) return decisions.held.length === 0 && failed === undefined ? undefined : decisions;
      const index = items.indexOf(selection.key() ?? '') + 1;
      const place = index === 0 ? {} : { index };
      return { ...decisions, run: { ...place, of: items.length, done: items.filter((key) => !isLeft(key)).length } };
    },
    go,
    /** @returns the item that waits again; undefined if it is too late */
    undo(act: string): string | undefined {
      const held = heldBack.takeBack(act);
      if (held) selection.select(held.key);
      return held?.key;
    },
    /** Delays a decision on a question, and goes on among the waiting items; carries out all others. Never throws. */
    async sign(message: Decision, view: Decidable, { check, decide }: Steps): Promise<Outcome> {
      if (!isSettling(message) || view.type !== 'question') return decide();
      const { act, key } = message;
      failed = undefined;
      const seconds = options.undoSeconds(key);
      const outcome = await (seconds > 0 ? check(message) : decide());
      if (outcome.type !== 'done') return outcome;
      if (seconds > 0 && !heldBack.hold({ act, key, decision: { message, view, decide } }, seconds * 1_000))
        return refusedOutcome(act, 'conflict', l10n.t('This question is already decided, and about to be sent.'));
      // Unless the reader has moved on.
      if (selection.key() === key) go('next');
      return outcome;
    },
    /** The items are no longer shown one after another. Delayed decisions are sent in their time. */
    end(): void {
      items = undefined;
    },
    /** The program ends: drops delayed decisions, and their questions keep waiting. */
    drop: heldBack.drop,
  };
}

/** How long a decision on the item of this key can be undone: by the signed policy. */
export function undoSecondsOf(folders: Folders, key: string): number {
  return folders.find(key)?.folder.workspace.standing().state?.policy.undo?.seconds ?? defaultUndoSeconds;
}

function runLater(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
}

/** By the place in the queue, the displayed item first; RFCs last. */
function queueOrder(items: readonly string[], displayed: string | null) {
  const from = Math.max(0, items.indexOf(displayed ?? ''));
  const places = new Map(items.map((key, index) => [key, (index - from + items.length) % items.length]));
  const placeOf = ({ key }: Waiting) => places.get(key) ?? items.length;
  return (one: Waiting, other: Waiting): number => placeOf(one) - placeOf(other);
}

function isSettling(message: Decision): message is Settling {
  return message.type === 'answer' || message.type === 'cancel' || message.type === 'release';
}

const saidAtMost = 80;

function heldShown({ act, key, until, decision: { message } }: Held<HeldDecision>): QueueState['held'][number] {
  const said =
    message.type === 'answer' ? (message.choices.length > 0 ? message.choices.join(', ') : message.text) : '';
  return {
    ...{ act, key, how: message.type, until: new Date(until).toISOString() },
    ...(said === '' ? {} : { said: said.length > saidAtMost ? `${said.slice(0, saidAtMost)}…` : said }),
  };
}

/**
 * Decisions that a human can still undo. They exist only in this process's memory: no agent can see or trigger one,
 * and an unsent one leaves the item waiting.
 */

export interface Held<Decision> {
  /** The idempotency key of the act. */
  readonly act: string;
  readonly key: string;
  /** When it is sent; milliseconds since the epoch. */
  readonly until: number;
  readonly decision: Decision;
}

export interface HeldBackOptions<Decision> {
  /** Signs and records it. Never throws. Called once for each decision at most. */
  readonly send: (held: Held<Decision>) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs a function later; the result cancels it. */
  readonly later: (ms: number, run: () => void) => () => void;
}

export function createHeldBack<Decision>({ send, now, later }: HeldBackOptions<Decision>) {
  const waiting = new Map<string, { readonly held: Held<Decision>; readonly cancel: () => void }>();

  /** Only the caller that removes an act may send or return it. */
  function remove(act: string): Held<Decision> | undefined {
    const found = waiting.get(act);
    if (!found) return undefined;
    waiting.delete(act);
    found.cancel();
    return found.held;
  }

  function sendOne(act: string): void {
    const held = remove(act);
    if (held) void send(held);
  }

  return {
    /** Oldest first. */
    get all() {
      return [...waiting.values()].map(({ held }) => held);
    },
    /** False if another decision about the same item is already delayed. */
    hold({ act, key, decision }: Omit<Held<Decision>, 'until'>, ms: number): boolean {
      if (waiting.has(act) || [...waiting.values()].some(({ held }) => held.key === key)) return false;
      const cancel = later(ms, () => {
        sendOne(act);
      });
      waiting.set(act, { held: { act, key, decision, until: now() + ms }, cancel });
      return true;
    },
    /** Undefined if it is being sent or was sent. */
    takeBack: remove,
    /** Drops all unsent decisions: their items keep waiting. */
    drop(): void {
      for (const act of [...waiting.keys()]) remove(act);
    },
  };
}

// The item in the "Answer" view, and the one that its reader came from.

export type Selection = ReturnType<typeof createSelection>;

/** @param changed called when another item is selected */
export function createSelection(folders: Folders, changed: () => void = () => undefined) {
  let selected: string | null = null;
  /** The selection before a form about several questions replaced it. */
  let before: string | null = null;
  let pasted = '';

  const isWide = (key: string | null) => workspaceForm(folders.find(key ?? '')?.id ?? '') !== null;

  function select(key: string | null): void {
    if (isWide(key)) before = isWide(selected) ? before : selected;
    else before = null;
    const isOther = key !== selected;
    selected = key;
    pasted = '';
    if (isOther) changed();
  }

  /** The form of this key decided these: back to the one the reader came from, else the last of them. */
  function leaveDecided(key: string, ids: readonly string[]): void {
    const found = folders.find(key);
    const keys = found ? ids.map((id) => folders.keyOf(found.folder, id)) : [];
    // A draw that found nothing left to decide may have gone back already.
    const from = isWide(selected) ? before : selected;
    select(keys.find((one) => one === from) ?? keys.at(-1) ?? before);
  }

  function isOpen(key: string | null): boolean {
    const found = key === null ? null : folders.find(key);
    const { state } = found?.folder.workspace.standing() ?? { state: null };
    if (!found) return false;
    // A store that cannot be read is not settled: its recovery options stay.
    if (!state) return true;
    const question = state.questions.get(found.id);
    return (
      isWide(key) ||
      state.rfcs.has(found.id) ||
      state.requests.has(found.id) ||
      (question !== undefined && isWaiting(question))
    );
  }

  return {
    /** Null selects the first waiting item. */
    key: () => selected,
    select,
    /** Keeps the displayed item: neither a more urgent arrival nor its own answer replaces it. */
    stay(key: string): void {
      selected = key;
    },
    /** From a form about several questions back to the previous one. */
    back(): void {
      select(before);
    },
    leaveDecided,
    /** The view is hidden; a settled item is not shown again. */
    hide(): void {
      if (!isOpen(selected)) selected = null;
    },
    /** A public key pasted into the Keys form for preview. */
    pasted: () => pasted,
    paste(text: string): void {
      pasted = text;
    },
  };
}
