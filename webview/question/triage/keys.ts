/** The keys of a triage, wherever the focus is, except while typing. */
import type { Page } from '../page.ts';
import { isTyping, lettersAct } from '../numberKeys.ts';
import { offered } from '../offered.ts';
import { undo } from './bar.ts';

export function onTriageKey(page: Page, event: KeyboardEvent): void {
  if (!page.triage() || event.defaultPrevented) return;
  if (!event.isTrusted || event.repeat || event.isComposing || isTyping(event)) return;
  const act = event.ctrlKey || event.metaKey ? chordOf(page, event) : keyOf(page, event);
  if (!act) return;
  event.preventDefault();
  act();
}

/** Undoing is no letter, because what it takes back is not on the screen. The form handles the others while it has focus. */
function chordOf(page: Page, { key, altKey, shiftKey }: KeyboardEvent): (() => void) | undefined {
  if (altKey || shiftKey || page.flight()) return undefined;
  if (key.toLowerCase() === 'z' && page.triage()?.held.length !== 0)
    return () => {
      undo(page);
    };
  return key === 'Enter' && page.step() === 'form' ? page.decide : undefined;
}

function keyOf(page: Page, event: KeyboardEvent): (() => void) | undefined {
  if (event.altKey || event.shiftKey || page.flight()) return undefined;
  const go = (to: 'next' | 'back') => () => {
    page.dispatch({ type: 'triage', go: to });
  };
  switch (event.key.toLowerCase()) {
    case 'j':
      return lettersAct(page, event) ? go('next') : undefined;
    case 'k':
      return lettersAct(page, event) ? go('back') : undefined;
    case 'arrowdown':
      return movesByItself(event) ? undefined : go('next');
    case 'arrowup':
      return movesByItself(event) ? undefined : go('back');
    default:
      return isPickedAgain(page, event.key) ? page.decide : undefined;
  }
}

/** Arrows move between radio buttons. */
function movesByItself(event: Event): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLInputElement;
}

/** The number of the picked choice confirms a critical answer: a separate key press, after the human has seen it. */
function isPickedAgain(page: Page, key: string): boolean {
  return page.step() === 'confirm' && /^[1-9]$/.test(key) && confirmNumber(page) === Number(key);
}

/** The number that confirms; undefined if only the button does. */
export function confirmNumber(page: Page): number | undefined {
  const view = page.snapshot()?.view;
  if (!page.triage() || view?.type !== 'question') return undefined;
  const { panel, choices } = page.draftOf(view);
  const [one, ...more] = choices;
  const index = offered(view).findIndex(({ label }) => label === one);
  return panel === 'answer' && more.length === 0 && index >= 0 && index < 9 ? index + 1 : undefined;
}
