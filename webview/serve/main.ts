/** Starts before the surface's own script, and stands for the editor. */
import { html, nothing, render, type TemplateResult } from 'lit';
import type { InboxRow, InboxSnapshot, PageFacts } from '../../src/ui/kit/view.ts';
import { icon, isIcon, link, notice } from '../shared/elements.ts';
import { t } from '../shared/strings.ts';
import { setClock } from '../shared/time.ts';
import {
  ask,
  connect,
  passkeyPageFrom,
  postJson,
  type Connection,
  type Trouble,
  cameFrom,
  loginOptions,
  offerPasskey,
  offerState,
  readSession,
  signInWith,
} from './connection.ts';
import './serve.css';

// Opens a session: with a passkey, or with a one-time code, typed or after the number sign of the address.

// Adds this browser's passkey: made here, and added by the editor's form when its human types the code.

interface PasskeyShown {
  readonly code?: string;
  readonly problem?: string;
  readonly added?: boolean;
}

const lookMs = 1_500;
const notAdded = t('The editor refused this passkey, or did not add it within five minutes. Create another one.');

async function make(root: HTMLElement): Promise<void> {
  const label = root.querySelector('input')?.value.trim() ?? '';
  const code = await offerPasskey(label === '' ? t('This browser') : label);
  if (code === null) {
    drawPasskeys(root, { problem: t('No passkey was created. Try again.') });
    return;
  }
  drawPasskeys(root, { code });
  const timer = setInterval(() => {
    void offerState(code).then((offer) => {
      if (offer === 'waits') return;
      clearInterval(timer);
      drawPasskeys(root, offer === 'added' ? { added: true } : { problem: notAdded });
    });
  }, lookMs);
}

/** @param failed draws the page again, with what was wrong */
function signInButton(opened: () => void, failed: (problem: string) => void): TemplateResult {
  const signIn = async () => {
    const options = await loginOptions();
    if (options && (await signInWith(options))) opened();
    else failed(t('The passkey was not accepted. Try again.'));
  };
  return html`<button class="go" type="button" @click=${() => void signIn()}>${t('Sign in with a passkey')}</button>`;
}

function drawPasskeys(root: HTMLElement, shown: PasskeyShown): void {
  render(
    html`<main class="login" aria-labelledby="welcome">
      <h1 id="welcome">${t('Add a passkey')}</h1>
      <div class="login-form">
        ${shown.code === undefined && shown.added !== true ? firstVisit(root) : second(root, shown)}
        <p class="error" role="alert">${shown.problem ?? nothing}</p>
        <a href=${cameFrom()}>${cameFrom() === '/' ? t('All items') : t('Back')}</a>
      </div>
    </main>`,
    root,
  );
}

function firstVisit(root: HTMLElement): TemplateResult {
  return html`<p>
      ${t('A passkey signs each decision with your fingerprint, face or PIN. It stays on this device. The editor adds it after you compare a code.')}
    </p>
    <label for="label">${t('Name of this device')}</label>
    <input id="label" maxlength="60" placeholder=${t('This browser')} />
    <button class="go" type="button" @click=${() => void make(root)}>${t('Create the passkey')}</button>`;
}

function second(root: HTMLElement, { code, added = false }: PasskeyShown): TemplateResult {
  const signIn = signInButton(
    () => {
      location.assign(cameFrom());
    },
    (problem) => {
      drawPasskeys(root, { added: true, problem });
    },
  );
  if (added)
    return html`<p role="status">${t('The editor has added the passkey.')}</p>
      ${signIn}`;
  return html`<p>
      ${t('In the editor, choose “Add a Passkey…” in “Holdpoint: You and Your Devices…” and enter this code within five minutes:')}
    </p>
    <p class="offer-code" role="status">${code}</p>
    <p class="quiet" role="status">${t('Waiting for the editor…')}</p>
    ${signIn}`;
}

interface Shown {
  readonly hasPasskeys: boolean;
  readonly problem?: string;
}

async function showLogin(root: HTMLElement): Promise<void> {
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
  if (code !== '') await openWithCode(root, code, hasPasskeys);
}

