/** Adds and removes keys of the team, from the Keys form. Only a root of the team can. */
import * as l10n from '@vscode/l10n';
import { readPastedKey, shownKeysHash } from '../../app/keys/acts.ts';
import { sharedIdOf, onServer } from '../../app/team/servers.ts';
import { readSharedFile } from '../../app/workspace/sharedFile.ts';
import type { Member, RingSigning } from '../../app/team/ring.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { readSharedRing } from '../../app/workspace/sharedRing.ts';
import type { SharedRing } from '../../app/workspace/sharedRing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { KeysMessage } from '../../ui/answer/messages.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import { appendRing } from '../../store/shared/administration.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { refused, unconfirmed } from '../../ui/surface/signedActs.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import type { Logins } from './logins.ts';
import { teamErrorWords } from './serverWords.ts';

/** Ids of the keys that can change the team's ring; none while the ring cannot be used, or without a team. */
export function rootsOf(workspace: Workspace): readonly string[] {
  try {
    return ringOf(workspace)?.roots ?? [];
  } catch {
    return [];
  }
}

function ringOf({ options, stateFile }: Workspace) {
  const shared = readSharedFile(options.fs, stateFile.path);
  return shared && readSharedRing(options.fs, stateFile.path, shared);
}

export interface RingMeans {
  readonly keys: Keys;
  readonly logins: Logins;
}

export interface RingChange extends RingMeans {
  /** The text that the form previews. */
  readonly pasted: string;
}

export async function carryOutRing(
  { keys, logins, pasted }: RingChange,
  { workspace }: OpenFolder,
  { act, what, confirmed, shown }: KeysMessage,
): Promise<Outcome> {
  if (!confirmed) return unconfirmed(act, l10n.t('Changing trusted keys needs a second step.'));
  const candidate = what.do === 'trust' ? readPastedKey(pasted, { passkeys: true }) : null;
  if (shown !== shownKeysHash(workspace.pins(), candidate))
    return refused(act, 'changed', l10n.t('The keys have changed since they were shown. Check them again.'));
  try {
    const { addMember, makeRoot, removeMember } = await import('../../app/team/ring.ts');
    if (what.do === 'trust' && candidate) {
      const { publicKey, passkey } = candidate;
      const member = { publicKey, name: what.called, ...(passkey ? { passkey } : {}) };
      await changeRing({ keys, logins }, workspace, (signing, ring) => addMember(signing, ring, member));
    } else if (what.do === 'makeRoot')
      await changeRing({ keys, logins }, workspace, (signing, ring) => makeRoot(signing, ring, what.keyid));
    else if (what.do === 'takeOut' || what.do === 'giveUpPasskey') {
      const gone = { keyid: what.keyid, upTo: workspace.position()?.position ?? 0 };
      await changeRing({ keys, logins }, workspace, (signing, ring) => removeMember(signing, ring, gone));
    } else return refused(act, 'invalid', l10n.t('The team’s key ring cannot do this.'));
  } catch (error) {
    return refused(act, 'failed', teamErrorWords(error));
  }
  return { type: 'done', act, text: doneWords(what) };
}

/** Adds a passkey of the signer, who is a root. */
export async function addPasskeyToRing(means: RingMeans, workspace: Workspace, member: Member): Promise<void> {
  const { addMember } = await import('../../app/team/ring.ts');
  await changeRing(means, workspace, (signing, ring) => addMember(signing, ring, member));
}

/** @throws AppError, and errors of the server */
async function changeRing(
  { keys, logins }: RingMeans,
  workspace: Workspace,
  change: (signing: RingSigning, ring: SharedRing) => Promise<void>,
): Promise<void> {
  const [ring, id, url] = [ringOf(workspace), sharedIdOf(workspace), await logins.read(workspace)];
  if (url === null || id === null || ring === null)
    throw new AppError('denied', l10n.t('Connect this editor to the team’s server first.'));
  const signer = await keys.signer(workspace);
  await onServer(url, (server) => {
    const append = (record: Uint8Array, after: number) => appendRing(server, id, record, after);
    return change({ signer, now: () => workspace.now(), append }, ring);
  });
  // Opens the connection again, which copies the ring at once.
  workspace.reopen();
  await workspace.confirm(5_000);
}

function doneWords(what: KeysMessage['what']): string {
  switch (what.do) {
    case 'trust':
      return l10n.t('Decisions of {0} are now valid for the team.', what.called);
    case 'makeRoot':
      return l10n.t('This key is a root of the team now.');
    default:
      return l10n.t('Removed.');
  }
}
