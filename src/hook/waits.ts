/** Notes what the session's context is, for the tool that is about to wait for a human. Best effort: it never denies. */
import type { HookCall } from '../hosts/call.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import type { Surroundings } from './surroundings.ts';
import type { Asked } from './withoutAsking.ts';

const waiting = /holdpoint_(?:raise_question|await_answer|park_question)$/;

/** Whether the call may begin a wait, in a session that has a transcript. */
export function mayWait({ tool, transcript }: HookCall): boolean {
  return transcript !== null && tool?.own === true && waiting.test(tool.name);
}

export async function noteContextOf(surroundings: Surroundings, { adapter, call }: Asked): Promise<void> {
  const { tool, transcript } = call;
  const name = waiting.exec(tool?.name ?? '')?.[0];
  if (!tool || name === undefined || transcript === null) return;
  try {
    const [{ contextIn }, { noteContext }] = await Promise.all([
      import('../hosts/transcript/read.ts'),
      import('../app/waiting/contextNote.ts'),
    ]);
    const { fs, clock, newId } = surroundings;
    const use = contextIn(fs, adapter.host, transcript);
    if (use) noteContext({ fs, clock, userFolder: userFolder(surroundings) }, { name, input: tool.input }, use, newId);
  } catch {
    // The cost of the wait is unknown.
  }
}
