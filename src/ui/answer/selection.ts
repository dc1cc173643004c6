/** The item in the "Answer" view, and the one that its reader came from. */
import { isWaiting } from '../../core/state/state.ts';
import type { Folders } from '../kit/folders.ts';
import { workspaceForm } from '../surface/workspaceForms.ts';

export type Selection = ReturnType<typeof createSelection>;

/** @param changed called when another item is selected */
export function createSelection(folders: Folders, changed: () => void = () => undefined) {
  let selected: string | null = null;
  /** The selection before a form about several questions replaced it. */
  let before: string | null = null;
  let pasted = '';

  const isWide = (key: string | null) => workspaceForm(folders.find(key ?? '')?.id ?? '') !== null;

  function select(key: string | null): void {
    if (isWide(key)) before = isWide(selected) ? before : selected;
    else before = null;
    const isOther = key !== selected;
    selected = key;
    pasted = '';
    if (isOther) changed();
  }

  /** The form of this key decided these: back to the one the reader came from, else the last of them. */
  function leaveDecided(key: string, ids: readonly string[]): void {
    const found = folders.find(key);
    const keys = found ? ids.map((id) => folders.keyOf(found.folder, id)) : [];
    // A draw that found nothing left to decide may have gone back already.
    const from = isWide(selected) ? before : selected;
    select(keys.find((one) => one === from) ?? keys.at(-1) ?? before);
  }

  function isOpen(key: string | null): boolean {
    const found = key === null ? null : folders.find(key);
    const { state } = found?.folder.workspace.standing() ?? { state: null };
    if (!found) return false;
    // A store that cannot be read is not settled: its recovery options stay.
    if (!state) return true;
    const question = state.questions.get(found.id);
    return (
      isWide(key) ||
      state.rfcs.has(found.id) ||
      state.requests.has(found.id) ||
      (question !== undefined && isWaiting(question))
    );
  }

  return {
    /** Null selects the first waiting item. */
    key: () => selected,
    select,
    /** Keeps the displayed item: neither a more urgent arrival nor its own answer replaces it. */
    stay(key: string): void {
      selected = key;
    },
    /** From a form about several questions back to the previous one. */
    back(): void {
      select(before);
    },
    leaveDecided,
    /** The view is hidden; a settled item is not shown again. */
    hide(): void {
      if (!isOpen(selected)) selected = null;
    },
    /** A public key pasted into the Keys form for preview. */
    pasted: () => pasted,
    paste(text: string): void {
      pasted = text;
    },
  };
}