async function openWithCode(root: HTMLElement, code: string, hasPasskeys: boolean): Promise<void> {
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

function draw(root: HTMLElement, { hasPasskeys, problem }: Shown): void {
  const signIn = signInButton(
    () => {
      location.reload();
    },
    (why) => {
      draw(root, { hasPasskeys, problem: why });
    },
  );
  render(
    html`<main class="login" aria-labelledby="welcome">
      <h1 id="welcome">${t('Open your inbox')}</h1>
      <div class="login-form">${hasPasskeys ? signIn : nothing}</div>
      <form
        class="login-form"
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const typed = root.querySelector('input')?.value ?? '';
          if (typed.trim() !== '') void openWithCode(root, typed, hasPasskeys);
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

// What the server wrote into the document about itself.

const facts = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=holdpoint]')?.content ?? '') as PageFacts;

/** The class by which surfaces know the theme, as VS Code gives it. */
const kinds = ['vscode-light', 'vscode-dark', 'vscode-high-contrast', 'vscode-high-contrast-light'];

function followTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const forced = matchMedia('(forced-colors: active)');
  const wear = () => {
    const contrast = dark.matches ? ['vscode-high-contrast'] : ['vscode-high-contrast', 'vscode-high-contrast-light'];
    document.body.classList.remove(...kinds);
    document.body.classList.add(...(forced.matches ? contrast : [dark.matches ? 'vscode-dark' : 'vscode-light']));
  };
  dark.addEventListener('change', wear);
  forced.addEventListener('change', wear);
  wear();
}

// The editor's side of a surface, in a browser: drafts are kept in its storage, texts go to its clipboard, and all other
// messages to the server.

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

interface ApiOptions {
  readonly facts: PageFacts;
  readonly post: (message: unknown) => void;
  /** Says something for a moment. */
  readonly say: (text: string) => void;
}

interface Message {
  readonly type: string;
  readonly key?: string;
  readonly text?: string;
  readonly path?: string;
}

function createApi({ facts, post, say }: ApiOptions): EditorApi {
  const name = `holdpoint.${facts.surface ?? ''}.${facts.store}`;
  const copy = (text: string) => {
    void navigator.clipboard.writeText(text).then(() => {
      say(t('Copied.'));
    });
  };
  return {
    getState: () => {
      const kept = localStorage.getItem(name);
      return kept === null ? undefined : (JSON.parse(kept) as unknown);
    },
    setState: (state) => {
      localStorage.setItem(name, JSON.stringify(state));
    },
    postMessage(raw) {
      const message = raw as Message;
      switch (message.type) {
        case 'keep':
          return; // kept above
        case 'copyText':
          copy(message.text ?? '');
          return;
        case 'copyLink':
          copy(`${location.origin}/open/${message.key?.replace(/^0\//, '') ?? ''}`);
          return;
        case 'openFile':
          say(t('{path} opens only in the editor.', { path: message.path ?? '' }));
          return;
        case 'do':
          location.reload();
          return;
        default:
          post(raw);
      }
    },
  };
}

// The list of waiting items: the rows of the editor's tree, as links.

function inboxList({ count, groups, working, name }: InboxSnapshot, path: string): TemplateResult {
  return html`<h1 id="inbox">
      ${t('Waiting for you')} ${count === 0 ? nothing : html`<span class="badge">${count}</span>`}
      <span class="quiet small">${name}</span>
    </h1>
    ${count === 0 ? html`<p class="quiet">${t('Nothing is waiting for you.')} ${working ?? nothing}</p>` : nothing}
    ${groups.map(
      ({ label, rows }) => html`
        ${label === '' ? nothing : html`<h2>${label}</h2>`}
        <ul aria-label=${label === '' ? t('Waiting for you') : label}>
          ${rows.map((row) => html`<li>${rowLink(row, path)}</li>`)}
        </ul>
      `,
    )}`;
}

function rowLink({ path, label, description, spoken, icon: name, tone }: InboxRow, current: string): TemplateResult {
  return html`<a
    class="row-button iconed"
    href=${path}
    aria-current=${path === current ? 'page' : nothing}
    aria-label=${spoken}
  >
    ${icon(isIcon(name) ? name : 'comment', `tone-${tone}`)}
    <span class="browser-row-text"
      ><span class="browser-row-label">${label}</span> <span class="quiet small">${description}</span></span
    >
  </a>`;
}

// Notifications of this device, where the browser and the address allow them.

/** Null where the browser has none, or the page has no https. */
async function isSubscribed(): Promise<boolean | null> {
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator) || !('PushManager' in globalThis)) return null;
  const made = await subscriptionNow();
  if (!made) return false;
  const { data } = await ask('/push/state', { endpoint: made.endpoint });
  return (data as { readonly subscribed?: boolean } | null)?.subscribed === true;
}

