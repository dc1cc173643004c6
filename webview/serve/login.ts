/** Opens a session with a one-time code: typed, or after the number sign of the address. */
import { html, nothing, render } from 'lit';
import { t } from '../shared/strings.ts';
import { postJson } from './connection.ts';

export async function showLogin(root: HTMLElement): Promise<void> {
  // A link from another site brings no cookie along, though there is a session.
  const known = await fetch('/session').then(
    (response) => response.ok,
    () => false,
  );
  if (known) {
    location.reload();
    return;
  }
  const code = location.hash.slice(1);
  // The code stays in no history.
  history.replaceState(null, '', location.pathname);
  draw(root);
  if (code !== '') await open(root, code);
}

async function open(root: HTMLElement, code: string): Promise<void> {
  const status = await postJson('/session', { code });
  if (status === 200) {
    location.reload();
    return;
  }
  const why =
    status === 429 ? t('browser.tooMany') : status === 403 ? t('browser.wrongCode') : t('browser.unreachable');
  draw(root, why);
  root.querySelector('input')?.focus();
}

function draw(root: HTMLElement, problem?: string): void {
  render(
    html`<main class="login" aria-labelledby="welcome">
      <h1 id="welcome">${t('browser.welcome')}</h1>
      <form
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const typed = root.querySelector('input')?.value ?? '';
          if (typed.trim() !== '') void open(root, typed);
        }}
      >
        <p id="why">${t('browser.codeWhy')}</p>
        <label for="code">${t('browser.code')}</label>
        <input
          id="code"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          aria-describedby="why problem"
          placeholder="XXXX-XXXX-XXXX"
        />
        <p id="problem" class="error" role="alert">${problem ?? nothing}</p>
        <button class="go" type="submit">${t('browser.open')}</button>
      </form>
    </main>`,
    root,
  );
}
