/** Shown when this editor cannot sign yet: the keys that can, those that are lost, and the button that adds its own. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { button, notice } from '../shared/buttons.ts';
import type { EnrolView } from '../../src/protocol/keys/forms.ts';
import { refusal, secondStep, waiting } from '../shared/deciding.ts';
import { nameField } from '../shared/fields.ts';
import { icon } from '../shared/icons.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { copyKey, fingerprint, remoteNote } from './parts.ts';
import type { KeysPage as Page } from './acts.ts';

export function enrol(page: Page, view: EnrolView): TemplateResult {
  const { managed } = view;
  const others = managed ?? view.team;
  return html`<article class="plain">
    <h1 class="plain-title">
      ${icon('key')}<span>${t(managed === undefined ? 'enrol.title' : 'enrol.managedTitle')}</span>
    </h1>
    <p>${others === undefined ? t('enrol.why') : visible(others)}</p>
    ${
      view.pinned.length === 0
        ? nothing
        : html`<h2 class="plain-head">${t('enrol.pinned')}</h2>
            <ul class="agents">
              ${view.pinned.map(
                (key) =>
                  html`<li>
                    <bdi class="agent-what">${visible(key.name)}</bdi>
                    <span class="quiet">${th('enrol.pinnedAt', { time: timeTag(key.at, ago(key.at)) })}</span>
                    ${fingerprint(key.fingerprint)}
                  </li>`,
              )}
            </ul>`
    }
    ${remoteNote(view.remote)}
    ${others === undefined ? form(page, view) : copyKey(page, t('enrol.managedCopy'), view.publicLine)}
  </article>`;
}

function form(page: Page, view: EnrolView): TemplateResult {
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm' && !busy;
  const { lost } = page.keysDraft();
  const names = view.pinned.filter(({ keyid }) => lost.includes(keyid));
  return html`<p class="quiet">${t('enrol.notYou')}</p>
    <form
      class="form"
      data-focus="form"
      tabindex="-1"
      @submit=${(event: Event) => {
        event.preventDefault();
      }}
    >
      ${page.isEnrolStale(view) ? notice('info', 'history', t('all.changed')) : nothing}
      ${nameField(page, view.name, busy || confirming)} ${losses(page, view, busy || confirming)} ${refusal(page)}
      ${
        confirming
          ? secondStep(page, {
              ask: t('enrol.lostAsk'),
              content: html`<ul>
                  ${names.map((key) => html`<li><bdi>${visible(key.name)}</bdi> ${fingerprint(key.fingerprint)}</li>`)}
                </ul>
                <p>${t('enrol.lostMore')}</p>`,
              yes: t('enrol.lostYes'),
              act: page.enrol,
            })
          : busy
            ? waiting(page)
            : html`<div class="actions">
                ${button(lost.length === 0 ? t('enrol.do') : t('answer.sendFirst', { label: t('enrol.lostYes') }), () => page.enrol(), { wide: true, primary: true, act: 'enrol' })}
              </div>`
      }
    </form>`;
}

/** Each lost key needs its own checkbox and a confirmation. */
function losses(page: Page, view: EnrolView, disabled: boolean): TemplateResult | typeof nothing {
  if (view.pinned.length === 0) return nothing;
  const { lost } = page.keysDraft();
  return html`<fieldset class="choices" ?disabled=${disabled}>
    <legend class="field-label">${t('enrol.lost')}</legend>
    <p class="quiet small">${t('enrol.lostHint')}</p>
    ${view.pinned.map(({ keyid, name, fingerprint: face }) => {
      const picked = lost.includes(keyid);
      return html`<label class="choice ${picked ? 'picked' : ''}">
        <input
          type="checkbox"
          name="lost"
          value=${keyid}
          .checked=${live(picked)}
          @click=${byHuman(() => page.setLost(picked ? lost.filter((one) => one !== keyid) : [...lost, keyid]))}
        />
        <span class="choice-body">
          <span class="choice-label"><bdi>${visible(name)}</bdi></span>
          <span class="choice-more"><code>${visibleText(face).slice(0, 19)} …</code></span>
        </span>
      </label>`;
    })}
  </fieldset>`;
}
