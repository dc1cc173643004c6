/**
 * Common parts of the pages in which a human signs: the host's latest snapshot, drafts, acts in flight and their
 * outcomes. Renders nothing. Code that sends an act runs in a trusted event (see shared/trusted.ts).
 */
import type { Outcome, Signer } from '../../src/ui/kit/view.ts';
import { createFlights } from './flights.ts';
import type { AnyDecision } from './flights.ts';
import type { FormPage, Missing } from './formPage.ts';
import { createKeeping } from './keeping.ts';
import type { Kept } from './keeping.ts';
import { mark, missingName } from './marks.ts';
import { createNotices } from './notices.ts';
import { createSettling } from './settling.ts';
import { t } from './strings.ts';
import type { Host } from './vscode.ts';

export interface PageOptions<Message, Saved> {
  readonly host: Host<Message, Saved>;
  readonly newAct: () => string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  /** The content has changed: redraw. */
  readonly changed: () => void;
}

interface AnySnapshot {
  readonly kept?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

interface AnySaved extends Kept {
  /** The name typed at first use. */
  readonly name: string;
}

type Done = Extract<Outcome, { type: 'done' }>;

/** What each page provides. */
export interface SigningPageRules<Snapshot, Act, Saved> {
  readonly nothing: Saved;
  readonly parse: (value: unknown) => Saved | undefined;
  /** Identifies the content of a snapshot, including anything that may have moved under the pointer. */
  readonly subject: (snapshot: Snapshot) => string;
  /** The content has changed. */
  readonly moved?: (snapshot: Snapshot) => void;
  /** After a snapshot and its outcome were applied. */
  readonly received?: (snapshot: Snapshot, before: Snapshot | undefined) => void;
  /** An act has ended, with success or failure. */
  readonly ended?: () => void;
  readonly done: (act: Act, outcome: Done, place: string) => void;
  /** Where focus moves when an act of a place was refused; undefined: it stays. */
  readonly refusedAt?: (place: string) => string | undefined;
}

/** The target of an act, and its signer. */
export interface Target {
  readonly key: string;
  readonly shown: string;
  readonly render: string;
  readonly answersAs: Signer;
}

export interface Attempt<Act> {
  /** The form it is made in. */
  readonly place: string;
  readonly target: Target;
  readonly lacking: Missing | undefined;
  /** Instead of the name that was typed on this page. */
  readonly name?: string | undefined;
  /** Called when nothing is missing. False: a confirmation comes first. */
  readonly confirmed?: () => boolean;
  readonly make: (marks: ReturnType<typeof mark>) => Act;
}

export function createSigningPage<
  Message,
  Snapshot extends AnySnapshot,
  Act extends AnyDecision & Message,
  Saved extends AnySaved,
>(
  options: PageOptions<Message | { type: 'keep'; saved: string }, Saved>,
  rules: SigningPageRules<Snapshot, Act, Saved>,
) {
  const { host, later, changed } = options;
  const flights = createFlights<Act>({ post: host.post, later, changed });
  const keeping = createKeeping<Saved>({ host, later, nothing: rules.nothing, parse: rules.parse });
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

  const identity = {
    /** The signer's name: the typed one, else the host's proposal. */
    nameFor: (proposed: string): string => (keeping.saved().name === '' ? proposed : keeping.saved().name),
    setName(name: string): void {
      keeping.keep({ name } as Partial<Omit<Saved, 'revision'>>);
      notices.unhint();
      changed();
    },
  };
  return {
    ...{ receive, ready, send, complain, unsettle, notices, ...identity },
    ...{ saved: keeping.saved, keep: keeping.keep, flight: flights.of, drop: flights.drop },
    snapshot: () => snapshot,

    /** Sends the message that `make` builds from the marks, unless something is missing. */
    attempt({ place, target, lacking, make, confirmed, ...given }: Attempt<Act>): void {
      if (!ready(target.key)) return;
      const name = given.name ?? identity.nameFor(target.answersAs.name);
      const missing = lacking ?? missingName(target.answersAs, name);
      if (missing) complain(place, missing);
      else if (confirmed?.() ?? true) send(place, make(mark(target, options.newAct(), name)));
    },

    formAt: formsOf({ flights, places, notices, identity, changed }),
  };
}

interface FormsOptions<Act extends AnyDecision> {
  readonly flights: Pick<ReturnType<typeof createFlights<Act>>, 'of' | 'again'>;
  readonly places: ReadonlyMap<string, string>;
  readonly notices: ReturnType<typeof createNotices>;
  readonly identity: Pick<FormPage, 'nameFor' | 'setName'>;
  readonly changed: () => void;
}

/** The shared part of all forms, for the one at a place that acts on `key`. */
function formsOf<Act extends AnyDecision>({ flights, places, notices, identity, changed }: FormsOptions<Act>) {
  return (place: string, key: string, back: () => boolean): FormPage => ({
    ...identity,
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
