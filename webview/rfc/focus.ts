/** Moves focus to a place or a field, never to a button that decides. */

export function grantFocus(root: HTMLElement, place: string): void {
  const found = root.querySelector<HTMLElement>(`[data-focus="${CSS.escape(place)}"]`);
  const target = found ?? root.querySelector<HTMLElement>('[data-focus="bar"]');
  target?.focus();
}
