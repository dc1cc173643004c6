/**
 * The snapshots of a surface: complete, in order, only while the page runs and is visible, and only when something
 * changed.
 */
import { randomUUID } from 'node:crypto';
import type { Outcome, UnavailableView } from '../kit/view.ts';
import { inTurn } from '../kit/inTurn.ts';
import { notShown } from './unavailable.ts';
import { snapshotHead } from './page.ts';
import type { Page } from './page.ts';
import type { Renderings, Shown } from './renderings.ts';

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
  /** The view as text without its rendering, for callers that have it. */
  readonly text?: string | undefined;
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

export interface Snapshots<Snapshot> {
  attach(page: Page): void;
  isVisible(): boolean;
  /** The page has just started: earlier snapshots are lost. */
  begin(): void;
  draw(): Promise<void>;
  add(extras: Partial<Own<Snapshot>>): void;
  /** Outcomes are always sent, because a form waits for them. */
  report(outcome: Outcome): void;
}

export function createSnapshots<Snapshot extends AnySnapshot, Seen extends Shown>(
  options: SnapshotsOptions<Snapshot, Seen>,
  renderings: Renderings<Seen>,
): Snapshots<Snapshot> {
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
    const { view, text: known, seen } = await currentOf(options, render);
    const beside = options.beside();
    const content = { ...beside, view };
    const shown = known ?? JSON.stringify(view, (_, value: unknown) => (value === render ? '' : value));
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
    isVisible: () => page?.isVisible() === true,
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

function currentOf<Snapshot extends AnySnapshot, Seen extends Shown>(
  { current }: SnapshotsOptions<Snapshot, Seen>,
  render: string,
): Promise<Current<Snapshot['view'], Seen>> {
  return current(render).catch((error: unknown) => ({ view: notShown(error) }));
}
