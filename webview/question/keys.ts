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

/** The keys of the queue, wherever the focus is, except while typing. */
export function onQueueKey(page: Page, event: KeyboardEvent): void {
  if (!page.queue() || event.defaultPrevented || page.flight() || isTyping(event)) return;
  if (!event.isTrusted || event.repeat || event.isComposing || event.altKey || event.shiftKey) return;
  const act = event.ctrlKey || event.metaKey ? chordOf(page, event.key) : keyOf(page, event);
  if (!act) return;
  event.preventDefault();
  act();
}

/** Undoing is no letter, because what it takes back is not on the screen. The form handles Ctrl+Enter while it has focus. */
function chordOf(page: Page, key: string): (() => void) | undefined {
  const latest = page.queue()?.held.at(-1);
  if (key.toLowerCase() === 'z' && latest)
    return () => {
      page.dispatch({ type: 'undo', held: latest.act });
    };
  return key === 'Enter' && page.step() === 'form' ? page.decide : undefined;
}

function keyOf(page: Page, event: KeyboardEvent): (() => void) | undefined {
  const key = event.key.toLowerCase();
  if ((key === 'j' || key === 'k') && lettersAct(page, event))
    return () => {
      page.dispatch({ type: 'go', to: key === 'j' ? 'next' : 'back' });
    };
  // The number of the picked choice confirms a critical answer: a separate key press, after the human has seen it.
  return page.step() === 'confirm' && key === String(confirmNumber(page)) ? page.decide : undefined;
}

/** Letters act only where they cannot be meant as text: an item without choices is answered by writing. */
export function lettersAct(page: Page, event: Event): boolean {
  const view = page.snapshot()?.view;
  if (isTyping(event)) return false;
  if (view?.type === 'question') return offered(view).length > 0 && page.draftOf(view).panel === 'answer';
  return view?.type === 'nothing';
}

/** The number that confirms; undefined if only the button does. */
export function confirmNumber(page: Page): number | undefined {
  const view = page.snapshot()?.view;
  if (!page.queue() || view?.type !== 'question') return undefined;
  const { panel, choices } = page.draftOf(view);
  const [one, ...more] = choices;
  const index = offered(view).findIndex(({ label }) => label === one);
  return panel === 'answer' && more.length === 0 && index >= 0 && index < 9 ? index + 1 : undefined;
}

function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';
}
