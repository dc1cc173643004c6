/** After a tool call: which held files it changed. Nothing can be stopped any more; the agent reads how to restore them. */
import path from 'node:path';
import { baselineFolder } from '../app/hold/baseline.ts';
import { lookAtHeld } from '../app/hold/lookAtHeld.ts';
import { takeBaselines } from '../app/hold/takeBaselines.ts';
import { openWorkspace } from '../app/workspace/workspace.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import type { HookAnswer } from '../hosts/call.ts';
import { findStore } from '../store/journal/findStore.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import { heldChangesText } from '../tools/kit/heldChangeTexts.ts';
import { endedCall } from './calls.ts';
import type { Surroundings } from './surroundings.ts';
import type { Asked } from './withoutAsking.ts';

const nothing: HookAnswer = { kind: 'nothing' };

export async function afterCall(surroundings: Surroundings, folder: string, { call }: Asked): Promise<HookAnswer> {
  const { root } = findStore(surroundings.fs, userFolder(surroundings), folder);
  if (!surroundings.fs.existsSync(path.resolve(baselineFolder(root)))) return nothing;
  const ended = endedCall(surroundings, call);
  const workspace = openWorkspace({ ...surroundings, folder });
  try {
    const found = await lookAtHeld(workspace, ended);
    await takeBaselines(workspace);
    const text = textOf(workspace, found);
    return text === null ? nothing : { kind: 'context', text };
  } finally {
    workspace.close();
  }
}

/** What a look found, for the agent; null for nothing. */
export function textOf(workspace: Workspace, found: Awaited<ReturnType<typeof lookAtHeld>>): string | null {
  const { state } = workspace.standing();
  const text = state && heldChangesText(state, found);
  return text === null ? null : `Holdpoint: ${text}`;
}
