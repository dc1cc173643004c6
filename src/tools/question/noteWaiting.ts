/** Notes the agent's context with the questions and RFCs that a call is about to wait for, if its host says what it is. */
import { noteWait } from '../../app/question/waitNotes.ts';
import type { ToolContext } from '../kit/tool.ts';

/** @param forMs milliseconds that the call may wait; Infinity where the agent ends its turn */
export async function noteWaiting(
  { workspace, session, used, later }: ToolContext,
  ids: readonly string[],
  forMs: number,
): Promise<void> {
  if (!used || forMs <= 0) return;
  const store = await workspace.store();
  const noted = noteWait(store, session, { ids, forMs, used });
  // In a shared journal, it takes a round trip.
  if (store.read().state.shared && later) later(noted);
  else await noted;
}
