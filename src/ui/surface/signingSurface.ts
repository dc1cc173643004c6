/**
 * Shared by the views in which a human signs, on the host's side. A surface sends whole snapshots, and only when their
 * content has changed. It carries out an act once, and only from a rendering that is displayed, shows the act's
 * subject, and was visible long enough to be read. Each view supplies its content, its acts, and handlers for its other
 * messages.
 */
import type { Outcome, UnavailableView } from '../kit/view.ts';
import { type Closable, inTurn } from '../kit/timing.ts';
import { outdatedOutcome } from './signedActs.ts';
import { randomUUID } from 'node:crypto';
import { notShown } from '../kit/problemWords.ts';

/** Common to every act: its subject, as shown in which rendering, and a unique id, so that it runs once. */
interface AnyAct {
  readonly type: string;
  readonly act: string;
  readonly key: string;
  readonly shown: string;
  readonly render: string;
}

type PageMessage = { readonly type: 'ready' } | { readonly type: 'keep'; readonly saved: string };

export type Signed<Message> = Extract<Message, AnyAct>;
export type Unsigned<Message> = Exclude<Message, AnyAct | PageMessage>;

export interface SigningSurfaceOptions<
  Snapshot extends AnySnapshot,
  Message,
  Seen extends Shown,
> extends SnapshotsOptions<Snapshot, Seen> {
  readonly schema: { readonly safeParse: (raw: unknown) => { readonly data?: Message | undefined } };
  readonly keep: (saved: string) => PromiseLike<void>;
  /** Carries out an act on the content of its rendering. Never throws. */
  readonly sign: (act: Signed<Message>, seen: Seen) => Promise<Outcome>;
  readonly receive: (message: Unsigned<Message>) => unknown;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

export interface SigningSurface<Snapshot extends AnySnapshot> extends Closable {
  /** Uses this page from now on. */
  attach(page: Page): void;
  /** Sends the current content, after any snapshot in progress. */
  draw(): Promise<void>;
  /** Draws with a delay, to group bursts of records. */
  drawSoon(): void;
  /** Adds something to the next snapshot, once. */
  add(extras: Partial<Own<Snapshot>>): void;
}

const burstMs = 80;

export function createSigningSurface<
  Snapshot extends AnySnapshot,
  Message extends { readonly type: string },
  Seen extends Shown,
>(options: SigningSurfaceOptions<Snapshot, Message, Seen>): SigningSurface<Snapshot> {
  const renderings = createRenderings<Seen>(options.clock);
  const snapshots = createSnapshots(options, renderings);
  /** Outcomes by act: a repeated message awaits the first one's. */
  const acts = new Map<string, Promise<Outcome>>();
  let timer: NodeJS.Timeout | undefined;

  function draw(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return snapshots.draw();
  }

  /** A rendering can be acted on once. */
  function sign(act: Signed<Message>): Promise<Outcome> {
    const seen = snapshots.isVisible() ? renderings.find(act) : undefined;
    if (!seen) return Promise.resolve(outdatedOutcome(act.act));
    renderings.clear();
    return options.sign(act, seen);
  }

  async function receive(raw: unknown): Promise<void> {
    const message = options.schema.safeParse(raw).data;
    if (message === undefined) return;
    if (isSigned(message)) {
      const outcome = acts.get(message.act) ?? sign(message);
      acts.set(message.act, outcome);
      snapshots.report(await outcome);
      await draw();
    } else if (isKeep(message)) await options.keep(message.saved);
    else if (message.type === 'ready') {
      snapshots.begin();
      await draw();
    } else await options.receive(message as Unsigned<Message>);
  }

  return {
    attach(page) {
      page.webview.onDidReceiveMessage((raw: unknown) => receive(raw));
      page.onDidChangeVisibility(() => void draw());
      snapshots.attach(page);
    },
    draw,
    drawSoon() {
      timer ??= setTimeout(() => void draw(), burstMs);
    },
    add: snapshots.add,
    dispose() {
      clearTimeout(timer);
    },
  };
}

function isSigned<Message extends object>(message: Message): message is Signed<Message> {
  return 'act' in message;
}

function isKeep(message: { readonly type: string }): message is Extract<PageMessage, { type: 'keep' }> {
  return message.type === 'keep';
}

// The snapshots of a surface: complete, in order, only while the page runs and is visible, and only when something
// changed.

export interface AnySnapshot {
  readonly view: unknown;
  readonly kept?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

/** Members besides those common to all snapshots. */
export type Own<Snapshot> = Omit<Snapshot, keyof ReturnType<typeof snapshotHead> | keyof AnySnapshot>;

/** The current content; `seen` if a human can act on it. */
export interface Current<View, Seen> {
  readonly view: View | UnavailableView;
  readonly seen?: Seen | undefined;
}

export interface SnapshotsOptions<Snapshot extends AnySnapshot, Seen extends Shown> {
  /** @param render id of this rendering, included in views that can be acted on */
  readonly current: (render: string) => Promise<Current<Snapshot['view'], Seen>>;
  /** Members of every snapshot besides the view. */
  readonly beside: () => Own<Snapshot>;
  /** The saved state of an earlier page. */
  readonly kept: () => string | undefined;
}

export function createSnapshots<Snapshot extends AnySnapshot, Seen extends Shown>(
  options: SnapshotsOptions<Snapshot, Seen>,
  renderings: Renderings<Seen>,
) {
  let page: Page | undefined;
  /**
   * A page listens from its `ready` until it is hidden, which ends it. Nothing is sent before: a page that gets a
   * snapshot early lets its human act on it, but `ready` ends that rendering.
   */
  let listening = false;
  let begins = false;
  /** The content sent last. */
  let sent = '';
  let extras: Partial<Own<Snapshot>> = {};
  const outcomes: Outcome[] = [];

  const listens = (to: Page) => page === to && to.isVisible() && listening;
  const draw = inTurn(drawOnce);

  function leave(): void {
    listening = false;
    sent = '';
    renderings.clear();
  }

  async function drawOnce(): Promise<void> {
    const to = page;
    if (!to || !listens(to)) return;
    const render = randomUUID();
    const { view, seen } = await currentOf(options, render);
    const beside = options.beside();
    const content = { ...beside, view };
    const shown = JSON.stringify(view, (_, value: unknown) => (value === render ? '' : value));
    const text = `${shown} ${JSON.stringify(beside)}`;
    if (!listens(to)) return;
    if (!hasNews() && text === sent && (seen === undefined || !renderings.isEmpty())) return;
    sent = text;
    renderings.show(render, seen, begins);
    await to.webview.postMessage({ ...snapshotHead(), ...content, ...takeNews() });
    if (hasNews()) void draw();
  }

  /** Whether something must be sent although the content is unchanged. */
  function hasNews(): boolean {
    return begins || outcomes.length > 0 || Object.keys(extras).length > 0;
  }

  /** One-time content. Two acts that end together are reported one after the other. */
  function takeNews(): object {
    const [kept, outcome] = [begins ? options.kept() : undefined, outcomes.shift()];
    const news = {
      ...extras,
      ...(kept === undefined ? {} : { kept }),
      ...(outcome === undefined ? {} : { outcome }),
    };
    begins = false;
    extras = {};
    return news;
  }

  return {
    attach(next: Page): void {
      leave();
      page = next;
      next.onDidChangeVisibility(() => {
        if (page === next && !next.isVisible()) leave();
      });
      next.onDidDispose(() => {
        if (page !== next) return;
        leave();
        page = undefined;
      });
    },
    isVisible: () => page?.isVisible() === true,
    /** The page has just started: earlier snapshots are lost. */
    begin(): void {
      listening = begins = true;
    },
    draw,
    add(more: Partial<Own<Snapshot>>): void {
      extras = { ...extras, ...more };
    },
    /** Outcomes are always sent, because a form waits for them. */
    report(outcome: Outcome): void {
      outcomes.push(outcome);
    },
  };
}

function currentOf<Snapshot extends AnySnapshot, Seen extends Shown>(
  { current }: SnapshotsOptions<Snapshot, Seen>,
  render: string,
): Promise<Current<Snapshot['view'], Seen>> {
  return current(render).catch((error: unknown) => ({ view: notShown(error) }));
}

/**
 * The renderings of the currently displayed content. Agents keep working while a human reads, so the same content may
 * be rendered several times; an act from any of these renderings is valid, for the content that rendering showed. One
 * act ends them all. No act is accepted before a dwell time: a click or key meant for the previous content, or software
 * faster than any eye, decides nothing. The page also waits (webview/shared/signing.ts); the host does not rely on it.
 */

/** An item that can be acted on, and the hash of its shown content. */
export interface Target {
  readonly key: string;
  readonly shown: string;
}

/**
 * The content of a rendering. Other targets, or the same ones elsewhere on the page, restart the dwell time and end
 * earlier renderings.
 */
export interface Shown {
  readonly targets: readonly Target[];
  /** Anything else that moves content on the screen. */
  readonly layout?: string;
}

export type Renderings<Seen extends Shown> = ReturnType<typeof createRenderings<Seen>>;

/** Dwell time. A little less than the page's half second, which starts on receipt. Milliseconds. */
const dwellMs = 450;

/** @param clock monotonic milliseconds */
export function createRenderings<Seen extends Shown>(clock: () => number = () => performance.now()) {
  const byRender = new Map<string, Seen>();
  let subject: string | undefined;
  let since = Infinity;

  function clear(): void {
    byRender.clear();
    subject = undefined;
  }

  return {
    /** @param fresh the page has just started, so the human has seen nothing yet */
    show(render: string, seen: Seen | undefined, fresh: boolean): void {
      const next = seen && subjectOf(seen);
      if (fresh || next === undefined || next !== subject) {
        clear();
        since = clock();
      }
      if (seen === undefined) return;
      subject = next;
      byRender.set(render, seen);
    },
    /**
     * What the rendering named by an act showed; undefined if it has ended, was too recent to be read, or showed
     * something else.
     */
    find({ render, key, shown }: Target & { readonly render: string }): Seen | undefined {
      if (clock() - since < dwellMs) return undefined;
      const seen = byRender.get(render);
      return seen?.targets.some((one) => one.key === key && one.shown === shown) ? seen : undefined;
    },
    /** Ends all renderings. */
    clear,
    /** Whether no rendering can be acted on. */
    isEmpty: () => byRender.size === 0,
  };
}

function subjectOf({ targets, layout }: Shown): string {
  return JSON.stringify([targets.map(({ key, shown }) => [key, shown]), layout]);
}

// The page that surfaces use: a webview of the editor, or a page in a browser.

export interface Page {
  readonly webview: {
    postMessage(message: unknown): PromiseLike<boolean>;
    onDidReceiveMessage(listener: (message: unknown) => unknown): Closable;
  };
  readonly isVisible: () => boolean;
  readonly onDidChangeVisibility: (listener: () => void) => Closable;
  readonly onDidDispose: (listener: () => void) => Closable;
}

/** The start of every snapshot, with the host's clock. */
export function snapshotHead(): { type: 'snapshot'; now: string } {
  return { type: 'snapshot', now: new Date().toISOString() };
}
