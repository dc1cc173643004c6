/**
 * What the views in which a human signs have in common on the host's side. A surface sends whole snapshots, and only
 * when something in them has changed. It carries an act out once, and only from a rendering that is on the screen, shows
 * what the act is about, and has been there long enough to be read. A view brings what there is to show, what its acts
 * do, and what the other messages of its page do.
 */
import type { Outcome } from '../../protocol/kit/outcome.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Page } from './page.ts';
import { createRenderings } from './renderings.ts';
import type { Shown } from './renderings.ts';
import { outdated } from './signedActs.ts';
import { createSnapshots } from './snapshots.ts';
import type { AnySnapshot, Own, SnapshotsOptions } from './snapshots.ts';

/** What every act carries: what it is about, as which rendering showed it, and a name, so that it is done once. */
interface AnyAct {
  readonly type: string;
  readonly act: string;
  readonly key: string;
  readonly shown: string;
  readonly render: string;
}

/** What every page says beside what is its own. */
type PageMessage = { readonly type: 'ready' } | { readonly type: 'keep'; readonly saved: string };

export type Signed<Message> = Extract<Message, AnyAct>;
/** What a page asks for beside its acts. */
export type Unsigned<Message> = Exclude<Message, AnyAct | PageMessage>;

export interface SigningSurfaceOptions<
  Snapshot extends AnySnapshot,
  Message,
  Seen extends Shown,
> extends SnapshotsOptions<Snapshot, Seen> {
  /** Loaded when there is something to read: at the start of the editor there is not. */
  readonly parse: (raw: unknown) => Promise<Message | undefined>;
  readonly keep: (saved: string) => PromiseLike<void>;
  /** Carries an act out, on what its rendering showed. Never throws. */
  readonly sign: (act: Signed<Message>, seen: Seen) => Promise<Outcome>;
  readonly receive: (message: Unsigned<Message>) => unknown;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

export interface SigningSurface<Snapshot extends AnySnapshot> extends Closable {
  /** Shows itself in this page from now on. */
  attach(page: Page): void;
  /** Sends what there is to show, after what is being sent now. */
  draw(): Promise<void>;
  /** The same, a little later: records come in bursts. */
  drawSoon(): void;
  /** Puts something into the next snapshot, once. */
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
  /** Outcomes by act: a repeated message waits for the first one's. */
  const acts = new Map<string, Promise<Outcome>>();
  let timer: NodeJS.Timeout | undefined;

  function draw(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return snapshots.draw();
  }

  /** A rendering is acted on once. */
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
