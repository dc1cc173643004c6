/** What is around a surface: the list, messages about the connection, and the ways between pages. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import type { InboxSnapshot, PageFacts } from '../../src/ui/kit/view.ts';
import { link, notice } from '../shared/buttons.ts';
import { icon } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { passkeyPageFrom } from './cameFrom.ts';
import { postJson } from './http.ts';
import type { Trouble } from './connection.ts';
import { inboxList } from './inbox.ts';
import { isSubscribed, subscribe, unsubscribe } from './push.ts';

export interface Shell {
  inbox(snapshot: InboxSnapshot): void;
  trouble(trouble: Trouble | undefined): void;
  say(what: 'copied' | { readonly path: string }): void;
}

const saidMs = 4_000;

export function createShell({ path, passkey }: PageFacts): Shell {
  const bar = document.createElement('header');
  const list = document.createElement('div');
  list.setAttribute('aria-labelledby', 'inbox');
  const wide = matchMedia('(width >= 900px)');
  // On a narrow screen the list is all that the first page shows.
  const standFor = () => {
    list.setAttribute('role', path === '/' && !wide.matches ? 'main' : 'navigation');
  };
  wide.addEventListener('change', standFor);
  standFor();
  bar.className = 'browser-bar';
  list.className = 'browser-inbox';
  document.body.prepend(bar, list);
  let trouble: Trouble | undefined;
  let said: string | undefined;
  /** Null: this browser or address has no notifications. */
  let isNotified: boolean | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function drawBar(): void {
    render(
      html`<div class="browser-ways">
          ${path === '/' ? nothing : html`<a class="browser-back" href="/">${icon('list-unordered')}${t('All items')}</a>`}
          <span class="browser-push"></span>
          <a class="browser-way" href="/briefing">${t('Briefing')}</a>
          <a class="browser-way" href="/dashboard">${t('Dashboard')}</a>
          ${passkey ? nothing : html`<a href=${passkeyPageFrom(path)}>${t('Add a passkey')}</a>`}
          ${isNotified === null ? nothing : notifyLink(isNotified, notify)}
          ${link(t('Sign out'), () => void end(), { act: 'end' })}
        </div>
        <div role="status" class="browser-said">${said ?? nothing}</div>
        ${troubleBar(trouble)}`,
      bar,
    );
  }

  async function notify(): Promise<void> {
    if (isNotified === true) {
      isNotified = !(await unsubscribe());
      saySoon(isNotified ? t('The server does not answer. Try again.') : t('This device gets no more notifications.'));
      return;
    }
    const outcome = await subscribe();
    isNotified = outcome === 'subscribed';
    if (isNotified) saySoon(t('This device gets a notification when something waits for you.'));
    else say(outcome === 'blocked' ? notifyWords.blocked : notifyWords.failed);
  }

  function say(text: string | undefined): void {
    clearTimeout(timer);
    said = text;
    drawBar();
  }

  function saySoon(text: string): void {
    say(text);
    timer = setTimeout(() => {
      say(undefined);
    }, saidMs);
  }

  drawBar();
  if (passkey)
    void isSubscribed().then((found) => {
      isNotified = found;
      drawBar();
    });
  return {
    inbox(snapshot) {
      render(inboxList(snapshot, path), list);
      document.title = snapshot.count === 0 ? 'Holdpoint' : `(${String(snapshot.count)}) Holdpoint`;
    },
    trouble(next) {
      trouble = next;
      drawBar();
    },
    say(what) {
      saySoon(what === 'copied' ? t('Copied.') : t('{path} opens only in the editor.', { path: what.path }));
    },
  };
}

function notifyLink(isNotified: boolean, notify: () => Promise<void>): TemplateResult {
  return link(isNotified ? t('Stop notifying this device') : t('Notify this device'), () => void notify(), {
    act: 'notify',
  });
}

const notifyWords = {
  blocked: t(
    'This browser blocks notifications of this address. Allow them in the browser’s settings for this page, then try again.',
  ),
  failed: t(
    'This browser did not allow notifications, or could not reach its push service. Check the connection, then try again.',
  ),
};

const troubleWords: Record<Trouble, string> = {
  offline: t('You are offline. What you write stays in this browser.'),
  lost: t('The server does not answer. What you write stays in this browser. Trying again…'),
  signedOut: t('You are signed out. What you wrote stays in this browser.'),
};

function troubleBar(trouble: Trouble | undefined): TemplateResult | typeof nothing {
  if (trouble === undefined) return nothing;
  const text = html`${troubleWords[trouble]}
  ${trouble === 'signedOut' ? html`<a href=${location.pathname}>${t('Sign in')}</a>` : nothing}`;
  return html`<div class="browser-trouble">${notice('warning', 'warning', text, 'status')}</div>`;
}

async function end(): Promise<void> {
  await postJson('/session/end', {});
  location.assign('/');
}