/** Asks for the browser's permission. `blocked`: the person has to change the browser's settings first. */
async function subscribe(): Promise<'subscribed' | 'blocked' | 'failed'> {
  try {
    const { publicKey } = (await (await fetch('/push/key')).json()) as { readonly publicKey: string };
    await navigator.serviceWorker.register('/push-worker.js');
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that the server does not know may belong to another key.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint, keys } = made.toJSON();
    if ((await postJson('/push/subscribe', { endpoint, keys })) === 204) return 'subscribed';
    await made.unsubscribe();
    return 'failed';
  } catch {
    return Notification.permission === 'denied' ? 'blocked' : 'failed';
  }
}

/** Whether the server sends this device nothing more. */
async function unsubscribe(): Promise<boolean> {
  const made = await subscriptionNow();
  if (!made) return true;
  if ((await postJson('/push/end', { endpoint: made.endpoint })) !== 204) return false;
  await made.unsubscribe();
  return true;
}

async function subscriptionNow(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

// What is around a surface: the list, messages about the connection, and the ways between pages.

const saidMs = 4_000;

function createShell({ path, passkey }: PageFacts) {
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
          <a class="browser-way" href="/briefing">${t('Notes')}</a>
          <a class="browser-way" href="/dashboard">${t('Overview')}</a>
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
    inbox(snapshot: InboxSnapshot): void {
      render(inboxList(snapshot, path), list);
      document.title = snapshot.count === 0 ? 'Holdpoint' : `(${String(snapshot.count)}) Holdpoint`;
    },
    trouble(next: Trouble | undefined): void {
      trouble = next;
      drawBar();
    },
    say: saySoon,
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
  return html`<div class="browser-trouble">${notice('warning', 'warning', text, { role: 'status' })}</div>`;
}

async function end(): Promise<void> {
  await postJson('/session/end', {});
  location.assign('/');
}

/** What the surface sent before there was a connection. */
const early: unknown[] = [];
let connection: Connection | undefined;
let shell: ReturnType<typeof createShell> | undefined;

Object.assign(globalThis, {
  acquireVsCodeApi: () =>
    createApi({
      facts,
      post: (message) => {
        if (connection) connection.post(message);
        else early.push(message);
      },
      say: (what) => shell?.say(what),
    }),
});
followTheme();
document.body.dataset['page'] = facts.path === '/' ? 'inbox' : 'item';
void start();

async function start(): Promise<void> {
  if (facts.kind === 'login') {
    document.body.dataset['page'] = 'login';
    await showLogin(document.body);
    return;
  }
  if (facts.kind === 'passkey') {
    document.body.dataset['page'] = 'login';
    drawPasskeys(document.body, {});
    return;
  }
  const drawn = (shell = createShell(facts));
  connection = connect(facts.path, {
    surface: (snapshot) => {
      window.dispatchEvent(new MessageEvent('message', { data: snapshot, origin: window.origin }));
    },
    inbox: (snapshot) => {
      setClock(snapshot.now);
      drawn.inbox(snapshot);
    },
    go: (path) => {
      if (path.startsWith('/') && !path.startsWith('//')) location.assign(path);
    },
    at: (path) => {
      history.replaceState(null, '', path);
    },
    trouble: drawn.trouble,
  });
  for (const message of early.splice(0)) connection.post(message);
}
