/**
 * The renderings of the currently displayed content. Agents keep working while a human reads, so the same content may
 * be rendered several times; an act from any of these renderings counts, for the content that rendering showed. One act
 * ends them all. No act counts before a dwell time: a click or key meant for the previous content, or software faster
 * than any eye, decides nothing. The page also waits (webview/shared/signing.ts); the host does not rely on it.
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

export interface Renderings<Seen extends Shown> {
  /** @param fresh the page has just started, so the human has seen nothing yet */
  show(render: string, seen: Seen | undefined, fresh: boolean): void;
  /**
   * What the rendering named by an act showed; undefined if it has ended, was too recent to be read, or showed
   * something else.
   */
  find(act: Target & { readonly render: string }): Seen | undefined;
  /** Ends all renderings. */
  clear(): void;
  /** Whether no rendering can be acted on. */
  isEmpty(): boolean;
}

/** Dwell time. A little less than the page's half second, which starts on receipt. Milliseconds. */
const dwellMs = 450;

/** @param clock monotonic milliseconds */
export function createRenderings<Seen extends Shown>(clock: () => number = () => performance.now()): Renderings<Seen> {
  const byRender = new Map<string, Seen>();
  let subject: string | undefined;
  let since = Infinity;

  function clear(): void {
    byRender.clear();
    subject = undefined;
  }

  return {
    show(render, seen, fresh) {
      const next = seen && subjectOf(seen);
      if (fresh || next === undefined || next !== subject) {
        clear();
        since = clock();
      }
      if (seen === undefined) return;
      subject = next;
      byRender.set(render, seen);
    },
    find({ render, key, shown }) {
      if (clock() - since < dwellMs) return undefined;
      const seen = byRender.get(render);
      return seen?.targets.some((one) => one.key === key && one.shown === shown) ? seen : undefined;
    },
    clear,
    isEmpty: () => byRender.size === 0,
  };
}

function subjectOf({ targets, layout }: Shown): string {
  return JSON.stringify([targets.map(({ key, shown }) => [key, shown]), layout]);
}
