/** Answers questions of the same shape: each with what differs in it, and one answer to all that are ticked. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Alike, Choice, TogetherView } from '../../src/ui/answer/together.ts';
import {
  browserFirst,
  decideButton,
  done,
  formOf,
  leave,
  locked,
  readFirst,
  refusal,
  waiting,
  wideTitle,
} from '../shared/deciding.ts';
import { byHuman, link, notice, urgencyMark, visible, visibleText } from '../shared/elements.ts';
import { hintFor, signsAs, textBox } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { clamped, few, fileChips } from '../shared/parts.ts';
import { t, th, tn } from '../shared/strings.ts';
import { since, timeTag } from '../shared/time.ts';
import { kindWords, type TogetherPage } from './acts.ts';
import { choiceBody, moreOf } from './answerForm.ts';

export function togetherForm(page: TogetherPage, view: TogetherView): TemplateResult {
  const draft = page.togetherDraft(view);
  const busy = page.flight() !== undefined;
  const frozen = busy || view.locked !== undefined || view.inBrowser !== undefined;
  const stale = draft !== undefined && draft.shown !== view.shown;
  return html`<article class="plain together">
    ${wideTitle('checklist', t('Answer together'), view.folder)} ${done(page)}
    <p class="quiet">
      ${t('These questions differ only where the text is bold. One signature gives your answer to each selected question. The others stay open.')}
    </p>
    <p class="facts quiet small" data-decides="facts">
      ${urgencyMark(view.urgency)}<span>${kindWords[view.kind]}</span>
      ${view.for === undefined ? nothing : html`<span>${t('For')} <bdi>${visible(view.for)}</bdi></span>`}
    </p>
    ${formOf(
      page,
      html`${stale ? notice('info', 'history', t('The list has changed since you started. Read it again before you continue.')) : nothing}
        <fieldset class="choices" data-focus="ticks" tabindex="-1">
          <legend class="sr-only">${t('Answer together')}</legend>
          ${view.questions.map((one, index) => row({ page, view, one, index, frozen }))}
        </fieldset>
        ${hintFor(page, 'ticks')}
        ${view.more === 0 ? nothing : html`<p class="quiet">${tn(view.more, '{n} more follows after these.', '{n} more follow after these.')}</p>`}
        ${answer(page, view, frozen)}
        <div class="acts">${refusal(page)} ${busy ? waiting(page) : actions(page, view)}</div>`,
      { act: page.answerTogether },
    )}
  </article>`;
}

interface Row {
  readonly page: TogetherPage;
  readonly view: TogetherView;
  readonly one: Alike;
  readonly index: number;
  readonly frozen: boolean;
}

/** The text as it is, not as Markdown: what differs stands out. */
function row({ page, view, one, index, frozen }: Row): TemplateResult {
  const ticked = page.togetherTicked(view).includes(one);
  const id = `alike-${index}`;
  return html`<div class="choice assumed ${ticked ? 'picked' : ''}" data-decides=${one.id}>
    <input
      type="checkbox"
      id=${id}
      ?disabled=${frozen}
      .checked=${live(ticked)}
      aria-labelledby="${id}-text"
      @click=${byHuman(() => page.tickAlike(one))}
    />
    <div class="choice-body">
      <label class="alike-text" for=${id} id="${id}-text" dir="auto"
        >${one.text.map(({ text, differs }) =>
          differs ? html`<strong class="alike-part">${visible(text)}</strong>` : html`<span>${visible(text)}</span>`,
        )}</label
      >
      <p class="facts quiet small">
        <span><bdi class="ellipsis">${visible(one.agent)}</bdi></span>
        <span>${timeTag(one.raisedAt, since(one.raisedAt))}</span>
        ${link(html`${visible(one.id)}`, () => page.dispatch({ type: 'select', key: one.key }), { act: `open-${one.id}`, label: t('Open {id} to answer it by itself', { id: one.id }) })}
      </p>
      ${details(page, one)}
    </div>
  </div>`;
}

