/** After a tool call: which held files it changed. Nothing can be stopped any more; the agent reads how to restore them. */
import { lookAtHeld, type Found } from '../app/hold/lookAtHeld.ts';
import { baselinesAtOnce, takeBaselines } from '../app/hold/takeBaselines.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import type { HookAnswer } from '../hosts/call.ts';
import { heldChangesText } from '../tools/kit/gateText.ts';
import { endedCall, noteStart, unreadChanges } from './notes.ts';
import { withStore } from './machine.ts';
import { isKnownStore, watchedStores } from './sessionStores.ts';
import { type Asked, inTime, type Surroundings } from './surroundings.ts';

/** For what is recorded, while a team's server may not answer. */
const eachMs = 1_500;
const nothing: HookAnswer = { kind: 'nothing' };

/** @param folder null for an administrator's rules */
export async function afterCall(
  surroundings: Surroundings,
  folder: string | null,
  asked: Asked,
  isLate: () => boolean = () => false,
): Promise<HookAnswer> {
  const stores = watchedStores(surroundings, folder, asked);
  if (stores.length === 0) return nothing;
  const ended = endedCall(surroundings, asked.call);
  const texts: string[] = [];
  for (const location of stores) {
    const text = await withStore(surroundings, location, async (workspace) => {
      // First what changed; what there is no time for is done by a later call.
      const found = await lookAtHeld(workspace, ended, (recorded) => inTime(recorded, eachMs), isLate);
      if (!isLate()) await inTime(takeBaselines(workspace, baselinesAtOnce), eachMs);
      return textOf(workspace, unreadChanges(workspace, { session: asked.call.session, when: 'call' }, found));
    });
    if (text !== null) texts.push(text);
  }
  return texts.length === 0 ? nothing : { kind: 'context', text: texts.join('\n') };
}

/** For an administrator's hook: remembers when a call begins, if a store has something to look at afterwards. */
export function noteWatched(surroundings: Surroundings, asked: Asked): void {
  if (watchedStores(surroundings, null, asked).some((one) => isKnownStore(surroundings, one)))
    noteStart(surroundings, asked.call);
}

/** What a look found, for the agent; null for nothing. */
export function textOf(workspace: Answering, found: readonly Found[]): string | null {
  const { state } = workspace.current();
  const text = state && heldChangesText(state, found);
  return text === null ? null : `Holdpoint: ${text}`;
}
