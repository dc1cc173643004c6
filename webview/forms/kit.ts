/** Shared by the forms of the view "Answer": drafts, and the form around its fields. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Decision } from '../../src/ui/answer/messages.ts';
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
import { type Filled, type Values } from '../shared/fields.ts';
import { limitItems } from '../shared/parts.ts';
import type { Attempt, Folds, Missing } from '../shared/signing.ts';
import type { OneFormPage } from './page.ts';

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
