/** When a human is notified that held files were changed: once each time that a change was noted. */
import { holderOf, type Holder } from '../hold/holds.ts';
import type { Interruption } from '../kit/words.ts';
import { isChanged, type HeldFiles } from '../state/heldChanges.ts';
import { interruptionAsCritical } from '../state/interruptions.ts';
import type { State } from '../state/state.ts';

export interface HeldChangeNotice {
  readonly holder: Holder;
  readonly files: HeldFiles;
  /** Equal in every window, and new after a later change: `Q-5-changed-1772452800000`. */
  readonly name: string;
  /** When the latest change was noted (ISO 8601). */
  readonly at: string;
  readonly how: Interruption;
}

/** One for each question and RFC with changes that no human has accepted. */
export function heldChangeNotices(state: State): HeldChangeNotice[] {
  return [...state.heldFiles].flatMap(([id, files]) => {
    const holder = isChanged(files) ? holderOf(state, id) : undefined;
    if (!holder) return [];
    const { changes, lost } = files;
    const at = [...changes, ...(lost ? [lost] : [])].reduce((last, one) => (one.at > last ? one.at : last), '');
    const name = `${id}-changed-${String(Date.parse(at))}`;
    return [{ holder, files, name, at, how: interruptionAsCritical(state, holder) }];
  });
}
