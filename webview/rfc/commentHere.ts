/** A button beside the paragraph under the pointer or the selected words, which opens a comment on them. */
import { t } from '../shared/strings.ts';
import { byHuman } from '../shared/trusted.ts';
import { quoteOf, quoteOfBlock } from './quotes.ts';

interface Here {
  /** Whether comments are possible now. */
  readonly isOn: () => boolean;
  readonly open: (section: string, quote: string) => void;
}

export function offerComments({ isOn, open }: Here): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'comment-here';
  button.hidden = true;
  // Keyboard users have the list in the comment box.
  button.tabIndex = -1;
  document.body.append(button);
  let target = { section: '', quote: '' };

  function place(inside: Element, quote: string, { left, top }: { left: number; top: number }): void {
    const section = inside.closest<HTMLElement>('[data-section]')?.dataset['section'];
    if (section === undefined || quote === '' || !isOn()) return;
    target = { section, quote };
    const label = t('Comment on this');
    button.title = label;
    button.setAttribute('aria-label', label);
    button.style.left = `${String(Math.max(2, Math.round(left + window.scrollX)))}px`;
    button.style.top = `${String(Math.round(top + window.scrollY))}px`;
    button.hidden = false;
  }

  document.addEventListener('pointerover', ({ target: under }) => {
    if (!(under instanceof Element) || selected() !== undefined) return;
    const block = under.closest('.rfc-text > .markdown > *');
    if (block) {
      const { left, top } = block.getBoundingClientRect();
      place(block, quoteOfBlock(block), { left: left - 26, top });
    } else if (under !== button) button.hidden = true;
  });
  document.addEventListener('selectionchange', () => {
    const range = selected();
    if (!range) return;
    const { right, bottom } = range.getBoundingClientRect();
    const inside = range.startContainer.parentElement;
    if (inside) place(inside, quoteOf(range.toString()), { left: right, top: bottom });
  });
  // Keeps the selection during the click.
  button.addEventListener('pointerdown', (event) => {
    event.preventDefault();
  });
  button.addEventListener(
    'click',
    byHuman(() => {
      button.hidden = true;
      document.getSelection()?.removeAllRanges();
      open(target.section, target.quote);
    }),
  );
}

/** The selection, if it is within the text of one section. */
function selected(): Range | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const [start, end] = [range.startContainer, range.endContainer].map((node) =>
    node.parentElement?.closest('.rfc-text > .markdown'),
  );
  return start && start === end ? range : undefined;
}
