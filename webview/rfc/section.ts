/** One section: its text or changes, its questions, and the threads next to it. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { RfcView, OfferedChoice, OpenQuestion, Section } from '../../src/ui/rfc/model.ts';
import { formOf, refusal, waitingNote } from '../shared/deciding.ts';
import { difference } from '../shared/difference.ts';
import { button, byHuman, icon, link, visible, visibleText } from '../shared/elements.ts';
import { signsAs, textBox } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { part } from '../shared/parts.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { changeMarks } from './contents.ts';
import type { Page } from './page.ts';
import { commentOn, questionPlace } from './saved.ts';
import { personName, sectionText, threads } from './threads.ts';

// Answers an open question in place: with the author's choices, or with text.

function answerBox(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const place = questionPlace(one.number);
  const at = page.at(place);
  const busy = at.flight() !== undefined;
  const send = () => {
    page.sendAnswer(one.number);
  };
  const label = t('Answer “{question}”', { question: visibleText(one.text).slice(0, 120) });
  const content = html`${choices(page, one, busy)}
  ${textBox(at, {
    name: `${place}.text`,
    label,
    placeholder: one.choices.length === 0 ? t('Your answer') : t('Reason, or another answer'),
    value: page.box(place).text,
    max: page.snapshot()?.limits.answer ?? 0,
    disabled: busy,
    edit: (written) => page.setBox(place, { text: written }),
  })}
  ${signsAs(view.answersAs)} ${refusal(at)}
  ${
    busy
      ? waitingNote(at)
      : html`<div class="actions">
          ${button(t('Answer'), send, { act: 'answer', label, once: true })}
          ${button(t('Needs no answer'), () => page.sendAnswer(one.number, true), { act: 'needless', once: true })}
        </div>`
  }`;
  return formOf(at, content, { act: send, kind: 'answer-box' });
}

function choices(page: Page, { number, text, choices: all }: OpenQuestion, disabled: boolean): unknown {
  if (all.length === 0) return nothing;
  const picked = page.box(questionPlace(number)).choices;
  return html`<fieldset class="choices" ?disabled=${disabled}>
    <legend class="sr-only">${visible(text)}</legend>
    ${all.map((one) => answerRow(page, number, one, picked.includes(one.label)))}
  </fieldset>`;
}

/** A second click clears the choice, since text alone may answer. */
function answerRow(page: Page, number: number, { label, description, recommended }: OfferedChoice, picked: boolean) {
  const pick = byHuman(() => page.setBox(questionPlace(number), { choices: picked ? [] : [label] }));
  return html`<label class="choice ${picked ? 'picked' : ''}">
    <input type="radio" name="choice-${number}" .checked=${live(picked)} @click=${pick} />
    <span class="choice-body" dir="auto">
      <span class="choice-label"
        >${visible(label)}${recommended ? html` <span class="badge recommended">${t('recommended')}</span>` : nothing}</span
      >
      ${description === undefined ? nothing : html`<span class="choice-more">${visible(description)}</span>`}
    </span>
  </label>`;
}

// The open questions of a section and their answers. A model's answer is marked, and can be overruled.

const confidenceWords = {
  low: t('low confidence'),
  medium: t('medium confidence'),
  high: t('high confidence'),
};

