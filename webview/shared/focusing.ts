/**
 * Moves focus within this page, never to it. Focusing an element of a frame takes the focus of the whole window: a form
 * that is redrawn in the background would close the list or the field in which its user is typing.
 */
let waiting: (() => void) | undefined;

window.addEventListener('focus', () => {
  const move = waiting;
  waiting = undefined;
  // A Tab key that enters this page focuses its first control after this event.
  if (move) setTimeout(move);
});
// A click chooses its own place, and comes before the focus that it causes.
window.addEventListener(
  'pointerdown',
  () => {
    waiting = undefined;
  },
  { capture: true },
);

/** Calls `move` at once if this page has the focus, otherwise when it gets it. A later call replaces an earlier one. */
export function onceFocused(move: () => void): void {
  if (document.hasFocus()) {
    waiting = undefined;
    move();
  } else waiting = move;
}
