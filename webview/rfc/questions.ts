/** The open questions of a section and their answers. A model's answer is marked, and can be overruled. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import { answerBox } from './answerBox.ts';
import type { OpenQuestion, Section } from '../../src/ui/rfc/sections.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { refusal, waiting } from '../shared/deciding.ts';
import { part } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { personName } from './people.ts';
import type { Page } from './page.ts';
import { questionPlace } from './places.ts';

const confidenceWords = {
  low: t('low confidence'),
  medium: t('medium confidence'),
  high: t('high confidence'),
};

export function questions(page: Page, view: RfcView, { questions: all }: Section): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<ol class="questions">
    ${all.map((one) => html`<li class="rfc-question" data-question=${one.key}>${question(page, view, one)}</li>`)}
  </ol>`;
}

function question(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const place = questionPlace(one.key);
  const at = page.at(place);
  return html`<div class="rfc-question-text" data-focus=${place} tabindex="-1">
      ${markdown(page, view.key, place, one.text)}
    </div>
    ${one.more === undefined ? nothing : markdown(page, view.key, `${place}.more`, one.more)}
    ${standing(page, view, one)}
    ${asks(view, one) ? answerBox(page, view, one) : html`${refusal(at)} ${at.flight() ? waiting(at) : nothing}`}`;
}

/** Whether it can be answered in place. */
function asks({ may, locked }: RfcView, { standing: { type } }: OpenQuestion): boolean {
  return may.answer && !locked && (type === 'open' || type === 'waitsForHuman');
}

function standing(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const { standing: now, key } = one;
  const place = questionPlace(key);
  switch (now.type) {
    case 'open':
      return html`<p class="standing quiet open">
        ${icon('circle-outline')}${page.draft().waived.includes(key) ? t('Needs no answer: your approval will say so') : t('Not answered yet')}
      </p>`;
    case 'settled':
      return html`<p class="standing quiet">${icon('check')}${t('Settled in the document')}</p>
        ${now.answer === undefined ? nothing : markdown(page, view.key, `${place}.answer`, now.answer)}`;
    case 'waitsForHuman': {
      const { question: form } = now;
      return html`<p class="standing">
          <span class="warning">${icon('question')}<strong>${t('Waiting for your answer')}</strong></span>
          ${
            form === undefined
              ? nothing
              : link(
                  t('Open {id}', { id: visibleText(form.id) }),
                  () => page.dispatch({ type: 'openQuestion', key: view.key, question: form.key }),
                  { act: 'open-question' },
                )
          }
        </p>
        ${now.because === undefined ? nothing : html`<p class="quiet">${visible(now.because)}</p>`}`;
    }
    case 'answeredByHuman':
      return html`<p class="standing quiet">
          ${icon('pass')}<span
            >${th('{who} answered {time}', { who: personName(now.by), time: timeTag(now.at, ago(now.at)) })}</span
          >
        </p>
        <div class="answer">${markdown(page, view.key, `${place}.answer`, now.answer)}</div>`;
    case 'answeredByModel':
      return html`<div class="answer answer-model">
        <p class="standing">
          <span class="ai">${icon('sparkle')}<strong>${t('AI answer')}</strong></span>
          <span class="quiet">${th('by {model}', { model: html`<bdi>${visible(now.model)}</bdi>` })}</span>
          ${now.confidence === undefined ? nothing : html`<span class="quiet">· ${confidenceWords[now.confidence]}</span>`}
          <span class="quiet">· ${timeTag(now.at, ago(now.at))}</span>
        </p>
        ${markdown(page, view.key, `${place}.answer`, now.answer)}
        ${
          now.evidence === undefined
            ? html`<p class="quiet">${t('No evidence was given.')}</p>`
            : part(
                page,
                `${place}.evidence`,
                t('Evidence'),
                markdown(page, view.key, `${place}.evidence`, now.evidence),
              )
        }
        ${overrule(page, view, one)}
      </div>`;
  }
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
  return html`<p>${link(t('Reject and ask me'), () => page.overrule(one.key), looks)}</p>`;
}
