/**
 * Shared by the views in which a human signs, on the host's side. A surface sends whole snapshots, and only when their
 * content has changed. It carries out an act once, and only from a rendering that is displayed, shows the act's
 * subject, and was visible long enough to be read. Each view supplies its content, its acts, and handlers for its other
 * messages.
 */
import type { Outcome } from '../kit/view.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Page } from './page.ts';
import { createRenderings } from './renderings.ts';
import type { Shown } from './renderings.ts';
import { outdated } from './signedActs.ts';
import { createSnapshots } from './snapshots.ts';
import type { AnySnapshot, Own, SnapshotsOptions } from './snapshots.ts';

/** Common to every act: its subject, as shown in which rendering, and a unique id, so that it runs once. */
interface AnyAct {
  readonly type: string;
  readonly act: string;
  readonly key: string;
  readonly shown: string;
  readonly render: string;
}

/** Messages common to all pages. */
type PageMessage = { readonly type: 'ready' } | { readonly type: 'keep'; readonly saved: string };

export type Signed<Message> = Extract<Message, AnyAct>;
/** A page's messages other than acts. */
export type Unsigned<Message> = Exclude<Message, AnyAct | PageMessage>;

export interface SigningSurfaceOptions<
  Snapshot extends AnySnapshot,
  Message,
  Seen extends Shown,
> extends SnapshotsOptions<Snapshot, Seen> {
  /** Loaded on the first message, not at the editor's start. */
  readonly parse: (raw: unknown) => Promise<Message | undefined>;
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
  /** The same with a delay, to group bursts of records. */
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
    if (!seen) return Promise.resolve(outdated(act.act));
    renderings.clear();
    return options.sign(act, seen);
  }

  async function receive(raw: unknown): Promise<void> {
    const message = await options.parse(raw);
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
