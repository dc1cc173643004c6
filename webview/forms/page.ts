/**
 * The page of the view "Answer", which shows one form at a time: the confirmation, drafts by form, expanded parts, and
 * copying. Renders nothing.
 */
import type { Decision, QuestionMessage } from '../../src/ui/answer/messages.ts';
import type { Snapshot } from '../../src/ui/answer/form.ts';
import {
  createCopied,
  createSigningPage,
  fitting,
  isRecord,
  isText,
  isTexts,
  recordOf,
  remember,
  withFields,
  type Attempt,
  type Kept,
  type Missing,
  type SigningPageRules,
} from '../shared/signing.ts';
import type { PageOptions as Options } from '../shared/surface.ts';

/** What was entered by field, and the `shown` when that was begun. */
export interface Entered {
  readonly fields: Readonly<Record<string, string>>;
  readonly shown: string;
}

/** What the page keeps over selection changes and reloads; everything else comes from the host with the next snapshot. */
export interface Saved extends Kept {
  /** Keyed by form, the latest last. */
  readonly forms: Readonly<Record<string, Entered>>;
  /** Names of expanded parts by form. */
  readonly unfolded: Readonly<Record<string, readonly string[]>>;
}

const nothing: Saved = { revision: 0, forms: {}, unfolded: {} };

/** Parses the state of an earlier page; anything unexpected is ignored. */
export function parseSaved(value: unknown): Saved | undefined {
  if (!isRecord(value)) return undefined;
  const { revision, forms, unfolded } = value;
  return {
    revision: typeof revision === 'number' ? revision : 0,
    forms: fitting(forms, withFields({ shown: isText, fields: recordOf(isText) })),
    unfolded: fitting(unfolded, isTexts),
  };
}

type Rules = Pick<SigningPageRules<Snapshot, Decision, Saved>, 'moved' | 'received'> & {
  /** Returns where focus moves after an act. */
  readonly done: (act: Decision) => string;
};

/** `twice`: a confirmation comes before it is sent. */
export interface FormAttempt extends Pick<Attempt<Decision>, 'target' | 'make'> {
  readonly lacking?: Missing | undefined;
  readonly twice?: boolean;
}

/** Messages that decide nothing. */
export type Unsigned = Exclude<QuestionMessage, Decision>;

export type OneFormOptions = Options<QuestionMessage, Saved>;
export type OneForm = ReturnType<typeof createOneForm>;
export type OneFormPage = OneForm['page'];

function createBase(options: OneFormOptions, rules: Rules) {
  let step: 'form' | 'confirm' = 'form';
  const restart = () => {
    step = 'form';
  };
  const core = createSigningPage<QuestionMessage, Snapshot, Decision, Saved>(options, {
    ...{ nothing, parse: parseSaved, ended: restart, refusedAt: () => 'refusal' },
    subject: ({ view }) => {
      if (!('shown' in view)) return view.type;
      // The logins are shown and not signed: if they change, the confirmation starts again.
      const unsigned = view.type === 'share' ? JSON.stringify([view.server, view.agents]) : '';
      return [view.key, view.shown, unsigned].join('\n');
    },
    moved(snapshot) {
      restart();
      notices.unhint();
      copied.forget();
      rules.moved?.(snapshot);
    },
    done(act, outcome, place) {
      notices.finish(place, outcome.text);
      notices.focusOn(rules.done(act));
    },
    received(snapshot, before) {
      rules.received?.(snapshot, before);
      if (snapshot.focus !== undefined && snapshot.focus !== before?.focus) notices.focusOn('form');
    },
  });
  const { notices } = core;
  const copied = createCopied<'link' | 'draft' | 'key'>({ ...options, say: notices.say });

  const viewKey = () => keyOf(core.snapshot()) ?? '';
  const { keep } = core;
  /** Keeps what was entered into a form; undefined forgets it. */
  const keepEntered = (key: string, entered: Entered | undefined) => {
    keep({ forms: remember(core.saved().forms, key, entered) });
  };
  function to(next: typeof step): void {
    if (step === next) return;
    step = next;
    core.unsettle();
  }

  return { core, copied, keep, keepEntered, to, viewKey, step: () => step };
}

function pageOf(
  { core, copied, keep, keepEntered, to, viewKey, step }: ReturnType<typeof createBase>,
  { host, changed }: Pick<OneFormOptions, 'host' | 'changed'>,
) {
  const { notices } = core;
  const flight = () => core.flight(viewKey());
  const unfoldedHere = () => core.saved().unfolded[viewKey()] ?? [];
  /** Clears the page's last message. */
  const edited = () => {
    notices.quiet();
    changed();
  };
  return {
    ...{ step, flight, edited, copied: copied.copied },
    hint: () => notices.hintAt(viewKey()),
    refusal: () => notices.refusalAt(viewKey()),
    /** What the last act did, if the form stays. */
    done: () => notices.doneAt(viewKey()),
    again: () => {
      core.formAt(viewKey(), viewKey(), () => false).again();
    },
    /** The page is an editor tab: it has no way back, and more room. */
    inTab: () => core.snapshot()?.tab === true,
    limits: () => core.snapshot()?.limits ?? { answer: 0, reason: 0, name: 0 },
    isUnfolded: (part: string) => unfoldedHere().includes(part),
    unfold(part: string, open: boolean) {
      const parts = unfoldedHere().filter((one) => one !== part);
      if (open) parts.push(part);
      keep({ unfolded: remember(core.saved().unfolded, viewKey(), parts.length === 0 ? undefined : parts) });
      changed();
    },
    back() {
      if (step() === 'form' || flight()) return false;
      notices.focusOn('form');
      to('form');
      changed();
      return true;
    },
    /** Whether the displayed item can be decided right now. */
    ready: () => core.ready(viewKey()),
    /** Shows a validation message and moves focus to its field. */
    complain(missing: Missing) {
      to('form');
      core.complain(viewKey(), missing);
    },
    /** Shows another part of the form and moves focus there. */
    turn(focus: string) {
      notices.unhint();
      notices.focusOn(focus);
      core.unsettle();
      changed();
    },
    /** Sends the message, shows a validation message, or asks for confirmation. */
    attempt({ target, lacking, twice = false, make }: FormAttempt) {
      core.attempt({
        ...{ place: viewKey(), target, lacking, make },
        confirmed: () => {
          if (!twice || step() === 'confirm') return true;
          to('confirm');
          notices.unhint();
          notices.focusOn('confirm');
          changed();
          return false;
        },
      });
    },
    entered: (key: string): Entered | undefined => core.saved().forms[key],
    keepFields({ key, shown }: { key: string; shown: string }, fields: Entered['fields'] | undefined) {
      if (core.flight(key)) return;
      keepEntered(key, fields && { fields, shown });
      edited();
    },
    dispatch: (message: Unsigned): void => host.post(message),
    /** Copies something, and says so next to it. */
    copy(what: 'link' | 'draft' | 'key', message: Unsigned) {
      host.post(message);
      copied.show(what);
    },
  };
}

export function createOneForm(options: OneFormOptions, rules: Rules) {
  const base = createBase(options, rules);
  return { ...base, page: pageOf(base, options) };
}

export function keyOf(snapshot: Snapshot | undefined): string | undefined {
  return snapshot && 'key' in snapshot.view ? snapshot.view.key : undefined;
}
