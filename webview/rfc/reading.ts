/** Tracks the section at the top of the window, for the contents. */

let current = '';

export function isCurrent(section: string): boolean {
  return section === current;
}

/** Calls back when another section reaches the top. */
export function watchReading(changed: () => void): { observe: (root: HTMLElement) => void } {
  const seen = new Set<Element>();
  const look = (): void => {
    let found = '';
    for (const element of seen) {
      if (!element.isConnected) {
        seen.delete(element);
        observer.unobserve(element);
      } else if (found === '' || element.getBoundingClientRect().top <= topMost) {
        found = (element as HTMLElement).dataset['section'] ?? '';
      }
    }
    if (found === current) return;
    current = found;
    changed();
  };
  const observer = new IntersectionObserver(look, { rootMargin: `-${topMost}px 0px -60% 0px`, threshold: [0, 1] });
  return {
    observe: (root) => {
      for (const element of root.querySelectorAll('[data-section]')) {
        if (seen.has(element)) continue;
        seen.add(element);
        observer.observe(element);
      }
    },
  };
}

/** A section that starts above this line counts as current. */
const topMost = 80;
