/**
 * Long work of a program that has other work, such as an editor: it runs for a few milliseconds at a time. Whatever runs
 * like this takes turns, so that together it never blocks for longer.
 */

/** How long one turn takes. Milliseconds. */
const turnMs = 8;

const waiting: (() => void)[] = [];

/**
 * @param isAwaited a human waits for it, so its turns come before all others
 * @returns the result of the steps, each of which should take much less than a turn
 */
export async function inSteps<T>(steps: Iterator<unknown, T>, { isAwaited = false } = {}): Promise<T> {
  for (;;) {
    const until = performance.now() + turnMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await nextTurn(isAwaited);
  }
}

function nextTurn(isAwaited: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isAwaited) waiting.unshift(resolve);
    else waiting.push(resolve);
    if (waiting.length === 1) setImmediate(go);
  });
}

/** One of them in each turn of the event loop. */
function go(): void {
  waiting[0]?.();
  waiting.shift();
  if (waiting.length > 0) setImmediate(go);
}
