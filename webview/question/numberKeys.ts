import { isOpen } from './acts.ts';
import { offered } from './offered.ts';
import type { Page } from './page.ts';

/** Keys 1 to 9 pick a choice wherever the focus is, except while typing. */
export function onNumberKey(page: Page, event: KeyboardEvent): void {
  if (!event.isTrusted || event.repeat || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
  if (isTyping(event)) return;
  const view = page.snapshot()?.view;
  if (view?.type !== 'question' || view.resolution.type !== 'pending' || !isOpen(view)) return;
  if (page.draftOf(view).panel !== 'answer' || page.step() !== 'form' || page.flight()) return;
  const choice = offered(view)[Number(event.key) - 1];
  if (!choice) return;
  event.preventDefault();
  page.toggle(choice.label);
  document.getElementById(`choice-${Number(event.key) - 1}`)?.focus();
}

/** Letters act only where they cannot be meant as text: an item without choices is answered by writing. */
export function lettersAct(page: Page, event: Event): boolean {
  const view = page.snapshot()?.view;
  if (isTyping(event)) return false;
  return view?.type !== 'question' || (offered(view).length > 0 && page.draftOf(view).panel === 'answer');
}

export function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';
}
