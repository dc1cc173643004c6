/** The box for a new comment on a section: its type, whether it blocks, and its text. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { button, link } from '../shared/buttons.ts';
import type { FeedbackType } from '../../src/core/records/rfcWords.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import type { Section } from '../../src/ui/rfc/sections.ts';
import { onFormKey, refusal, waiting } from '../shared/deciding.ts';
import { nameField, textBox } from '../shared/fields.ts';
import { icon } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { byHuman } from '../shared/trusted.ts';
import { visibleText } from '../shared/visible.ts';
import type { Page } from './page.ts';
import { blockQuotes } from './quotes.ts';
import { sectionText } from './sectionText.ts';

export const typeWords = {
  question: t('question'),
  concern: t('concern'),
  suggestion: t('suggestion'),
  approval: t('approval'),
};

const types = ['concern', 'question', 'suggestion', 'approval'] as const satisfies FeedbackType[];

export function commentBox(page: Page, view: RfcView, section: Section, place: string): TemplateResult {
  const title = visibleText(section.title);
  if (page.draft().open !== place) {
    return html`<p>
      ${link(html`${icon('comment')}${t('Comment')}`, () => page.openBox(place, true), { kind: 'comment-open', act: 'comment', focus: place, label: t('Comment on {section}', { section: title }) })}
    </p>`;
  }
  const at = page.at(place);
  const draft = page.comment(section.id);
  const busy = at.flight() !== undefined;
  const send = () => {
    page.sendComment(section.id);
  };
  return html`<form
    class="form thread"
    .about=${draft.quote}
    data-focus=${place}
    aria-busy=${busy ? 'true' : 'false'}
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
    @keydown=${onFormKey(at, send)}
  >
    ${about(page, view, section, busy)}
    <p class="comment-type">
      <label for="${place}.type">${t('Kind')}</label>
      <select
        id="${place}.type"
        ?disabled=${busy}
        @change=${(event: Event) => {
          const { value } = event.currentTarget as HTMLSelectElement;
          page.setComment(section.id, { type: types.find((one) => one === value) ?? draft.type });
        }}
      >
        ${types.map((one) => html`<option value=${one} .selected=${one === draft.type}>${typeWords[one]}</option>`)}
      </select>
    </p>
    ${textBox(at, {
      name: `${place}.text`,
      label: t('Your comment on {section}', { section: title }),
      placeholder: t('Your comment on {section}', { section: title }),
      value: draft.text,
      max: page.snapshot()?.limits.text ?? 0,
      disabled: busy,
      edit: (text) => page.setComment(section.id, { text }),
    })}
    <label class="comment-blocks">
      <input
        type="checkbox"
        .checked=${live(draft.blocking)}
        ?disabled=${busy}
        @change=${(event: Event) => {
          page.setComment(section.id, { blocking: (event.currentTarget as HTMLInputElement).checked });
        }}
      />
      <span>${t('Blocks the approval until you resolve it')}</span>
    </label>
    ${view.answersAs.editable ? nameField(at, view.answersAs, busy) : ''} ${refusal(at)}
    ${boxActions(page, place, { act: 'send-comment', label: t('Add Comment'), send }, reviewButton(page, section))}
  </form>`;
}

/** As on a pull request: pending comments are sent with the decision. */
function reviewButton(page: Page, { id }: Section): TemplateResult {
  const begun = page.draft().pending.length > 0;
  return button(begun ? t('Add to Review') : t('Start Review'), () => page.addToReview(id), {
    act: 'add-to-review',
    primary: true,
  });
}

/** The subject of the comment: the whole section, a paragraph, or the selected words. */
function about(page: Page, view: RfcView, section: Section, disabled: boolean): TemplateResult | typeof nothing {
  if ((section.text ?? '').trim() === '') return nothing;
  const { quote } = page.comment(section.id);
  const blocks = blockQuotes(sectionText(page, view.key, section)).slice(0, blocksAtMost);
  const all = ['', ...new Set(quote === '' || blocks.includes(quote) ? blocks : [quote, ...blocks])];
  return html`<p class="comment-type">
    <label for="about-${section.id}">${t('About')}</label>
    <select
      id="about-${section.id}"
      class="comment-about"
      ?disabled=${disabled}
      @change=${byHuman((event) => {
        page.setComment(section.id, { quote: (event.currentTarget as HTMLSelectElement).value });
      })}
    >
      ${all.map(
        (one) =>
          html`<option value=${one} .selected=${one === quote}>
            ${one === '' ? t('the whole section') : visibleText(one.length > 60 ? `${one.slice(0, 59)}…` : one)}
          </option>`,
      )}
    </select>
  </p>`;
}

const blocksAtMost = 100;

export interface BoxSend {
  readonly act: string;
  readonly label: string;
  readonly send: () => void;
}

/** The buttons of a box in the document, or the progress while the host works. */
export function boxActions(
  page: Page,
  place: string,
  { act, label, send }: BoxSend,
  first: unknown = nothing,
): TemplateResult {
  const at = page.at(place);
  if (at.flight()) return waiting(at);
  return html`<div class="actions">
    ${first} ${button(label, send, { act: act })}
    ${link(t('Back'), () => page.openBox(place, false), { act: 'close-box' })}
  </div>`;
}
