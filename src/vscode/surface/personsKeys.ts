/** Keys of a remote window: the person's own, on their side, if the extension Holdpoint Signer is there. */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import * as vscode from 'vscode';
import type { Signing } from '../../app/decision/decisions.ts';
import { enrolEditor, replaceLost, shownKeys } from '../../app/keys/acts.ts';
import type { KeyScope } from '../../app/keys/acts.ts';
import { enrolKey } from '../../app/keys/enrolment.ts';
import { signOnPersonsSide } from '../../app/personsSide/signing.ts';
import type { PersonsSideContext } from '../../app/personsSide/signing.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { SignerKey } from '../../protocol/kit/signing.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { personsKey, signThere } from '../kit/personsSide.ts';
import { withStore } from './actsElsewhere.ts';
import { idsOfCounting } from './knownKeys.ts';
import type { Keys, SignerStanding } from './signer.ts';

/** The same keys, replaced by the one on the person's side wherever that exists. */
export function withPersonsSide(own: Keys): Keys {
  const either = async <T>(theirs: (key: SignerKey) => T | Promise<T>, ours: () => Promise<T>): Promise<T> => {
    const key = await personsKey();
    return key ? theirs(key) : ours();
  };
  const enrol = async (
    key: SignerKey,
    workspace: Workspace,
    name: string,
    others: readonly string[] = [],
  ): Promise<void> => {
    enrolKey(workspace, Buffer.from(key.publicKey, 'base64'), name);
    await own.begin(workspace, [key.keyid, ...others]);
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
    enrolBeside: (scope, name, others) =>
      either(
        async (key) => {
          const { pinned, lost } = others;
          await enrol(key, scope.workspaces[0], name, idsOfCounting(pinned));
          await recordEnrolment(scope, { key, lost, known: [shownKeys(pinned, null)] });
        },
        () => own.enrolBeside(scope, name, others),
      ),
    rotate: (scope) => either(oneKey, () => own.rotate(scope)),
    signer: (workspace) => either(notSigned, () => own.signer(workspace)),
    strangers: own.strangers,
    know: own.know,
    begin: own.begin,
    async elsewhere(workspace) {
      const key = await personsKey();
      return key && { pin: pinOf(key, workspace) ?? null, sign: (items) => signThere(key.keyid, items) };
    },
  };
}

interface Enrolment {
  readonly key: SignerKey;
  /** Ids of the keys that it replaces. */
  readonly lost: readonly string[];
  readonly known: readonly object[];
}

/**
 * The journal's record of it, signed by the new key: in this workspace, as each one takes a click.
 * @throws AppError
 */
async function recordEnrolment({ workspaces: [workspace], shown }: KeyScope, enrolment: Enrolment): Promise<void> {
  const { key, lost, known } = enrolment;
  const pin = pinOf(key, workspace);
  if (!pin) return;
  const done = { yet: false };
  const act = async ({ store, signer }: Signing): Promise<true> => {
    const scope = { workspaces: [withStore(workspace, store)], shown } as const;
    if (lost.length === 0) await enrolEditor(scope, signer, pin);
    else await replaceLost(scope, signer, pin, lost);
    return (done.yet = true);
  };
  const sign: PersonsSideContext['sign'] = (items) => signThere(key.keyid, items);
  const store = await workspace.store();
  try {
    if (await signOnPersonsSide({ store, newId: randomUUID, pin, sign, known }, act)) return;
  } catch (error) {
    // No journal had to be changed.
    if (done.yet) return;
    throw error;
  }
  if (lost.length > 0)
    throw new AppError('denied', vscode.l10n.t('Not signed: your key was added, and no key was revoked.'));
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

function oneKey(): never {
  const text = vscode.l10n.t(
    'Your key is on your own machine. To replace it, run “Holdpoint Signer: Make a New Key…”. The form of the next question then asks whether the old key is lost.',
  );
  throw new AppError('denied', text);
}

function notSigned(): never {
  const text = vscode.l10n.t(
    'Holdpoint Signer cannot show you what this signs. Do it in a window that works on the machine itself, with an editor whose key counts there.',
  );
  throw new AppError('denied', text);
}
