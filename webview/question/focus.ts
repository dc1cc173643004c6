/** Puts the keyboard at a place or a field. Never on a button that decides. */

/** Where the reader begins: the first choice, the text, or what else the form has. */
const starts = [
  '[data-focus="hours"]:not(:disabled)',
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

export function grantFocus(root: HTMLElement, place: string | undefined): void {
  if (place === undefined) return;
  const target = place === 'form' ? first(root, starts) : first(root, [...selectorsOf(place), ...starts]);
  if (!target) return;
  // A newly opened form is read from the top, so it is not scrolled to the focused field.
  target.focus({ preventScroll: place === 'form' });
  // What went wrong is seen with the field that has the keyboard.
  if (place !== 'form') root.querySelector('.hint, .notice-error')?.scrollIntoView({ block: 'nearest' });
}

function selectorsOf(place: string): string[] {
  // What comes next is harmless: it may be a button.
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
