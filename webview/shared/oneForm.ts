/**
 * A page that shows one form at a time: the confirmation, the drafts by form, expanded parts, and what was
 * copied. The acts of each family's forms go through {@link FormActs}.
 */
import type { Outcome } from '../../src/ui/kit/view.ts';
import {
  createCopied,
  createSigningPage,
  fitting,
  isText,
  isTexts,
  recordOf,
  remember,
  withFields,
  type AnyDecision,
  type Attempt,
  type createNotices,
  type FormPage,
  type Kept,
  type mark,
  type Missing,
  type SigningPageRules,
  type Target,
} from './signing.ts';
import type { PageOptions } from './surface.ts';

/** A form's draft by field, and the `shown` when it was started. */
export interface FieldsDraft {
  readonly fields: Readonly<Record<string, string>>;
  readonly shown: string;
}

export interface OneFormSaved extends Kept {
  /** Keyed by form, the latest last. */
  readonly forms: Readonly<Record<string, FieldsDraft>>;
  /** Names of expanded parts by form. */
  readonly unfolded: Readonly<Record<string, readonly string[]>>;
}

interface AnyView {
  readonly type: string;
  readonly key?: string;
  readonly shown?: string;
}

interface AnySnapshot {
  readonly view: AnyView;
  readonly limits: { readonly reason: number };
  readonly kept?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly tab?: boolean | undefined;
  /** A new value requests focus once. */
  readonly focus?: string | undefined;
}

export interface OneFormRules<Snapshot extends AnySnapshot, Act, Saved> extends Pick<
  SigningPageRules<Snapshot, Act, Saved>,
  'nothing' | 'parse' | 'received'
> {
  /** Content that the form shows and does not sign. If it changes, the confirmation starts again. */
  readonly unsigned?: (view: Snapshot['view']) => string;
  /** Another form, or the same form with changed content. */
  readonly moved?: (snapshot: Snapshot) => void;
  /** Returns where focus moves after an act. */
  readonly done: (act: Act) => string;
}

export interface FormAttempt<Act> {
  readonly target: Target;
  readonly lacking: Missing | undefined;
  /** Requires a confirmation before it is sent. */
  readonly twice?: boolean;
  readonly make: (marks: ReturnType<typeof mark>) => Act;
}

export interface FormActs<Act> {
  /** Sends the message from `make`, shows what is missing, or asks for confirmation. */
  readonly attempt: (attempt: FormAttempt<Act>) => void;
  readonly ready: () => boolean;
  /** Shows a validation message and moves focus to its field. */
  readonly complain: (missing: Missing) => void;
  /** Clears the page's last message. */
  readonly edited: () => void;
  /** Shows another part of the form and moves focus there. */
  readonly turn: (focus: string) => void;
  readonly fieldsOf: (key: string) => FieldsDraft | undefined;
  readonly keepFields: (view: { key: string; shown: string }, fields: FieldsDraft['fields'] | undefined) => void;
  readonly unfold: (part: string, open: boolean) => void;
}

export interface OneFormPage extends FormPage {
  /** What the last act did, if the form stays. */
  readonly done: () => string | undefined;
  readonly isUnfolded: (part: string) => boolean;
  readonly unfold: (part: string, open: boolean) => void;
  /** The maximum length of a reason. */
  readonly reasonLimit: () => number;
  readonly copied: () => string | undefined;
  /** The page is an editor tab: it has no way back, and more room. */
  readonly inTab: () => boolean;
}

type Step = 'form' | 'confirm';

export interface Keeping {
  readonly viewKey: () => string;
  readonly saved: () => OneFormSaved;
  readonly keep: (change: Partial<OneFormSaved>) => void;
}

export function createOneForm<
  Message,
  Snapshot extends AnySnapshot,
  Act extends AnyDecision & Message,
  Saved extends OneFormSaved,
