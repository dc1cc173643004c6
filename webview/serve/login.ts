/** Opens a session: with a passkey, or with a one-time code, typed or after the number sign of the address. */
import { html, nothing, render, type TemplateResult } from 'lit';
import { t } from '../shared/strings.ts';
import {
  cameFrom,
  loginOptions,
  offerPasskey,
  passkeyPageFrom,
  postJson,
  readSession,
  signInWith,
} from './connection.ts';

// Adds this browser's passkey: made here, and added by the editor's form when its human types the code.

interface PasskeyShown {
  readonly code?: string;
  readonly problem?: string;
  readonly added?: boolean;
}

const lookMs = 1_500;

export function showPasskeyPage(root: HTMLElement): void {
  drawPasskeys(root, {});
}

async function make(root: HTMLElement): Promise<void> {
  const label = root.querySelector('input')?.value.trim() ?? '';
  const code = await offerPasskey(label === '' ? t('This browser') : label);
  if (code === null) {
    drawPasskeys(root, { problem: t('No passkey was created. Try again.') });
    return;
  }
  drawPasskeys(root, { code });
  const timer = setInterval(() => {
    void readSession().then((session) => {
      // A code's session reads no more as soon as a passkey counts.
      if (session === undefined || session?.reads === true) return;
      clearInterval(timer);
      drawPasskeys(root, { code, added: true });
    });
  }, lookMs);
}

async function signInWithPasskey(root: HTMLElement): Promise<void> {
  const options = await loginOptions();
  if (options && (await signInWith(options))) location.assign(cameFrom());
  else drawPasskeys(root, { added: true, problem: t('The passkey was not accepted. Try again.') });
}

function drawPasskeys(root: HTMLElement, shown: PasskeyShown): void {
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

function second(root: HTMLElement, { code, added = false }: PasskeyShown): TemplateResult {
  if (added)
    return html`<p role="status">${t('The editor has added the passkey.')}</p>
      <button class="go" type="button" @click=${() => void signInWithPasskey(root)}>
        ${t('Sign in with a passkey')}
      </button>`;
  return html`<p>
      ${t('In the editor, choose “Add a Passkey…” in “Holdpoint: You and Your Devices…” and enter this code within five minutes:')}
    </p>
    <p class="offer-code" role="status">${code}</p>
    <p class="quiet">${t('Waiting for the editor…')}</p>
    <button class="go" type="button" @click=${() => void signInWithPasskey(root)}>
      ${t('Sign in with a passkey')}
    </button>`;
}

interface Shown {
  readonly hasPasskeys: boolean;
  readonly problem?: string;
}

export async function showLogin(root: HTMLElement): Promise<void> {
  // A link from another site brings no cookie along, though there is a session.
  const session = await readSession();
  if (session?.reads === true) {
    location.reload();
    return;
  }
  const code = location.hash.slice(1);
  // The code stays in no history.
  history.replaceState(null, '', location.pathname + location.search);
  const hasPasskeys = (await loginOptions()) !== null;
  draw(root, { hasPasskeys });
  if (code !== '') await open(root, code, hasPasskeys);
}

async function open(root: HTMLElement, code: string, hasPasskeys: boolean): Promise<void> {
  const status = await postJson('/session', { code });
  if (status === 200) {
    // With passkeys, a code opens only the way to another one.
    if (hasPasskeys && location.pathname !== '/passkey') location.assign(passkeyPageFrom(location.pathname));
    else location.reload();
    return;
  }
  const why =
    status === 429
      ? t('Too many tries. Wait a minute.')
      : status === 403
        ? t('This code does not open a session. It may have been used, or be older than five minutes.')
        : t('The server does not answer. Try again.');
  draw(root, { hasPasskeys, problem: why });
  root.querySelector('input')?.focus();
}

async function signIn(root: HTMLElement): Promise<void> {
  const options = await loginOptions();
  if (options && (await signInWith(options))) location.reload();
  else draw(root, { hasPasskeys: true, problem: t('The passkey was not accepted. Try again.') });
}

function draw(root: HTMLElement, { hasPasskeys, problem }: Shown): void {
  render(
    html`<main class="login" aria-labelledby="welcome">
      <h1 id="welcome">${t('Open your inbox')}</h1>
      <div class="login-form">${hasPasskeys ? withPasskey(root) : nothing}</div>
      <form
        class="login-form"
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const typed = root.querySelector('input')?.value ?? '';
          if (typed.trim() !== '') void open(root, typed, hasPasskeys);
        }}
      >
        <p id="why">
          ${hasPasskeys ? t('Another device? Enter a code of the terminal or the editor to add a passkey of this device.') : t('Enter the code that the editor or the terminal shows. It works once, within five minutes. With a code you can read; to decide, you add a passkey.')}
        </p>
        <label for="code">${t('Code')}</label>
        <input
          id="code"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          aria-describedby="why problem"
          placeholder="XXXX-XXXX-XXXX"
        />
        <p id="problem" class="error" role="alert">${problem ?? nothing}</p>
        <button class=${hasPasskeys ? 'second' : 'go'} type="submit">${t('Open')}</button>
      </form>
    </main>`,
    root,
  );
}

function withPasskey(root: HTMLElement): TemplateResult {
  return html`<button class="go" type="button" @click=${() => void signIn(root)}>
    ${t('Sign in with a passkey')}
  </button>`;
}
