/**
 * The renderings of what is on the screen now. Agents keep working while a human reads, so the same content can be
 * rendered several times: an act from any of these renderings is taken, on what that rendering showed. One act ends them.
 *
 * None is taken in the first moment: a click or key meant for what was on the screen before, or software that is faster
 * than any eye, decides nothing. The page waits as well (webview/shared/settling.ts); this does not trust it.
 */

/** Something that can be acted on, and the hash of what was shown of it. */
export interface Target {
  readonly key: string;
  readonly shown: string;
}

/** What a rendering shows. Other targets, or the same elsewhere, start the wait again and end the renderings before. */
export interface Shown {
  readonly targets: readonly Target[];
  /** Whatever else moves things on the screen. */
  readonly layout?: string;
}

export interface Renderings<Seen extends Shown> {
  /** @param fresh the page has just started: the human has seen nothing of it yet */
  show(render: string, seen: Seen | undefined, fresh: boolean): void;
  /** What the rendering showed that an act names; undefined if it is gone, cannot have been read yet, or showed something else. */
  find(act: Target & { readonly render: string }): Seen | undefined;
  /** Nothing on the screen can be acted on any more. */
  clear(): void;
  /** Can nothing on the screen be acted on? */
  isEmpty(): boolean;
}

/** A little less than the page's half second, which begins when it gets what was sent. */
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
