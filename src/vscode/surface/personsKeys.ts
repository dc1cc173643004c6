/** Keys of a remote window: the person's own, on their side, if the extension Holdpoint Signer is there. */
import os from 'node:os';
import * as vscode from 'vscode';
import { enrolKey, retireKeys } from '../../app/keys/enrolment.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { SignerKey } from '../../protocol/kit/signing.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { personsKey, signThere } from '../kit/personsSide.ts';
import type { Keys, SignerStanding } from './signer.ts';

/** The same keys, replaced by the one on the person's side wherever that exists. */
export function withPersonsSide(own: Keys): Keys {
  const either = async <T>(theirs: (key: SignerKey) => T | Promise<T>, ours: () => Promise<T>): Promise<T> => {
    const key = await personsKey();
    return key ? theirs(key) : ours();
  };
  const enrol = async (key: SignerKey, workspace: Workspace, name: string): Promise<void> => {
    enrolKey(workspace, Buffer.from(key.publicKey, 'base64'), name);
    await own.know(workspace, key.keyid);
  };
  return {
    standing: (workspace) =>
      either(
        (key) => standingOf(key, workspace),
        () => own.standing(workspace),
      ),
    own: () => either<SignerKey | null>((key) => key, own.own),
    make: () => either<SignerKey>((key) => key, own.make),
    enrol: (workspace, name) =>
      either(
        (key) => enrol(key, workspace, name),
        () => own.enrol(workspace, name),
      ),
    enrolBeside: (scope, name, lost) =>
      either(
        async (key) => {
          const [workspace] = scope.workspaces;
          const shown = workspace.pins().map(({ keyid }) => keyid);
          await enrol(key, workspace, name);
          for (const keyid of shown) await own.know(workspace, keyid);
          // In the key ring of this machine only: the journal's record of it would need a signature.
          if (lost.length > 0) retireKeys(workspace, lost, 'lost');
        },
        () => own.enrolBeside(scope, name, lost),
      ),
    rotate: (scope) => either(notSigned, () => own.rotate(scope)),
    signer: (workspace) => either(notSigned, () => own.signer(workspace)),
    strangers: own.strangers,
    know: own.know,
    async elsewhere(workspace) {
      const key = await personsKey();
      return key && { pin: pinOf(key, workspace) ?? null, sign: (items) => signThere(key.keyid, items) };
    },
  };
}

function pinOf({ keyid }: SignerKey, workspace: Workspace): PinnedKey | undefined {
  return workspace.pins().find((pin) => pin.keyid === keyid && !pin.retired);
}

function standingOf(key: SignerKey, workspace: Workspace): SignerStanding {
  const pin = pinOf(key, workspace);
  const managed = workspace.managedPins();
  const team = workspace.team();
  if (pin) return { kind: 'enrolled', name: pin.name, keyid: pin.keyid, managed, team };
  const pinned = workspace.pins();
  const suggestedName = os.userInfo().username;
  if (pinned.length === 0 && managed === null && team === null) return { kind: 'first', suggestedName };
  return { kind: 'stranger', suggestedName, pinned, managed, team };
}

function notSigned(): never {
  const text = vscode.l10n.t(
    'Holdpoint Signer does not sign this: it signs decisions on questions, and the policy. Without it, this window signs with a key on the remote machine.',
  );
  throw new AppError('denied', text);
}
