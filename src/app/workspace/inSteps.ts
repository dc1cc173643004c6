/**
 * Long work of a program that has other work, such as an editor: it runs for a few milliseconds at a time. Whatever runs
 * like this takes turns, so that together it never blocks for longer. Work that a human waits for comes first.
 */

/** How long one turn takes, and one that a human waits for. Milliseconds. */
const turnMs = 8;
const awaitedTurnMs = 20;
/** What a human waits for may itself wait, for a server for example. Milliseconds. */
const restAtMostMs = 2_000;

const awaited: (() => void)[] = [];
const others: (() => void)[] = [];
let isGoing = false;
/** How much a human waits for now, and until when other work rests for it. In terms of `performance.now()`. */
let waiting = 0;
let waitingUntil = 0;
/** Until when it rests in any case. */
let restingUntil = 0;
let waking: NodeJS.Timeout | undefined;

/**
 * @param isAwaited a human waits for it, so its turns come before all others
 * @returns the result of the steps, each of which should take much less than a turn
 */
export async function inSteps<T>(steps: Iterator<unknown, T>, { isAwaited = false } = {}): Promise<T> {
  if (!isAwaited && isResting()) await nextTurn(false);
  for (;;) {
    const began = performance.now();
    const until = began + (isAwaited ? awaitedTurnMs : turnMs);
    do {
      const step = steps.next();
      if (step.done !== true) continue;
      // What the caller does with the result belongs to the next turn, unless this one was short.
      if (performance.now() > began + turnMs / 2) await nextTurn(isAwaited);
      return step.value;
    } while (performance.now() < until);
    await nextTurn(isAwaited);
  }
}

/** Resolves as soon as background work may continue. */
export async function afterRest(): Promise<void> {
  if (isResting()) await nextTurn(false);
}

/** Pauses background work while a human waits for this, for two seconds at most. */
export async function whileAwaited<T>(work: () => Promise<T>): Promise<T> {
  waiting++;
  waitingUntil = performance.now() + restAtMostMs;
  try {
    return await work();
  } finally {
    waiting--;
    if (waiting === 0) waitingUntil = 0;
    start();
  }
}

/** Delays background work, for example while a window opens. */
export function restFor(ms: number): void {
  restingUntil = performance.now() + ms;
}

function restMs(): number {
  return Math.max(restingUntil, waitingUntil) - performance.now();
}

function isResting(): boolean {
  return restMs() > 0;
}

function nextTurn(isAwaited: boolean): Promise<void> {
  return new Promise((resolve) => {
    (isAwaited ? awaited : others).push(resolve);
    start();
  });
}

function start(): void {
  if (isGoing) return;
  isGoing = true;
  // It may be due much later than what rests now may continue.
  clearTimeout(waking);
  // The first runs right after the message that is being handled: only after it does the loop look at timers and further
  // messages.
  setImmediate(() => setImmediate(go));
}

/** One of them in each turn of the event loop. */
function go(): void {
  isGoing = false;
  if (awaited.length > 0) awaited.shift()?.();
  else if (!isResting()) others.shift()?.();
  if (awaited.length > 0 || (others.length > 0 && !isResting())) start();
  else wakeLater();
}

function wakeLater(): void {
  if (others.length > 0) waking = setTimeout(start, Math.max(1, restMs()));
}
