/** The open questions of a section, and who has answered them: what a model says is marked as that, and can be turned down. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { OpenQuestion, RfcView, Section } from '../../src/protocol/rfc/rfc.ts';
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
    ${standing(page, view, one)} ${refusal(at)} ${at.flight() ? waiting(at) : nothing}`;
}

function standing(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const { standing: now, key } = one;
  const place = questionPlace(key);
  switch (now.type) {
    case 'open':
      return html`<p class="standing quiet open">${icon('circle-outline')}${t('rfc.q.open')}</p>
        ${overrule(page, view, one, 'rfc.q.takeOver')}`;
    case 'settled':
      return html`<p class="standing quiet">${icon('check')}${t('rfc.q.settled')}</p>
        ${now.answer === undefined ? nothing : markdown(page, view.key, `${place}.answer`, now.answer)}`;
    case 'waitsForHuman': {
      const { question: form } = now;
      return html`<p class="standing">
          <span class="warning">${icon('question')}<strong>${t('rfc.q.human')}</strong></span>
          ${
            form === undefined
              ? nothing
              : link(
                  t('rfc.q.answer', { id: visibleText(form.id) }),
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
            >${th('rfc.q.answeredBy', { who: personName(now.by), time: timeTag(now.at, ago(now.at)) })}</span
          >
        </p>
        <div class="answer">${markdown(page, view.key, `${place}.answer`, now.answer)}</div>`;
    case 'answeredByModel':
      return html`<div class="answer answer-model">
        <p class="standing">
          <span class="ai">${icon('sparkle')}<strong>${t('rfc.q.byModel')}</strong></span>
          <span class="quiet">${th('rfc.q.model', { model: html`<bdi>${visible(now.model)}</bdi>` })}</span>
          ${now.confidence === undefined ? nothing : html`<span class="quiet">· ${t(`rfc.q.${now.confidence}`)}</span>`}
          <span class="quiet">· ${timeTag(now.at, ago(now.at))}</span>
        </p>
        ${markdown(page, view.key, `${place}.answer`, now.answer)}
        ${
          now.evidence === undefined
            ? html`<p class="quiet">${t('rfc.q.noEvidence')}</p>`
            : part(
                page,
                `${place}.evidence`,
                t('rfc.q.evidence'),
                markdown(page, view.key, `${place}.evidence`, now.evidence),
              )
        }
        ${overrule(page, view, one, 'rfc.q.overrule')}
      </div>`;
  }
}

/** A human is asked instead: of what a model answered, or of what has no answer yet. */
function overrule(
  page: Page,
  view: RfcView,
  one: OpenQuestion,
  name: 'rfc.q.overrule' | 'rfc.q.takeOver',
): TemplateResult | typeof nothing {
  if (view.locked || !view.may.comment) return nothing;
  const label = name === 'rfc.q.overrule' ? 'rfc.q.overruleLabel' : 'rfc.q.takeOverLabel';
  const looks = {
    act: name === 'rfc.q.overrule' ? 'overrule' : 'take-over',
    label: t(label, { question: visibleText(one.text).slice(0, 120) }),
    disabled: page.busy(),
  };
  return html`<p>${link(t(name), () => page.overrule(one.key), looks)}</p>`;
}
