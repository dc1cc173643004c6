/** Adds this browser's passkey: made here, and added by the editor's form when its human types the code. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '../shared/strings.ts';
import { cameFrom } from './cameFrom.ts';
import { readSession } from './http.ts';
import { loginOptions, offerPasskey, signInWith } from './passkeys.ts';

interface Shown {
  readonly code?: string;
  readonly problem?: string;
  readonly added?: boolean;
}

const lookMs = 1_500;

export function showPasskeyPage(root: HTMLElement): void {
  draw(root, {});
}

async function make(root: HTMLElement): Promise<void> {
  const label = root.querySelector('input')?.value.trim() ?? '';
  const code = await offerPasskey(label === '' ? t('browser.thisDevice') : label);
  if (code === null) {
    draw(root, { problem: t('browser.notMade') });
    return;
  }
  draw(root, { code });
  const timer = setInterval(() => {
    void readSession().then((session) => {
      // A code's session reads no more as soon as a passkey counts.
      if (session === undefined || session?.reads === true) return;
      clearInterval(timer);
      draw(root, { code, added: true });
    });
  }, lookMs);
}

async function signIn(root: HTMLElement): Promise<void> {
  const options = await loginOptions();
  if (options && (await signInWith(options))) location.assign(cameFrom());
  else draw(root, { added: true, problem: t('browser.wrongPasskey') });
}

function draw(root: HTMLElement, shown: Shown): void {
  render(
    html`<main class="login" aria-labelledby="welcome">
      <h1 id="welcome">${t('browser.addPasskey')}</h1>
      <div class="login-form">
        ${shown.code === undefined && shown.added !== true ? first(root) : second(root, shown)}
        <p class="error" role="alert">${shown.problem ?? nothing}</p>
        <a href=${cameFrom()}>${t(cameFrom() === '/' ? 'browser.back' : 'browser.return')}</a>
      </div>
    </main>`,
    root,
  );
}

function first(root: HTMLElement): TemplateResult {
  return html`<p>${t('browser.passkeyWhy')}</p>
    <label for="label">${t('browser.deviceName')}</label>
    <input id="label" maxlength="60" placeholder=${t('browser.thisDevice')} />
    <button class="go" type="button" @click=${() => void make(root)}>${t('browser.makePasskey')}</button>`;
}

function second(root: HTMLElement, { code, added = false }: Shown): TemplateResult {
  if (added)
    return html`<p role="status">${t('browser.passkeyAdded')}</p>
      <button class="go" type="button" @click=${() => void signIn(root)}>${t('browser.signInPasskey')}</button>`;
  return html`<p>${t('browser.typeCode')}</p>
    <p class="offer-code" role="status">${code}</p>
    <p class="quiet">${t('browser.waitsForEditor')}</p>
    <button class="go" type="button" @click=${() => void signIn(root)}>${t('browser.signInPasskey')}</button>`;
}
