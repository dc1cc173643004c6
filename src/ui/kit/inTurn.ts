/** Runs redraws one after another: requests during a redraw are coalesced into one. */
export function inTurn(draw: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const start = () => {
    next = null;
    return draw();
  };
  return () => {
    next ??= last = last.then(start, start);
    return next;
  };
}
