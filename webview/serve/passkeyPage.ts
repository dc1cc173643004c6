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
  const code = await offerPasskey(label === '' ? t('This browser') : label);
  if (code === null) {
    draw(root, { problem: t('No passkey was created. Try again.') });
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
  else draw(root, { added: true, problem: t('The passkey was not accepted. Try again.') });
}

function draw(root: HTMLElement, shown: Shown): void {
  render(
    html`<main class="login" aria-labelledby="welcome">
      <h1 id="welcome">${t('Add a passkey')}</h1>
      <div class="login-form">
        ${shown.code === undefined && shown.added !== true ? first(root) : second(root, shown)}
        <p class="error" role="alert">${shown.problem ?? nothing}</p>
        <a href=${cameFrom()}>${cameFrom() === '/' ? t('All items') : t('Back')}</a>
      </div>
    </main>`,
    root,
  );
}

function first(root: HTMLElement): TemplateResult {
  return html`<p>
      ${t('A passkey signs each decision with your fingerprint, face or PIN. It stays on this device. The editor adds it after you compare a code.')}
    </p>
    <label for="label">${t('Name of this device')}</label>
    <input id="label" maxlength="60" placeholder=${t('This browser')} />
    <button class="go" type="button" @click=${() => void make(root)}>${t('Create the passkey')}</button>`;
}

function second(root: HTMLElement, { code, added = false }: Shown): TemplateResult {
  if (added)
    return html`<p role="status">${t('The editor has added the passkey.')}</p>
      <button class="go" type="button" @click=${() => void signIn(root)}>${t('Sign in with a passkey')}</button>`;
  return html`<p>${t('In the editor, run “Holdpoint: Add a Passkey…” and enter this code within five minutes:')}</p>
    <p class="offer-code" role="status">${code}</p>
    <p class="quiet">${t('Waiting for the editor…')}</p>
    <button class="go" type="button" @click=${() => void signIn(root)}>${t('Sign in with a passkey')}</button>`;
}
