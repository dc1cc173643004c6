/** Images of the workspace in a document: only named until a person requests one, which the host then sends. */
import { t } from './strings.ts';
import { visibleText } from './visible.ts';

/** The host's reply to a request: the image, or why it is not shown. */
export interface SentImage {
  readonly path: string;
  readonly data?: string | undefined;
  readonly problem?: string | undefined;
}

/** Buttons by image path. */
const asked = new Map<string, Set<HTMLElement>>();
/** The author's text for each. */
const names = new WeakMap<HTMLElement, string>();

export function imageButton(path: string, name: string, show: (path: string) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.classList.add('link', 'image-open');
  button.title = visibleText(path);
  button.textContent = t('Show image: {name}', { name: visibleText(name === '' ? path : name) });
  names.set(button, visibleText(name === '' ? path : name));
  button.addEventListener('click', (event) => {
    if (!event.isTrusted) return;
    asked.set(path, (asked.get(path) ?? new Set()).add(button));
    show(path);
  });
  return button;
}

/** Inserts an image where it was requested. */
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