function questions(page: Page, view: RfcView, { questions: all }: Section): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<ol class="questions stack">
    ${all.map((one) => html`<li class="stack indented" data-question=${one.number}>${question(page, view, one)}</li>`)}
  </ol>`;
}

function question(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const place = questionPlace(one.number);
  const at = page.at(place);
  return html`<div class="rfc-question-text" data-focus=${place} tabindex="-1">
      ${markdown(page, view.key, place, one.text)}
    </div>
    ${one.more === '' ? nothing : markdown(page, view.key, `${place}.more`, one.more)} ${statusNote(page, view, one)}
    ${asks(view, one) ? answerBox(page, view, one) : html`${refusal(at)} ${at.flight() ? waitingNote(at) : nothing}`}`;
}

function asks({ may, locked }: RfcView, { state }: OpenQuestion): boolean {
  return may.answer && !locked && (state === 'unanswered' || state === 'human_required');
}

function statusNote(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const { state, author_answer: settled, ai_answer: model, human } = one;
  const place = questionPlace(one.number);
  switch (state) {
    case 'unanswered':
      return html`<p class="flow quiet open">${icon('circle-outline', 'inline')}${t('Not answered yet')}</p>`;
    case 'author_answered':
      return html`<p class="flow quiet">${icon('check', 'inline')}${t('Settled in the document')}</p>
        ${settled === null ? nothing : markdown(page, view.key, `${place}.answer`, settled)}`;
    case 'human_required':
      return html`<p class="flow">
        <span class="warning">${icon('question', 'inline')}<strong>${t('Waiting for your answer')}</strong></span>
        ${
          human === null
            ? nothing
            : link(
                t('Open {id}', { id: visibleText(human.question_id) }),
                () => page.dispatch({ type: 'openQuestion', key: view.key, id: human.question_id }),
                { act: 'open-question' },
              )
        }
      </p>`;
    case 'human_answered':
      return html`<p class="flow quiet">
          ${icon('pass', 'inline')}<span
            >${th('{who} answered {time}', { who: personName(view, human?.by ?? ''), time: timeOf(human?.at) })}</span
          >
        </p>
        <div class="stack">${markdown(page, view.key, `${place}.answer`, human?.answer ?? '')}</div>`;
    case 'ai_answered':
      return html`<div class="answer-model stack">
        <p class="flow">
          <span class="ai">${icon('sparkle', 'inline')}<strong>${t('AI answer')}</strong></span>
          <span class="quiet"
            >${th('by {model}', { model: html`<bdi>${visible(model?.model ?? t('a language model'))}</bdi>` })}</span
          >
          ${model?.confidence ? html`<span class="quiet">· ${confidenceWords[model.confidence]}</span>` : nothing}
          <span class="quiet">· ${timeOf(model?.at)}</span>
        </p>
        ${markdown(page, view.key, `${place}.answer`, model?.answer ?? '')}
        ${
          !model?.evidence.length
            ? html`<p class="quiet">${t('No evidence was given.')}</p>`
            : part(
                page,
                `${place}.evidence`,
                t('Evidence'),
                markdown(page, view.key, `${place}.evidence`, listOf(model.evidence)),
              )
        }
        ${overrule(page, view, one)}
      </div>`;
  }
}

/** Null only for an answer whose record is missing. */
function timeOf(at: string | null | undefined): unknown {
  return at ? timeTag(at, ago(at)) : nothing;
}

/** In Markdown. */
function listOf(evidence: readonly string[]): string {
  return evidence.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n');
}

/** Overrules a model's answer: a human answers instead. */
function overrule(page: Page, view: RfcView, one: OpenQuestion): TemplateResult | typeof nothing {
  if (view.locked || !view.may.comment) return nothing;
  const looks = {
    act: 'overrule',
    label: t('Reject the AI answer to “{question}” and ask me instead', {
      question: visibleText(one.text).slice(0, 120),
    }),
    disabled: page.busy(),
  };
  return html`<p>${link(t('Reject and ask me'), () => page.overrule(one.number), looks)}</p>`;
}

export function section(page: Page, view: RfcView, one: Section): TemplateResult {
  return html`<section class="rfc-section ${hasMargin(page, one) ? 'has-threads' : ''}" data-section=${one.id}>
    <div class="rfc-body">
      <h2 class="rfc-heading flow" tabindex="-1" dir="auto">
        <span>${visible(one.title)}</span> ${one.change === 'none' ? nothing : changeMark(one.change)}
      </h2>
      ${content(page, view, one)} ${questions(page, view, one)}
    </div>
    ${threads(page, view, one)}
  </section>`;
}

function hasMargin(page: Page, { id, threads: all }: Section): boolean {
  return all.some(({ resolved }) => !resolved) || page.draft().open === commentOn(id);
}

function changeMark(change: Exclude<Section['change'], 'none'>): TemplateResult {
  const { icon: name, mark, words } = changeMarks[change];
  return html`<span class="change" title=${words}>${icon(name, 'inline')}${mark}</span>`;
}

function content(page: Page, view: RfcView, one: Section): unknown {
  if (view.compared === undefined || one.text === undefined) return wholeSection(page, view, one);
  if (one.difference) return html`<div class="difference" dir="auto">${difference(one.difference)}</div>`;
  return one.text === '' ? nothing : part(page, `same.${one.id}`, t('Not changed'), wholeSection(page, view, one));
}

function wholeSection(page: Page, view: RfcView, one: Section): TemplateResult | typeof nothing {
  const text = one.text?.trim() ?? '';
  if (text !== '') return html`<div class="rfc-text">${sectionText(page, view.key, one)}</div>`;
  if (one.text === undefined || one.questions.length > 0) return nothing;
  return html`<p class="quiet">
    ${one.change === 'gone' ? t('no longer in this revision') : t('This section is empty.')}
  </p>`;
}
