/** Images of the workspace in a document: named until a person asks for one, and then sent by the host. */
import { t } from './strings.ts';
import { visibleText } from './visible.ts';

/** What the host says to a wish: the image itself, or why it is not shown. */
export interface SentImage {
  readonly path: string;
  readonly data?: string | undefined;
  readonly problem?: string | undefined;
}

/** Buttons by the path they stand for. */
const asked = new Map<string, Set<HTMLElement>>();
/** What the author calls each. */
const names = new WeakMap<HTMLElement, string>();

export function imageButton(path: string, name: string, show: (path: string) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.classList.add('link', 'image-open');
  button.title = visibleText(path);
  button.textContent = t('text.showImage', { name: visibleText(name === '' ? path : name) });
  names.set(button, visibleText(name === '' ? path : name));
  button.addEventListener('click', (event) => {
    if (!event.isTrusted) return;
    asked.set(path, (asked.get(path) ?? new Set()).add(button));
    show(path);
  });
  return button;
}

/** Puts an image where it was asked for. */
export function placeImage({ path, data, problem }: SentImage): void {
  for (const button of asked.get(path) ?? []) {
    if (data === undefined) {
      const note = document.createElement('span');
      note.className = 'quiet';
      note.textContent = problem ?? '';
      button.replaceWith(note);
    } else {
      const image = document.createElement('img');
      image.className = 'document-image';
      image.src = data;
      image.alt = names.get(button) ?? '';
      button.replaceWith(image);
    }
  }
  asked.delete(path);
}
