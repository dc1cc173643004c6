/** Which item the view "Answer" shows, and where its reader came from. */
import { isWaiting } from '../../core/state/state.ts';
import type { Folders } from '../kit/folders.ts';
import { workspaceForm } from '../surface/workspaceForms.ts';

export interface Selection {
  /** Null: what waits first. */
  key(): string | null;
  select(key: string | null): void;
  /** What is on the screen stays there: neither a more urgent arrival nor its own answer moves it away. */
  stay(key: string): void;
  /** From a form about more than one question to what was shown before. */
  back(): void;
  /** After all questions of an agent were released: the one the reader came from, else the latest of them. */
  leaveReleased(key: string): void;
  /** Nobody is looking: what is over is not shown again. */
  hide(): void;
  /** A public key that was pasted into the form of keys, for a look at it. */
  pasted(): string;
  paste(text: string): void;
}

export function createSelection(folders: Folders): Selection {
  let selected: string | null = null;
  /** What was selected before a form about more than one question took its place. */
  let before: string | null = null;
  let pasted = '';

  const isWide = (key: string | null) => workspaceForm(folders.find(key ?? '')?.id ?? '') !== null;

  function select(key: string | null): void {
    if (isWide(key)) before = isWide(selected) ? before : selected;
    else before = null;
    selected = key;
    pasted = '';
  }

  function isOpen(key: string | null): boolean {
    const found = key === null ? null : folders.find(key);
    const { state } = found?.folder.workspace.standing() ?? { state: null };
    if (!found || !state) return isWide(key);
    const question = state.questions.get(found.id);
    return isWide(key) || state.requests.has(found.id) || (question !== undefined && isWaiting(question));
  }

  return {
    key: () => selected,
    select,
    stay(key) {
      selected = key;
    },
    back() {
      select(before);
    },
    leaveReleased(key) {
      const released = releasedKeys(folders, key);
      select(released.find((one) => one === before) ?? released.at(-1) ?? before);
    },
    hide() {
      if (!isOpen(selected)) selected = null;
    },
    pasted: () => pasted,
    paste(text) {
      pasted = text;
    },
  };
}

/** Of the agent whose form the key names: its released questions, the latest last. */
function releasedKeys(folders: Folders, key: string): string[] {
  const found = folders.find(key);
  const form = workspaceForm(found?.id ?? '');
  const { state } = found?.folder.workspace.standing() ?? { state: null };
  if (!found || !state || form?.kind !== 'releaseAll') return [];
  return [...state.questions.values()]
    .filter(({ asker, resolution }) => asker.id === form.agent && resolution?.how === 'released')
    .sort((a, b) => (a.resolution?.at ?? '').localeCompare(b.resolution?.at ?? ''))
    .map(({ id }) => folders.keyOf(found.folder, id));
}
