/**
 * The state of pages in which a human signs: drafts, the half second before a decision counts, decisions in flight, once
 * each, and what became of them. Renders nothing. Code that sends an act runs in a trusted event (see `byHuman`).
 */
import type { Values, Outcome, Signer } from '../../src/ui/kit/view.ts';
import { t } from './strings.ts';
import type { PageOptions } from './surface.ts';

/** A validation message and its field. */
export interface Missing<Field extends string = string> {
  readonly field: Field;
  readonly text: string;
}

/** A file location to open next to the page. */
export interface FileMessage {
  readonly type: 'openFile';
  readonly key: string;
  readonly path: string;
  readonly line?: number;
}

/** An image of the workspace, to be shown in a document. */
export interface ImageMessage {
  readonly type: 'showImage';
  readonly key: string;
  readonly path: string;
}

export interface OpensFiles {
  readonly dispatch: (message: FileMessage) => void;
  /** Absent if images are only named. */
  readonly showImage?: (message: ImageMessage) => void;
}

export interface Folds {
  readonly isUnfolded: (part: string) => boolean;
  readonly unfold: (part: string, open: boolean) => void;
}

export interface FormPage {
  readonly step: () => 'form' | 'confirm';
  readonly hint: () => Missing | undefined;
  readonly refusal: () => string | undefined;
  readonly flight: () => Pick<Flight<never>, 'slow'> | undefined;
  readonly again: () => void;
  /** One step back; false when there is none. */
  readonly back: () => boolean;
}

// The fields of every decision, with the signer's name at the first.

export function mark({ key, shown, render, answersAs }: Target, act: string) {
  return { act, key, shown, render, ...(answersAs.editable ? { name: answersAs.name } : {}) };
}

// Decisions in flight. One at a time per item, until the host has replied: this is what makes a
// double click one decision. If the host does not reply, the same message can be sent again: an act is done
// only once, however often it arrives.

/** A message that decides: `key` names the item, `act` the act. */
export interface AnyDecision {
  readonly key: string;
  readonly act: string;
}

export interface Flight<Decision extends AnyDecision> {
  readonly message: Decision;
  /** The host has not replied for so long that the page shows a notice. */
  readonly slow: boolean;
}

interface FlightsOptions<Decision extends AnyDecision> {
  readonly post: (message: Decision) => void;
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
}

const slowMs = 15_000;

function createFlights<Decision extends AnyDecision>({ post, later, changed }: FlightsOptions<Decision>) {
  const byKey = new Map<string, Flight<Decision>>();

  function transmit(message: Decision): void {
    byKey.set(message.key, { message, slow: false });
    post(message);
    later(slowMs, () => {
      if (byKey.get(message.key)?.message.act !== message.act) return;
      byKey.set(message.key, { message, slow: true });
      changed();
    });
  }

  return {
    of: (key: string): Flight<Decision> | undefined => byKey.get(key),

    /** False if one is already in flight for this item. */
    start(message: Decision): boolean {
      if (byKey.has(message.key)) return false;
      transmit(message);
      return true;
    },

    again(key: string): void {
      const flight = byKey.get(key);
      if (flight?.slow === true) transmit(flight.message);
    },

    /** The host has replied to an act: it is finished. */
    land(act: string): Decision | undefined {
      const flight = [...byKey.values()].find(({ message }) => message.act === act);
      if (flight) byKey.delete(flight.message.key);
      return flight?.message;
    },

    /** The item is decided, by this reader or another. */
    drop(key: string): void {
      byKey.delete(key);
    },
  };
}

// Saves a page's own state over selection changes and reloads: in the editor immediately, and a moment later with the
// host, because a window that crashes loses what only the page has.

/** What was entered by field, and the `shown` when that was begun. */
export interface Entered {
  readonly fields: Values;
  readonly shown: string;
}

export interface Saved {
  /** Increases with each change: of two saved states, the higher one wins. */
  readonly revision: number;
  /** Of a page that shows one item, by which the host restores it. */
  readonly key: string;
  /** Drafts by the place of their form, the latest last. */
  readonly forms: Readonly<Record<string, Entered>>;
  /** Names of expanded parts by item. */
  readonly unfolded: Readonly<Record<string, readonly string[]>>;
}

/** Parses what an earlier page saved; anything unexpected is ignored. */
export function parseSaved(value: unknown): Saved | undefined {
  if (!isRecord(value)) return undefined;
  const { revision, key, forms, unfolded } = value;
  const isEntered = (one: unknown) =>
    isRecord(one) && isText(one['shown']) && isRecord(one['fields']) && Object.values(one['fields']).every(isText);
  return {
    revision: typeof revision === 'number' ? revision : 0,
    key: typeof key === 'string' ? key : '',
    forms: fitting<Entered>(forms, isEntered),
    unfolded: fitting<string[]>(unfolded, (one) => Array.isArray(one) && one.every(isText)),
  };
}

/** How long typed text may exist only in the page. */
const keepMs = 300;

