/** The snapshots of a surface: whole, in order, to a page that runs and is seen, and none that says nothing new. */
import { randomUUID } from 'node:crypto';
import type { Outcome, UnavailableView } from '../../protocol/kit/outcome.ts';
import { inTurn } from '../kit/inTurn.ts';
import { snapshotHead } from '../kit/strings.ts';
import { notShown } from './harmless.ts';
import type { Page } from './page.ts';
import type { Renderings, Shown } from './renderings.ts';

export interface AnySnapshot {
  readonly view: unknown;
  readonly kept?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

/** What a snapshot has beside what all have. */
export type Own<Snapshot> = Omit<Snapshot, keyof ReturnType<typeof snapshotHead> | keyof AnySnapshot>;

/** What there is to show; `seen` where a human can act on it. */
export interface Current<View, Seen> {
  readonly view: View | UnavailableView;
  readonly seen?: Seen | undefined;
}

export interface SnapshotsOptions<Snapshot extends AnySnapshot, Seen extends Shown> {
  /** Checks what is sent. Loaded when there is something to send: at the start of the editor there is not. */
  readonly check: (snapshot: unknown) => Promise<Snapshot>;
  /** @param render names this rendering: a view that can be acted on carries it */
  readonly current: (render: string) => Promise<Current<Snapshot['view'], Seen>>;
  /** What every snapshot has beside the view. */
  readonly beside: () => Own<Snapshot>;
  /** Drafts that an earlier page asked to keep. */
  readonly kept: () => string | undefined;
}

export interface Snapshots<Snapshot> {
  attach(page: Page): void;
  isVisible(): boolean;
  /** The page has just started: what was sent before is lost. */
  begin(): void;
  draw(): Promise<void>;
  add(extras: Partial<Own<Snapshot>>): void;
  /** Every outcome is sent: a form waits for the one of its act. */
  report(outcome: Outcome): void;
}

export function createSnapshots<Snapshot extends AnySnapshot, Seen extends Shown>(
  options: SnapshotsOptions<Snapshot, Seen>,
  renderings: Renderings<Seen>,
): Snapshots<Snapshot> {
  let page: Page | undefined;
  /** A page is heard of from its `ready` until it is hidden, which ends it. What is sent once waits until then. */
  let listening = false;
  let begins = false;
  /** The content that was sent last. */
  let sent = '';
  let extras: Partial<Own<Snapshot>> = {};
  const outcomes: Outcome[] = [];

  const isVisible = () => page?.isVisible() === true;
  const draw = inTurn(drawOnce);

  function leave(): void {
    listening = false;
    sent = '';
    renderings.clear();
  }

  async function drawOnce(): Promise<void> {
    const to = page;
    if (!to?.isVisible()) return;
    const render = randomUUID();
    const { view, seen } = await options
      .current(render)
      .catch((error: unknown): Current<Snapshot['view'], Seen> => ({ view: notShown(error) }));
    const content = { ...options.beside(), view };
    const text = JSON.stringify(content, (_, value: unknown) => (value === render ? '' : value));
    if (page !== to || !to.isVisible()) return;
    if (!hasNews() && text === sent && (seen === undefined || !renderings.isEmpty())) return;
    sent = text;
    renderings.show(render, seen, begins);
    const snapshot = { ...snapshotHead(), ...content, ...(listening ? takeNews() : {}) };
    await to.webview.postMessage(await options.check(snapshot));
    if (hasNews()) void draw();
  }

  /** Something has to be sent though the content is the same. */
  function hasNews(): boolean {
    return listening && (begins || outcomes.length > 0 || Object.keys(extras).length > 0);
  }

  /** What is sent once. Two acts that end together are reported one after the other. */
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
    attach(next) {
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
    isVisible,
    begin() {
      listening = begins = true;
    },
    draw,
    add(more) {
      extras = { ...extras, ...more };
    },
    report(outcome) {
      outcomes.push(outcome);
    },
  };
}
