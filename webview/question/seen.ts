/**
 * Which parts of a form have been on the screen: nobody signs what they have not seen. A part with `data-decides` has been
 * seen once its first line, its last and all between have been in the window, outside of the bars that stick to its edges.
 * A tab is read by scrolling. The view has to show all parts at once; else it hides them, and leads to the tab.
 */

/** What has been visible of a part, from its upper edge, in pixels of a layout with this size. */
interface Visible {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
}

const bars = '.acts, .queue-bar';
/** Less than the padding of a choice, in pixels. */
const tolerance = 4;
/** A view that is lower has no room for a form, in pixels. */
const lowest = 300;

export function createSeen(changed: () => void) {
  let subject = '';
  let parts = new Map<string, Visible>();
  let isComplete = false;

  /** @returns the first part that has not been seen */
  function look(): HTMLElement | undefined {
    const { classList } = document.body;
    const inTab = classList.contains('tab');
    if (!inTab && !isComplete) parts = new Map();
    // With what a view without room hides (question.css).
    classList.add('measured');
    const all = [...document.querySelectorAll<HTMLElement>('[data-decides]')];
    const covers = [...document.querySelectorAll(bars)].map((bar) => bar.getBoundingClientRect());
    for (const one of all) {
      const name = one.dataset['decides'] ?? '';
      const now = visibleOf(one.getBoundingClientRect(), covers);
      const before = parts.get(name);
      const wasRead = before !== undefined && before.height > tolerance && isWhole(before);
      if (wasRead && (before.width !== now.width || before.height >= now.height - tolerance)) continue;
      parts.set(name, before && isContinued(before, now) ? joinVisible(before, now) : now);
    }
    const missing = all.find((one) => !isWhole(parts.get(one.dataset['decides'] ?? '')));
    isComplete = all.length > 0 && missing === undefined && (inTab || window.innerHeight >= lowest);
    classList.remove('measured');
    return missing;
  }

  function lookAgain(): void {
    const before = isComplete;
    look();
    if (isComplete !== before) changed();
  }

  document.addEventListener('scroll', lookAgain, { capture: true, passive: true });
  window.addEventListener('resize', lookAgain);
  document.addEventListener('visibilitychange', lookAgain);
  return {
    isComplete: (): boolean => isComplete,

    /** After drawing. @param content the item and its content: another one has not been seen */
    drawn(content: string): void {
      if (content !== subject) {
        subject = content;
        parts = new Map();
        isComplete = false;
      }
      lookAgain();
    },

    /** Scrolls to where reading stopped. */
    readOn(): void {
      const part = look();
      if (!part) return;
      const bar = document.querySelector('.queue-bar')?.getBoundingClientRect().height ?? 0;
      const { top } = part.getBoundingClientRect();
      const { from = 0, to = 0 } = parts.get(part.dataset['decides'] ?? '') ?? {};
      window.scrollBy(0, top + (from > tolerance ? 0 : to) - bar - 24);
    },
  };
}

export type Seen = ReturnType<typeof createSeen>;

function visibleOf(part: DOMRect, covers: readonly DOMRect[]): Visible {
  const { width, height } = part;
  const isShown = document.visibilityState === 'visible' && width > 0;
  let [top, bottom] = isShown ? [Math.max(part.top, 0), Math.min(part.bottom, window.innerHeight)] : [0, 0];
  for (const cover of covers) {
    if (cover.right <= part.left || cover.left >= part.right || cover.bottom <= top || cover.top >= bottom) continue;
    if (cover.top <= top) top = cover.bottom;
    else bottom = cover.top;
  }
  return bottom <= top
    ? { from: 0, to: 0, width, height }
    : { from: top - part.top, to: bottom - part.top, width, height };
}

/** A part without a line, as of an empty text, hides nothing. */
function isWhole(part: Visible | undefined): boolean {
  return part !== undefined && part.width > 0 && part.from <= tolerance && part.to >= part.height - tolerance;
}

/** Whether nothing between them was passed over. */
function isContinued(before: Visible, now: Visible): boolean {
  if (before.width !== now.width || Math.abs(before.height - now.height) > tolerance || before.to === 0) return false;
  return now.to === 0 || (now.from <= before.to + tolerance && now.to >= before.from - tolerance);
}

function joinVisible(before: Visible, now: Visible): Visible {
  if (now.to === 0) return before;
  return { ...now, from: Math.min(before.from, now.from), to: Math.max(before.to, now.to) };
}