function createKeeping({ host, later }: Pick<PageOptions<{ type: 'keep'; saved: string }, Saved>, 'host' | 'later'>) {
  let saved: Saved = host.restore() ?? { revision: 0, key: '', forms: {}, unfolded: {} };
  let keeping = false;
  /** Something was typed or expanded in this page. */
  let touched = false;
  return {
    saved: (): Saved => saved,

    keep(change: Partial<Omit<Saved, 'revision'>>): void {
      saved = { ...saved, ...change, revision: saved.revision + 1 };
      host.save(saved);
      touched = true;
      if (keeping) return;
      keeping = true;
      later(keepMs, () => {
        keeping = false;
        host.post({ type: 'keep', saved: JSON.stringify(saved) });
      });
    },

    /** Takes the host's copy of an earlier page's state, unless this page has a later one. */
    takeBack(text: string | undefined): void {
      const kept = touched ? undefined : read(text);
      if (kept && kept.revision > saved.revision) saved = kept;
    },
  };
}

function read(text: string | undefined): Saved | undefined {
  if (text === undefined) return undefined;
  try {
    return parseSaved(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Enough for any list that a person works through; the oldest are dropped first. */
const keptAtMost = 200;
const unfoldedAtMost = 300;

/** Adds a value as the latest and drops the oldest beyond the limit. */
export function remember<Value>(
  all: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Record<string, Value> {
  const entries = Object.entries(all).filter(([one]) => one !== key);
  if (value !== undefined) entries.push([key, value]);
  return Object.fromEntries(entries.slice(-keptAtMost));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown) => typeof value === 'string';

/** The entries of a saved record that fit. */
function fitting<Value>(value: unknown, check: (one: unknown) => boolean): Record<string, Value> {
  const entries = isRecord(value) ? Object.entries(value).filter(([, one]) => check(one)) : [];
  return Object.fromEntries(entries) as Record<string, Value>;
}

// A page’s messages: validation, refused acts and finished ones; and where focus moves next.

interface Note {
  /** The form it belongs to, if a page has several. */
  readonly place: string;
  readonly text: string;
}

export function createNotices() {
  let hint: (Note & Missing) | undefined;
  let refusal: Note | undefined;
  let done: Note | undefined;
  let focus: string | undefined;
  let spoken = '';
  return {
    /** Clears everything once something is edited or sent. */
    quiet(): void {
      hint = refusal = done = undefined;
    },
    unhint(): void {
      hint = undefined;
    },
    /** Shows a validation message and moves focus to its field. */
    miss(place: string, missing: Missing): void {
      hint = { ...missing, place };
      focus = missing.field;
    },
    refuse(place: string, text: string): void {
      refusal = { place, text };
    },
    finish(place: string, text: string | undefined): void {
      done = text === undefined ? undefined : { place, text };
    },
    hintAt: (place: string): Missing | undefined => (hint?.place === place ? hint : undefined),
    refusalAt: (place: string): string | undefined => (refusal?.place === place ? refusal.text : undefined),
    doneAt: (place: string): string | undefined => (done?.place === place ? done.text : undefined),

    /** The place or field that gets focus after the next redraw. */
    focusOn(target: string | undefined): void {
      focus = target;
    },
    /** Moves focus there once. */
    takeFocus(): string | undefined {
      const target = focus;
      focus = undefined;
      return target;
    },

    say(text: string): void {
      spoken = text;
    },
    spoken: (): string => spoken,
  };
}

// Blocks decisions on content that has just appeared under the pointer: a click meant for something else must not hit
// it, and a human needs at least half a second to see it. The host also waits (src/ui/surface/signingSurface.ts).

export const settleMs = 500;

interface SettlingOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
}

function createSettling({ clock, later, changed }: SettlingOptions) {
  let settledAt = 0;
  return {
    /** Restarts the delay in which clicks do not decide. */
    unsettle: (): void => {
      settledAt = clock() + settleMs;
      later(settleMs + 20, changed);
    },
    settled: (): boolean => clock() >= settledAt,
  };
}

// Shows "copied" briefly next to the copied text.

interface CopiedOptions {
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
  readonly say: (text: string) => void;
}

const shownMs = 2_000;

export function createCopied<What extends string>({ later, changed, say }: CopiedOptions) {
  let copied: What | undefined;
  return {
    copied: (): What | undefined => copied,
    show(what: What): void {
      copied = what;
      say(t('copied'));
      later(shownMs, () => {
        copied = undefined;
        changed();
      });
      changed();
    },
    forget(): void {
      copied = undefined;
    },
  };
}

interface AnySnapshot {
  readonly view: { readonly type: string; readonly key?: string };
  readonly kept?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

type Done = Extract<Outcome, { type: 'done' }>;

export interface SigningPageRules<Snapshot, Act> {
  /** Identifies the content of a snapshot, including anything that may have moved under the pointer. */
  readonly subject: (snapshot: Snapshot) => string;
  readonly moved?: (snapshot: Snapshot) => void;
  /** After a snapshot and its outcome were applied. */
  readonly received?: (snapshot: Snapshot, before: Snapshot | undefined) => void;
  readonly ended?: () => void;
  readonly done: (act: Act, outcome: Done, place: string) => void;
  /** Where focus moves when an act of a place was refused; undefined: it stays. */
  readonly refusedAt?: (place: string) => string | undefined;
}

export interface Target {
  readonly key: string;
  readonly shown: string;
  readonly render: string;
  readonly answersAs: Signer;
}

export interface Attempt<Act> {
  readonly place: string;
  readonly target: Target;
  readonly lacking: Missing | undefined;
  /** Called when nothing is missing. False: a confirmation comes first. */
  readonly confirmed?: () => boolean;
  readonly make: (marks: ReturnType<typeof mark>) => Act;
}

export function createSigningPage<Message, Snapshot extends AnySnapshot, Act extends AnyDecision & Message>(
  options: PageOptions<Message | { type: 'keep'; saved: string }, Saved>,
  rules: SigningPageRules<Snapshot, Act>,
) {
  const { host, later, changed } = options;
  const flights = createFlights<Act>({ post: host.post, later, changed });
  const keeping = createKeeping({ host, later });
  const { saved, keep } = keeping;
  const { settled, unsettle } = createSettling(options);
  const notices = createNotices();
  /** The place of each act in flight. */
  const places = new Map<string, string>();
  let snapshot: Snapshot | undefined;

  function ready(key?: string): boolean {
    return snapshot !== undefined && settled() && (key === undefined || !flights.of(key));
  }

  function send(place: string, act: Act): void {
    if (!ready(act.key) || !flights.start(act)) return;
    places.set(act.act, place);
    notices.quiet();
    notices.say(t('Sending…'));
    changed();
  }

  function complain(place: string, missing: Missing): void {
    notices.miss(place, missing);
    changed();
  }

  function settle(outcome: Outcome): void {
    const act = flights.land(outcome.act);
    if (!act) return;
    const place = places.get(act.act) ?? '';
    places.delete(act.act);
    // The host also restarts its delay: the click has done its work.
    unsettle();
    rules.ended?.();
    if (outcome.type === 'refused') {
      notices.refuse(place, outcome.text);
      notices.focusOn(rules.refusedAt ? rules.refusedAt(place) : place);
      return;
    }
    notices.say(outcome.text ?? t('Done.'));
    rules.done(act, outcome, place);
  }

  function receive(next: Snapshot): void {
    const before = snapshot;
    snapshot = next;
    keeping.takeBack(next.kept);
    if (!before || rules.subject(before) !== rules.subject(next)) {
      unsettle();
      rules.moved?.(next);
    }
    if (next.outcome) settle(next.outcome);
    rules.received?.(next, before);
    changed();
  }

  const keepEntered = (form: string, entered: Entered | undefined) => {
    keep({ forms: remember(saved().forms, form, entered) });
  };
  /** The displayed item. */
  const key = () => snapshot?.view.key ?? '';
  const unfolded = () => saved().unfolded[key()] ?? [];

  return {
    ...{ receive, ready, send, complain, unsettle, notices },
    ...{ saved, keep, keepEntered, key, flight: flights.of, drop: flights.drop },
    entered: (form: string): Entered | undefined => saved().forms[form],
    isUnfolded: (part: string): boolean => unfolded().includes(part),
    unfold(part: string, open: boolean): void {
      const others = unfolded().filter((one) => one !== part);
      const parts = open ? [...others, part].slice(-unfoldedAtMost) : others;
      keep({ unfolded: remember(saved().unfolded, key(), parts.length === 0 ? undefined : parts) });
      changed();
    },
    snapshot: () => snapshot,

    /** Sends the message that `make` builds from the marks, unless something is missing. */
    attempt({ place, target, lacking, make, confirmed }: Attempt<Act>): void {
      if (!ready(target.key)) return;
      if (lacking) complain(place, lacking);
      else if (confirmed?.() ?? true) send(place, make(mark(target, options.newAct())));
    },

    formAt: formsOf({ flights, places, notices, changed }),
  };
}

interface FormsOptions<Act extends AnyDecision> {
  readonly flights: Pick<ReturnType<typeof createFlights<Act>>, 'of' | 'again'>;
  readonly places: ReadonlyMap<string, string>;
  readonly notices: ReturnType<typeof createNotices>;
  readonly changed: () => void;
}

/** The shared part of all forms, for the one at a place that acts on `key`. */
function formsOf<Act extends AnyDecision>({ flights, places, notices, changed }: FormsOptions<Act>) {
  return (place: string, key: string, back: () => boolean): FormPage => ({
    back,
    step: () => 'form',
    hint: () => notices.hintAt(place),
    refusal: () => notices.refusalAt(place),
    flight: () => {
      const flight = flights.of(key);
      return flight && places.get(flight.message.act) === place ? flight : undefined;
    },
    /** Sends the same act again if the host has not replied; it is done only once. */
    again: () => {
      flights.again(key);
      changed();
    },
  });
}
