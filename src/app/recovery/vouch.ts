/** If an administrator manages the keys, programs start only from saved states that an editor has signed. */
import type { SnapshotEntry } from '../../store/journal/stateFile.ts';
import { isVouchedFor, vouchingBytes } from '../../trust/envelope.ts';
import type { KeySigner } from '../decision/signer.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Whether the newest saved state still needs an editor's signature. */
export function needsVouching(workspace: Workspace): boolean {
  if (workspace.managedPins() === null) return false;
  const { snapshot = null, vouched = null } = workspace.stateFile.read() ?? {};
  if (!snapshot) return false;
  return vouched?.stateHash !== snapshot.stateHash || !isVouchedFor(vouched, workspace.pins());
}

/** @param saved a saved state that was compared with the journal */
export function vouchFor(workspace: Workspace, saved: SnapshotEntry, { keyid, sign }: KeySigner): void {
  const sig = Buffer.from(sign(vouchingBytes(saved))).toString('base64');
  workspace.stateFile.vouch({ ...saved, vouched: { keyid, sig } });
}
