/** Runs a surface: one root, drawn at most once per turn and again as relative times change. */
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';
import { html, nothing, render, type TemplateResult } from 'lit';
import type { Outage, UnavailableView } from '../../src/ui/kit/view.ts';
import { button, notice, visible } from './elements.ts';
import { t } from './strings.ts';
import { clockTime, setClock } from './time.ts';

/** The editor's side of the page: the result of `acquireVsCodeApi`, typed by the surface that uses it. */
export interface Host<Message, State> {
  readonly post: (message: Message) => void;
  readonly restore: () => State | undefined;
  readonly save: (state: State) => void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Called once per page: the editor gives its API only once. `parse` checks the state that an older version saved. */
function connect<Message, State>(parse: (saved: unknown) => State | undefined): Host<Message, State> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    restore: () => parse(api.getState()),
    save: (state) => api.setState(state),
  };
}

// The only file that knows the component library, so replacing the library changes only this file. Used: button
// and progress ring. If the platform has the better element (`textarea`, `details`, `input
// type=radio`), the platform's is used.

function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());
}

/**
 * Moves focus within this page, never to it. Focusing an element of a frame takes the focus of the whole window: a form
 * that is redrawn in the background would close the list or the field in which its user is typing.
 */
let waiting: (() => void) | undefined;

window.addEventListener('focus', () => {
  const move = waiting;
  waiting = undefined;
  // A Tab key that enters this page focuses its first control after this event.
  if (move) setTimeout(move);
});
// A click chooses its own place, and comes before the focus that it causes.
window.addEventListener(
  'pointerdown',
  () => {
    waiting = undefined;
  },
  { capture: true },
);

/** Calls `move` at once if this page has the focus, otherwise when it gets it. A later call replaces an earlier one. */
function onceFocused(move: () => void): void {
  if (document.hasFocus()) {
    waiting = undefined;
    move();
  } else waiting = move;
}

// A bar above the page while the server of a shared workspace does not answer: since when, and what still works.

function createOutageBar(): { readonly element: HTMLElement; show(outage: Outage | undefined): void } {
  const element = document.createElement('div');
  return {
    element,
    show(outage) {
      element.className = outage ? 'outage' : '';
      render(outage ? bar(outage) : nothing, element);
    },
  };
}

const unknown = (time: string): Record<NonNullable<Outage['why']>, string> => ({
  lease: t('Can’t verify the journal: your team’s server has not answered since {time}.', { time }),
  never: t('Can’t verify the journal: your team’s server has not confirmed this machine’s copy yet.'),
  clock: t('Can’t verify the journal: a clock of this machine was set back since the server answered at {time}.', {
    time,
  }),
  forked: t(
    'Can’t verify the journal: your team’s server has other records than this machine’s copy. Ask its administrator.',
  ),
});

function bar({ state, since, why, folder }: Outage): TemplateResult {
  const time = since === undefined ? '' : clockTime(since);
  const what =
    state === 'offline'
      ? t('Offline since {time}: your team’s server does not answer.', { time })
      : unknown(time)[why ?? 'never'];
  const sign = state === 'offline' ? 'warning' : 'error';
  const where = folder === undefined ? nothing : html`${visible(folder)}: `;
  const agents =
    state === 'offline'
      ? t('Held work stays held. Agents continue with other work as long as your policy allows.')
      : t('Agents are paused until then.');
  const words = html`<strong>${where}${what}</strong> ${agents}
    ${t('You can read everything. Agents cannot ask, and you cannot decide, until the server answers.')}`;
  return notice(sign, sign, words, { role: 'status' });
}

// Shown when a view is unavailable: the reason, and an action that helps.

interface DoesHarmless {
  readonly dispatch: (message: {
    readonly type: 'do';
    readonly action: NonNullable<UnavailableView['action']>;
  }) => void;
}

const helps: Record<NonNullable<UnavailableView['action']>, string> = {
  openFolder: t('Open folder'),
  manageTrust: t('Manage workspace trust'),
  reloadWindow: t('Reload window'),
};

/** @param more below the action */
export function unavailable(
  page: DoesHarmless,
  view: UnavailableView,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { action } = view;
  return html`<article class="plain">
    <h1 class="plain-title">${visible(view.title)}</h1>
    <p>${visible(view.text)}</p>
    ${
      action === undefined
        ? nothing
        : html`<div class="actions">
            ${button(helps[action], () => page.dispatch({ type: 'do', action }), { wide: true, primary: true, act: action, focus: 'form' })}
          </div>`
    }
    ${more}
  </article>`;
}

