/**
 * The page of the view "Answer", which shows one form at a time: the confirmation, drafts by form, expanded parts, and
 * copying. Below it, the parts of its forms.
 */
import type { Decision, QuestionMessage } from '../../src/ui/answer/messages.ts';
import type { Snapshot } from '../../src/ui/answer/form.ts';
import {
  createCopied,
  createSigningPage,
  type Saved,
  type Attempt,
  type Missing,
  type SigningPageRules,
  type Entered,
  type Folds,
} from '../shared/signing.ts';
import type { PageOptions as Options } from '../shared/surface.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { FormView } from '../../src/ui/kit/view.ts';
import {
  doneNote,
  formOf,
  decideButton,
  isFrozen,
  leave,
  lockedNote,
  refusal,
  secondStep,
  waitingNote,
  signsAs,
} from '../shared/deciding.ts';
import { notice } from '../shared/elements.ts';
import type { Filled, Values } from '../shared/fields.ts';
import { limitItems } from '../shared/parts.ts';

type Rules = Pick<SigningPageRules<Snapshot, Decision>, 'moved' | 'received'> & {
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
  const core = createSigningPage<QuestionMessage, Snapshot, Decision>(options, {
    ...{ ended: restart, refusedAt: () => 'refusal' },
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

  function to(next: typeof step): void {
    if (step === next) return;
    step = next;
    core.unsettle();
  }

  return { core, copied, to, step: () => step };
}

function pageOf(
  { core, copied, to, step }: ReturnType<typeof createBase>,
  { host, changed }: Pick<OneFormOptions, 'host' | 'changed'>,
) {
  const { notices, key: viewKey } = core;
  const flight = () => core.flight(viewKey());
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
    ...{ isUnfolded: core.isUnfolded, unfold: core.unfold, entered: core.entered },
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
    keepFields({ key, shown }: { key: string; shown: string }, fields: Entered['fields'] | undefined) {
      if (core.flight(key)) return;
      core.keepEntered(key, fields && { fields, shown });
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

// The form around its fields, and its parts.

export type Drawn = TemplateResult | typeof nothing;
type Marked = Pick<FormView, 'key' | 'shown'>;

export const enteredIn = (page: OneFormPage, { key }: Marked): Values => page.entered(key)?.fields ?? {};

export function enter(page: OneFormPage, view: Marked, change: Values): void {
  page.keepFields(view, { ...enteredIn(page, view), ...change });
}

/** Whether the content has changed since the human began to enter something. */
export function isStale(page: OneFormPage, { key, shown }: Marked): boolean {
  return (page.entered(key)?.shown ?? shown) !== shown;
}

export function ifStale(page: OneFormPage, view: Marked, words: string): Drawn {
  return isStale(page, view) ? notice('info', 'history', words) : nothing;
}

/** The values of a form's fields: the draft, over the first values. */
export function filled(page: OneFormPage, view: FormView, first: Values = {}): Filled {
  return {
    values: { ...first, ...enteredIn(page, view) },
    disabled: isFrozen(page, view),
    edit: (change) => {
      enter(page, view, change);
    },
  };
}

interface FormEnd extends Pick<Attempt<Decision>, 'make'> {
  readonly send: string;
  readonly lacking?: Missing | undefined;
  /** The confirmation that comes first. */
  readonly confirm?: { readonly ask: string; readonly content: unknown; readonly yes: string };
  readonly name?: string;
  readonly kind?: string;
  /** Between the form and its buttons, and after them. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly begun?: () => void;
}

/** The form of one act: its fields, who signs, what became of the last act, and the button; perhaps a confirmation. */
export function formWith(page: OneFormPage, view: FormView, fields: unknown, end: FormEnd): TemplateResult {
  const { make, lacking, confirm, send, kind, begun, before, after } = end;
  const act = () => {
    if (view.locked !== undefined) return;
    begun?.();
    page.attempt({ target: view, lacking, twice: confirm !== undefined, make });
  };
  const buttons = () => {
    if (view.locked !== undefined) return lockedNote(view.locked);
    if (page.flight() !== undefined) return waitingNote(page);
    if (confirm && page.step() === 'confirm') return secondStep(page, { ...confirm, act });
    return html`${before}
      <div class="actions">
        ${decideButton(send, act, confirm !== undefined)} ${confirm ? leave(page) : nothing} ${after}
      </div>`;
  };
  return formOf(page, html`${fields} ${signsAs(view.answersAs)} ${refusal(page)} ${doneNote(page)} ${buttons()}`, {
    act,
    ...(kind === undefined ? {} : { kind }),
  });
}

/** The first items of a list, and a link that shows the rest. */
export function listOf<Item>(
  page: Folds,
  {
    name,
    all,
    kind = '',
  }: { readonly name: string; readonly all: readonly Item[]; readonly kind?: 'all-list' | 'list' | '' },
  row: (item: Item) => unknown,
): TemplateResult {
  const { items, more } = limitItems(page, name, all);
  return html`<ul class="${kind === 'list' ? '' : 'agents'} ${kind}">
    ${items.map((item) => html`<li>${row(item)}</li>`)} ${more === nothing ? nothing : html`<li>${more}</li>`}
  </ul>`;
}

export function rowOf(label: string, content: unknown, part?: string): Drawn {
  return content === nothing
    ? nothing
    : html`<div class="row" data-part=${part ?? nothing}>
        <dt>${label}</dt>
        <dd>${content}</dd>
      </div>`;
}