/** All else that is signed with the question. */
function details(page: TogetherPage, one: Alike): unknown {
  const { id, key, background, impact, ifDelayed, blocks, files } = one;
  const { work, cascade } = blocks;
  const globs = few(page, `globs-${id}`, blocks.files);
  return html`${
    background === undefined
      ? nothing
      : clamped(page, `background-${id}`, markdown(page, key, 'background', background))
  }
  ${ifDelayed === undefined ? nothing : fact(t('If this waits'), html`<bdi>${visible(ifDelayed)}</bdi>`)}
  ${impact === undefined ? nothing : fact(t('Impact'), html`<bdi>${visible(impact)}</bdi>`)}
  ${
    work.length === 0
      ? nothing
      : fact(
          t('Holds'),
          html`${work.map((item, index) => html`${index > 0 ? ', ' : ''}<bdi>${visible(item.title)}</bdi>`)}${cascade.count === 0 ? nothing : html` · ${tn(cascade.count, '{n} dependent item', '{n} dependent items')}`}`,
        )
  }
  ${
    blocks.files.length === 0
      ? nothing
      : html`${work.length === 0 ? fact(t('Holds'), nothing) : nothing}
          <p class="globs">
            ${globs.items.map((glob) => html`<code dir="ltr">${visible(glob)}</code>`)} ${globs.more}
          </p>`
  }
  ${files.length === 0 ? nothing : fileChips(page, key, `files-${id}`, files)}`;
}

function fact(name: string, content: unknown): TemplateResult {
  return html`<p class="small alike-fact"><span class="quiet">${name}</span> ${content}</p>`;
}

function answer(page: TogetherPage, view: TogetherView, frozen: boolean): TemplateResult {
  return html`<fieldset class="choices" ?disabled=${frozen} data-focus="choices" tabindex="-1">
      <legend class="field-label">${t('Your answer')}</legend>
      ${view.choices.map((choice, index) => choiceRow(page, view, choice, index))}
    </fieldset>
    ${hintFor(page, 'choices')}
    ${
      view.freeText
        ? textBox(page, {
            label: t('Add a reason'),
            placeholder: t('Add a reason'),
            value: page.togetherText(view),
            max: page.longestTogether(),
            disabled: frozen,
            edit: page.writeTogether,
          })
        : nothing
    }
    ${frozen ? nothing : signsAs(view.answersAs)}`;
}

function choiceRow(page: TogetherPage, view: TogetherView, choice: Choice, index: number): TemplateResult {
  const picked = page.togetherPicked(view).includes(choice);
  const id = `together-${index}`;
  return html`<label class="choice ${picked ? 'picked' : ''}" data-decides=${id}>
    <input
      type=${view.multiple ? 'checkbox' : 'radio'}
      name="choice"
      id=${id}
      value=${index}
      .checked=${live(picked)}
      aria-describedby=${moreOf(choice).length === 0 ? nothing : `${id}-more`}
      @click=${byHuman(() => page.pickTogether(choice.label))}
    />
    ${choiceBody(choice, id)}
  </label>`;
}

/** A longer one would make the button hard to read. */
const shortLabel = 30;

function actions(page: TogetherPage, view: TogetherView): TemplateResult {
  if (view.locked !== undefined) return html`${locked(view.locked)} ${leave(page)}`;
  if (view.inBrowser !== undefined) return browserFirst(page, view.key, view.inBrowser, leave(page));
  if (page.mustRead())
    return html`<div class="actions">${readFirst(page.inTab(), page.answerTogether)} ${leave(page)}</div>`;
  const n = page.togetherTicked(view).length;
  const [choice, ...others] = page.togetherPicked(view);
  const label =
    choice === undefined || others.length > 0 || choice.label.length > shortLabel
      ? tn(n, 'Answer {n} question', 'Answer {n} questions')
      : tn(n, 'Answer {n} question “{choice}”', 'Answer {n} questions “{choice}”', {
          choice: visibleText(choice.label),
        });
  return html`<div class="actions">${decideButton(label, page.answerTogether)} ${leave(page)}</div>`;
}

/** Under a decided question: the others of the same act. */
export function answeredWith(
  page: { readonly dispatch: (message: { readonly type: 'select'; readonly key: string }) => void },
  others: readonly { readonly key: string; readonly id: string }[] | undefined,
): TemplateResult | typeof nothing {
  if (!others) return nothing;
  const links = others.map(
    ({ key, id }, index) =>
      html`${index > 0 ? ', ' : ''}${link(html`${visible(id)}`, () => page.dispatch({ type: 'select', key }), { act: `with-${id}` })}`,
  );
  return html`<p class="delivery" data-part="with">
    <span>${th('The same signature answered {ids}.', { ids: html`${links}` })}</span>
  </p>`;
}