interface AnySnapshot {
  readonly type: 'snapshot';
  readonly now: string;
  readonly view: { readonly type: string };
  readonly outage?: Outage | undefined;
}

interface AnyPage<Snapshot> {
  readonly receive: (snapshot: Snapshot) => void;
  readonly snapshot: () => Snapshot | undefined;
  /** Whether something can be decided right now. */
  readonly ready?: () => boolean;
  readonly spoken?: () => string;
  /** Where focus moves, once. */
  readonly takeFocus?: () => string | undefined;
}

/** What a page's state is made of. */
export interface PageOptions<Message, Saved> {
  readonly host: Host<Message, Saved>;
  readonly newAct: () => string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  /** The content has changed: redraw. */
  readonly changed: () => void;
}

interface SurfaceOptions<Snapshot, Message, Saved, Page> {
  readonly label: string;
  /** Checks the state that an earlier page saved. */
  readonly parse: (saved: unknown) => Saved | undefined;
  readonly create: (options: PageOptions<Message, Saved>) => Page;
  readonly content: (page: Page, snapshot: Snapshot) => unknown;
  /** Data of the `main` element. */
  readonly data?: (snapshot: Snapshot) => Readonly<Record<string, string>>;
  readonly before?: (snapshot: Snapshot) => void;
  readonly drawn?: (page: Page, root: HTMLElement) => void;
  /** Where focus goes if the focused element is gone. */
  readonly lost?: string;
  readonly focus?: (root: HTMLElement, place: string) => void;
}

/** Redraws relative times periodically. */
const tickMs = 20_000;

/** Draws in place: expanded parts and the scroll position stay. */
export function startSurface<Snapshot extends AnySnapshot, Message, Saved, Page extends AnyPage<Snapshot>>({
  create,
  parse,
  ...options
}: SurfaceOptions<Snapshot, Message, Saved, Page>): Page {
  registerToolkit();
  const root = document.createElement('div');
  root.className = 'page';
  const outage = createOutageBar();
  document.body.append(outage.element, root);
  let drawing = false;
  const page = create({
    host: connect<Message, Saved>(parse),
    newAct: () => crypto.randomUUID(),
    clock: () => performance.now(),
    later: (ms, run) => setTimeout(run, ms),
    changed: () => {
      if (drawing) return;
      drawing = true;
      queueMicrotask(() => {
        drawing = false;
        draw(page, root, options);
      });
    },
  });
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    // Frames in the page, which draw diagrams from agents, are not the host.
    if (event.origin !== window.origin) return;
    const snapshot = event.data as Snapshot | null;
    if (snapshot?.type !== 'snapshot') return;
    setClock(snapshot.now);
    outage.show(snapshot.outage);
    page.receive(snapshot);
  });
  setInterval(() => {
    draw(page, root, options);
  }, tickMs);
  return page;
}

function draw<Snapshot extends AnySnapshot, Page extends AnyPage<Snapshot>>(
  page: Page,
  root: HTMLElement,
  options: Omit<SurfaceOptions<Snapshot, never, never, Page>, 'create' | 'parse'>,
): void {
  const snapshot = page.snapshot();
  if (!snapshot) return;
  const { label, content, lost, focus = focusFirst } = options;
  options.before?.(snapshot);
  const had = root.contains(document.activeElement) && document.activeElement !== root;
  render(
    html`${page.spoken ? html`<div class="sr-only" role="status">${page.spoken()}</div>` : nothing}
      <main
        aria-label=${label}
        data-view=${snapshot.view.type}
        data-ready=${(page.ready?.() ?? true) ? 'true' : 'false'}
      >
        ${content(page, snapshot)}
      </main>`,
    root,
  );
  Object.assign(root.querySelector('main')?.dataset ?? {}, options.data?.(snapshot));
  options.drawn?.(page, root);
  const isLost = had && !root.contains(document.activeElement);
  const place = page.takeFocus?.() ?? (isLost ? lost : undefined);
  if (place !== undefined)
    onceFocused(() => {
      focus(root, place);
    });
}

function focusFirst(root: HTMLElement, place: string): void {
  root.querySelector<HTMLElement>(place)?.focus();
}
