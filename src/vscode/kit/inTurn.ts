/** Drawing one after the other: what is wished for while one is drawn is one more drawing, however often it is wished for. */
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
