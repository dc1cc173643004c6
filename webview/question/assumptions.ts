/** Confirms the assumptions with which agents continue: each with its question, and one act for all ticked ones. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Assumed, AssumptionsView } from '../../src/ui/answer/assumptions.ts';
import {
  decideButton,
  done,
  formOf,
  leave,
  locked,
  refusal,
  secondStep,
  waiting,
  wideTitle,
} from '../shared/deciding.ts';
import { byHuman, link, notice, urgencyMark, visible } from '../shared/elements.ts';
import { hintFor, signsAs } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { t, th, tn } from '../shared/strings.ts';
import { since, timeTag } from '../shared/time.ts';
import type { AssumptionsPage } from './acts.ts';

export function assumptionsForm(page: AssumptionsPage, view: AssumptionsView): TemplateResult {
  const draft = page.assumptionsDraft(view);
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm' && !busy;
  const frozen = busy || confirming || view.locked !== undefined;
  const stale = draft !== undefined && draft.shown !== view.shown;
  return html`<article class="plain assumptions">
    ${wideTitle('checklist', t('Confirm assumptions'), view.folder)} ${done(page)}
    <p class="quiet">${about(view)}</p>
    ${formOf(
      page,
      html`${stale ? notice('info', 'history', t('The list has changed since you started. Read it again before you continue.')) : nothing}
        <fieldset class="choices" ?disabled=${frozen} data-focus="ticks" tabindex="-1">
          <legend class="sr-only">${t('Confirm assumptions')}</legend>
          ${view.questions.map((one, index) => row({ page, view, one, index, frozen }))}
        </fieldset>
        ${hintFor(page, 'ticks')}
        ${view.more === 0 ? nothing : html`<p class="quiet">${tn(view.more, '{n} more follows after these.', '{n} more follow after these.')}</p>`}
        ${signsAs(view.answersAs)}
        <div class="acts">
          ${refusal(page)} ${busy ? waiting(page) : confirming ? confirmation(page, view) : actions(page, view)}
        </div>`,
      { act: page.confirmAssumptions },
    )}
  </article>`;
}

function about({ agent }: AssumptionsView): unknown {
  return agent === undefined
    ? t('Agents continue on these assumptions. One signature answers “yes” to each assumption you select.')
    : th('{agent} continues on these assumptions. One signature answers “yes” to each assumption you select.', {
        agent: html`<bdi>${visible(agent)}</bdi>`,
      });
}

interface Row {
  readonly page: AssumptionsPage;
  readonly view: AssumptionsView;
  readonly one: Assumed;
  readonly index: number;
  readonly frozen: boolean;
}

/** Shows the assumption as plain text, not as Markdown, because it is the text to confirm. */
function row({ page, view, one, index, frozen }: Row): TemplateResult {
  const ticked = page.tickedOf(view).includes(one);
  const id = `assumption-${index}`;
  return html`<div class="choice assumed ${ticked ? 'picked' : ''}">
    <input
      type="checkbox"
      id=${id}
      .checked=${live(ticked)}
      aria-labelledby="${id}-text"
      aria-describedby="${id}-answer"
      @click=${byHuman(() => page.tick(one))}
    />
    <div class="choice-body">
      <p class="facts quiet small">
        ${urgencyMark(one.urgency)}
        ${view.agent === undefined ? html`<span><bdi class="ellipsis">${visible(one.agent)}</bdi></span>` : nothing}
        <span>${timeTag(one.raisedAt, since(one.raisedAt))}</span>
        ${link(html`${visible(one.id)}`, () => page.dispatch({ type: 'select', key: one.key }), { act: `open-${one.id}`, label: t('Open {id} to answer it by itself', { id: one.id }), disabled: frozen })}
      </p>
      <div id="${id}-text">${markdown(page, one.key, 'assumed', one.text)}</div>
      <label class="assumed-answer" for=${id} id="${id}-answer" dir="auto"
        ><span class="quiet">${t('Assumes:')}</span> ${visible(one.assumption)}</label
      >
    </div>
  </div>`;
}

function actions(page: AssumptionsPage, view: AssumptionsView): TemplateResult {
  if (view.locked !== undefined) return html`${locked(view.locked)} ${leave(page)}`;
  const ticked = page.tickedOf(view);
  const critical = ticked.some(({ urgency }) => urgency === 'critical');
  return html`<div class="actions">
    ${decideButton(tn(ticked.length, 'Confirm {n} assumption', 'Confirm {n} assumptions'), page.confirmAssumptions, critical)}
    ${leave(page)}
  </div>`;
}

/** Only critical ones need a confirmation; the others are ticked by default. */
function confirmation(page: AssumptionsPage, view: AssumptionsView): TemplateResult {
  const ticked = page.tickedOf(view);
  const critical = ticked.filter(({ urgency }) => urgency === 'critical');
  return secondStep(page, {
    ask: tn(
      critical.length,
      'This is critical. Confirm the assumption?',
      'These are critical. Confirm the assumptions?',
    ),
    content: html`${critical.map(
      (one) =>
        html`${markdown(page, one.key, 'confirm', one.text)}
          <blockquote class="said assumed-answer" dir="auto">${visible(one.answer)}</blockquote>`,
    )}`,
    yes: tn(ticked.length, 'Yes, confirm {n}', 'Yes, confirm all {n}'),
    act: page.confirmAssumptions,
  });
}
