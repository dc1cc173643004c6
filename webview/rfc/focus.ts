/** Puts the keyboard where a wish says. Never on a button that decides. */

export function grantFocus(root: HTMLElement, wish: string | undefined): void {
  if (wish === undefined) return;
  const found = root.querySelector<HTMLElement>(`[data-focus="${CSS.escape(wish)}"]`);
  const target = found ?? root.querySelector<HTMLElement>('[data-focus="bar"]');
  target?.focus();
}
