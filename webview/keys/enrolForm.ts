/** Shown when this editor cannot sign yet: the keys that can, those that are lost, and the button that adds its own. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { button, notice } from '../shared/buttons.ts';
import type { EnrolView } from '../../src/ui/answer/keys.ts';
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
      ${icon('key')}<span
        >${managed === undefined ? t('This editor cannot sign for you yet') : t('An administrator manages the trusted keys')}</span
      >
    </h1>
    <p>
      ${others === undefined ? t('Answers are signed with a key in this editor, and this machine already knows other keys. Until you add this editor’s key, your answers here are not valid.') : visible(others)}
    </p>
    ${
      view.pinned.length === 0
        ? nothing
        : html`<h2 class="plain-head">${t('Known keys')}</h2>
            <ul class="agents">
              ${view.pinned.map(
                (key) =>
                  html`<li>
                    <bdi class="agent-what">${visible(key.name)}</bdi>
                    <span class="quiet">${th('since {time}', { time: timeTag(key.at, ago(key.at)) })}</span>
                    ${fingerprint(key.fingerprint)}
                  </li>`,
              )}
            </ul>`
    }
    ${remoteNote(view.remote)}
    ${others === undefined ? form(page, view) : copyKey(page, t('Copy this editor’s public key'), view.publicLine)}
  </article>`;
}

function form(page: Page, view: EnrolView): TemplateResult {
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm' && !busy;
  const { lost } = page.keysDraft();
  const names = view.pinned.filter(({ keyid }) => lost.includes(keyid));
  return html`<p class="quiet">
      ${t('If none of these is yours, someone else has used Holdpoint on this account. Find out who before you continue.')}
    </p>
    <form
      class="form"
      data-focus="form"
      tabindex="-1"
      @submit=${(event: Event) => {
        event.preventDefault();
      }}
    >
      ${page.isEnrolStale(view) ? notice('info', 'history', t('The list has changed since you started. Read it again before you continue.')) : nothing}
      ${nameField(page, { name: view.name, remote: view.remote !== undefined }, busy || confirming)}
      ${losses(page, view, busy || confirming)} ${refusal(page)}
      ${
        confirming
          ? secondStep(page, {
              ask: t('Revoke the lost keys?'),
              content: html`<ul>
                  ${names.map((key) => html`<li><bdi>${visible(key.name)}</bdi> ${fingerprint(key.fingerprint)}</li>`)}
                </ul>
                <p>
                  ${t('These keys can sign nothing from now on. Their earlier decisions stay valid. The audit trail and the Keys form show the loss. Teammates and CI that know these keys need your new public key, which you can copy afterwards.')}
                </p>`,
              yes: t('Revoke them and sign with a new key'),
              act: page.enrol,
            })
          : busy
            ? waiting(page)
            : html`<div class="actions">
                ${button(lost.length === 0 ? t('Let this editor sign') : t('{label}…', { label: t('Revoke them and sign with a new key') }), () => page.enrol(), { wide: true, primary: true, act: 'enrol' })}
              </div>`
      }
    </form>`;
}

/** Each lost key needs its own checkbox and a confirmation. */
function losses(page: Page, view: EnrolView, disabled: boolean): TemplateResult | typeof nothing {
  if (view.pinned.length === 0) return nothing;
  const { lost } = page.keysDraft();
  return html`<fieldset class="choices" ?disabled=${disabled}>
    <legend class="field-label">${t('Have you lost the key of another editor?')}</legend>
    <p class="quiet small">
      ${t('Select the keys that can no longer be used. Leave out teammates and editors you still use.')}
    </p>
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