>(options: PageOptions<Message | { type: 'keep'; saved: string }, Saved>, rules: OneFormRules<Snapshot, Act, Saved>) {
  const steps = createSteps(() => {
    core.unsettle();
  });
  const core = createSigningPage<Message, Snapshot, Act, Saved>(options, {
    nothing: rules.nothing,
    parse: rules.parse,
    subject: ({ view }) =>
      view.shown === undefined ? view.type : [view.key ?? '', view.shown, rules.unsigned?.(view) ?? ''].join('\n'),
    moved(snapshot) {
      steps.restart();
      core.notices.unhint();
      copied.forget();
      rules.moved?.(snapshot);
    },
    ended: steps.restart,
    done(act, outcome, place) {
      keeping.keep({ forms: remember(core.saved().forms, act.key, undefined) });
      core.notices.finish(place, outcome.text);
      core.notices.focusOn(rules.done(act));
    },
    refusedAt: () => 'refusal',
    received(snapshot, before) {
      rules.received?.(snapshot, before);
      if (snapshot.focus !== undefined && snapshot.focus !== before?.focus) core.notices.focusOn('form');
    },
  });
  const copied = createCopied<string>({ ...options, say: core.notices.say });
  const keeping: Keeping = {
    viewKey: () => core.snapshot()?.view.key ?? '',
    saved: core.saved,
    keep: (change) => {
      core.keep(change as Partial<Omit<Saved, 'revision'>>);
    },
  };
  const parts: Parts = { core, steps, keeping, changed: options.changed };
  const page = pageOf(parts, copied.copied);
  return { core, steps, keeping, copied, page, acts: actsOf<Act>(parts, page, core.attempt) };
}

function createSteps(unsettle: () => void) {
  let step: Step = 'form';
  return {
    step: (): Step => step,
    to(next: Step): void {
      if (step === next) return;
      step = next;
      unsettle();
    },
    restart: (): void => {
      step = 'form';
    },
  };
}

interface Parts {
  readonly core: {
    readonly notices: ReturnType<typeof createNotices>;
    readonly ready: (key: string) => boolean;
    readonly complain: (place: string, missing: Missing) => void;
    readonly unsettle: () => void;
    readonly flight: (key: string) => ReturnType<FormPage['flight']>;
    readonly formAt: (place: string, key: string, back: () => boolean) => FormPage;
    readonly snapshot: () => AnySnapshot | undefined;
  };
  readonly steps: ReturnType<typeof createSteps>;
  readonly keeping: Keeping;
  readonly changed: () => void;
}

function pageOf({ core, steps, keeping, changed }: Parts, copied: OneFormPage['copied']): OneFormPage {
  const { notices } = core;
  const { viewKey, saved, keep } = keeping;
  return {
    copied,
    step: steps.step,
    hint: () => notices.hintAt(viewKey()),
    refusal: () => notices.refusalAt(viewKey()),
    done: () => notices.doneAt(viewKey()),
    flight: () => core.flight(viewKey()),
    again: () => {
      core.formAt(viewKey(), viewKey(), () => false).again();
    },
    inTab: () => core.snapshot()?.tab === true,
    reasonLimit: () => core.snapshot()?.limits.reason ?? 0,
    isUnfolded: (part) => (saved().unfolded[viewKey()] ?? []).includes(part),
    unfold(part, open) {
      const parts = (saved().unfolded[viewKey()] ?? []).filter((one) => one !== part);
      if (open) parts.push(part);
      keep({ unfolded: remember(saved().unfolded, viewKey(), parts.length === 0 ? undefined : parts) });
      changed();
    },
    back() {
      if (steps.step() === 'form' || core.flight(viewKey())) return false;
      notices.focusOn('form');
      steps.to('form');
      changed();
      return true;
    },
  };
}

function actsOf<Act>(
  { core, steps, keeping, changed }: Parts,
  page: OneFormPage,
  attempt: (attempt: Attempt<Act>) => void,
): FormActs<Act> {
  const { notices } = core;
  const { viewKey, saved, keep } = keeping;
  const edited = () => {
    notices.quiet();
    changed();
  };
  return {
    edited,
    unfold: page.unfold,
    ready: () => core.ready(viewKey()),
    complain: (missing) => {
      steps.to('form');
      core.complain(viewKey(), missing);
    },
    turn(focus) {
      notices.unhint();
      notices.focusOn(focus);
      core.unsettle();
      changed();
    },
    attempt({ target, lacking, twice = false, make }) {
      attempt({
        ...{ place: viewKey(), target, lacking, make },
        confirmed: () => {
          if (!twice || steps.step() === 'confirm') return true;
          steps.to('confirm');
          notices.unhint();
          notices.focusOn('confirm');
          changed();
          return false;
        },
      });
    },
    fieldsOf: (key) => saved().forms[key],
    keepFields({ key, shown }, fields) {
      if (core.flight(key)) return;
      keep({ forms: remember(saved().forms, key, fields && { fields, shown }) });
      edited();
    },
  };
}

/** Parses the forms’ state from an earlier page; anything unexpected is ignored. */
export const parseForms = (value: unknown): OneFormSaved['forms'] =>
  fitting(value, withFields({ shown: isText, fields: recordOf(isText) }));

export const parseUnfolded = (value: unknown): OneFormSaved['unfolded'] => fitting(value, isTexts);
