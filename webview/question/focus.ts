/** Moves focus to a place or a field, never to a button that decides. */

/** Initial focus: the first choice, the text box, or the next control of the form. */
const starts = [
  '[data-focus="wait-critical"]:not(:disabled)',
  'fieldset[data-focus="choices"]:not(:disabled) input:checked',
  'fieldset[data-focus="choices"]:not(:disabled) input',
  'textarea[data-focus="text"]:not(:disabled)',
  'select[data-focus="origin"]:not(:disabled)',
  'select[data-focus="target"]:not(:disabled)',
  '[data-focus="name"]:not([disabled])',
  '[data-focus="confirm"]',
  '[data-focus="result"]',
  '[data-focus="form"][tabindex]',
];

export function grantFocus(root: HTMLElement, place: string): void {
  const target = place === 'form' ? first(root, starts) : first(root, [...selectorsOf(place), ...starts]);
  if (!target) return;
  // A newly opened form is read from the top, so it is not scrolled to the focused field.
  target.focus({ preventScroll: place === 'form' || place === 'question' });
  // Shows the error together with the focused field.
  if (place !== 'form') root.querySelector('.hint, .notice-error')?.scrollIntoView({ block: 'nearest' });
}

function selectorsOf(place: string): string[] {
  // Opening the next item decides nothing, so focus may go to its button.
  if (place === 'result') return ['[data-act="next"]', '[data-focus="result"]'];
  if (place === 'choices') return ['[data-focus="choices"] input'];
  return [`[data-focus="${place}"]`];
}

function first(root: HTMLElement, selectors: readonly string[]): HTMLElement | undefined {
  for (const selector of selectors) {
    const found = root.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return undefined;
}
