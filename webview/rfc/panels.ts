/** The forms of the decisions, which open in the bar. Only text fields get focus automatically. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { button, notice } from '../shared/buttons.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { backButton, onFormKey, refusal, waiting } from '../shared/deciding.ts';
import { hintFor, nameField, textBox } from '../shared/fields.ts';
import type { FormPage } from '../shared/formPage.ts';
import { holdEffect, holdWords, isHoldPanel } from '../shared/heldFiles.ts';
import { radios } from '../shared/radios.ts';
import { byHuman } from '../shared/trusted.ts';
import { t, th, tn } from '../shared/strings.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { notLatest, openQuestions, whyNotApproved } from './acts.ts';
import type { Page } from './page.ts';
import { bar } from './places.ts';
import type { Panel, TextField } from './saved.ts';

export function panel(page: Page, view: RfcView, name: Panel): TemplateResult {
  const at = page.at(bar);
  const busy = at.flight() !== undefined;
  const pending = page.draft().pending.length;
  // The notice above mentions a later revision.
  const stale = page.draft().shown !== view.shown && view.revision === view.latest;
  // The other decisions weigh more: they need a click on their button.
  const byKeys = name === 'requestChanges' ? page.decide : () => undefined;
  return html`<form
    class="form panel"
    aria-labelledby="panel-title"
    aria-busy=${busy ? 'true' : 'false'}
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
    @keydown=${onFormKey(at, byKeys)}
  >
    <div class="panel-body">
      ${stale ? notice('info', 'history', t('This RFC has changed since you started. Read it again before you decide.')) : nothing}
      ${fields({ page, view, name, at, busy })}
      ${name === 'withdraw' || isHoldPanel(name) || pending === 0 ? nothing : html`<p class="quiet">${tn(pending, '{n} comment of your review goes with it.', '{n} comments of your review go with it.')}</p>`}
      ${view.answersAs.editable ? nameField(at, view.answersAs, busy) : nothing} ${refusal(at)} ${hintFor(at, 'decide')}
    </div>
    ${busy ? waiting(at) : actions(page, view, name, at)}
  </form>`;
}

interface Fields {
  readonly page: Page;
  readonly view: RfcView;
  readonly name: Panel;
  readonly at: FormPage;
  readonly busy: boolean;
}

function fields(panelFields: Fields): TemplateResult {
  const { page, view, name, at, busy } = panelFields;
  const agent = html`<bdi>${visible(view.agent)}</bdi>`;
  const box = (field: TextField, label: string) => textField(panelFields, field, label);
  const title = (words: string) => html`<h2 id="panel-title">${words}</h2>`;
  switch (name) {
    case 'approve': {
      const { number, hash } = view.revisions.find((one) => one.number === view.revision) ?? { number: 0, hash: '' };
      return html`${title(t('Approve revision {n} ({hash})', { n: number, hash: visibleText(hash) }))}
        <p class="quiet">
          ${t('Releases the blocked work, for this revision only. Every agent that asks the gate gets the conditions and constraints.')}
        </p>
        ${waivers(page, view, at, busy)}
        <div class="terms">
          ${box('conditions', t('Conditions, one per line'))} ${box('constraints', t('Constraints, one per line'))}
        </div>`;
    }
    case 'requestChanges':
      return html`${title(t('Request changes'))}
        <p class="quiet">
          ${th('{agent} gets this as feedback and writes a new revision. Everything stays blocked until then.', { agent })}
        </p>
        ${box('requestChanges', t('What needs to change'))}`;
    case 'reject':
      return html`${title(t('Reject'))} ${box('reject', t('Reason'))}
      ${view.inForce ? html`<p class="quiet">${t('Rejects the amendment: revision {n} stays in force.', { n: view.inForce.revision })}</p>` : ways(page, busy)}`;
    case 'withdraw':
      return html`${title(t('Withdraw'))}
        <p class="quiet">
          ${th('Withdraws the RFC and releases the work it blocks. {agent} gets your reason.', { agent })}
        </p>
        ${box('withdraw', t('Reason'))}`;
    case 'holdAll':
    case 'holdNamed':
      return html`<h2 id="panel-title" data-focus=${name} tabindex="-1">${holdWords[name].title}</h2>
        ${holdEffect(name, view.blocks.files)}`;
  }
}

function textField({ page, at, busy }: Fields, field: TextField, label: string): TemplateResult {
  return html`<div>
    ${textBox(at, {
      name: field,
      label,
      value: page.draft().text[field],
      max: page.snapshot()?.limits.text ?? 0,
      disabled: busy,
      edit: (text) => page.setText(field, text),
    })}
  </div>`;
}

/** Silence is not consent: each unanswered question is waived by name, or answered first. */
function waivers(page: Page, view: RfcView, at: FormPage, disabled: boolean): TemplateResult | typeof nothing {
  const open = openQuestions(view);
  if (open.length === 0) return nothing;
  const { waived } = page.draft();
  return html`<fieldset class="choices" ?disabled=${disabled} data-focus="waive" tabindex="-1">
      <legend class="field-label">${t('These questions are unanswered. Select any that may stay unanswered:')}</legend>
      ${open.map(({ key, text }) => {
        const picked = waived.includes(key);
        return html`<label class="choice ${picked ? 'picked' : ''}">
          <input
            type="checkbox"
            name="waive"
            value=${key}
            .checked=${live(picked)}
            @click=${byHuman(() => page.setWaived(key, !picked))}
          />
          <span class="choice-body" dir="auto"><span class="choice-label">${visible(text)}</span></span>
        </label>`;
      })}
    </fieldset>
    ${hintFor(at, 'waive')}`;
}

/** What happens to the work: it stops unless the human selects otherwise. */
function ways(page: Page, disabled: boolean): TemplateResult {
  return radios({
    name: 'way',
    legend: t('The work it blocks'),
    options: [
      { value: 'stop', label: t('Stop this work'), more: t('The work items it names are cancelled.') },
      {
        value: 'otherWay',
        label: t('Continue another way'),
        more: t('The work is released, with your reason as a constraint.'),
      },
    ],
    picked: page.draft().way,
    disabled,
    pick: page.setWay,
  });
}

function actions(page: Page, view: RfcView, name: Panel, at: FormPage): TemplateResult {
  const off = (name === 'approve' ? whyNotApproved(view, page.draft().pending) : notLatest(view)).length > 0;
  const sends: Record<Panel, string> = {
    approve: t('Approve revision {n}', { n: view.revision }),
    requestChanges: t('Request changes'),
    reject: t('Reject'),
    withdraw: t('Withdraw'),
    holdAll: t('Hold all files'),
    holdNamed: t('Hold only the named files'),
  };
  return html`<div class="actions">
    ${button(sends[name], page.decide, { primary: true, off, act: 'decide', once: true })}
    ${backButton(at, () => at.back())}
  </div>`;
}
