/** Decisions of the "Answer" view that only the editor carries out: its key, a team's login, and recovery. */
import * as l10n from '@vscode/l10n';
import { shownKeysHash } from '../../app/keys/acts.ts';
import { recover } from '../../app/recovery/recovery.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import type { Decision } from '../../ui/answer/messages.ts';
import { carryOutKeys, keysChanged, keyScope } from '../../ui/answer/keys.ts';
import { isPasskeyAct } from '../../ui/answer/passkeys.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import type { About, Decidable, EditorDecisions } from '../../ui/answer/decisions.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import { notEnrolled, requireName, signerFor, unconfirmed } from '../../ui/surface/signedActs.ts';
import { information } from '../kit/messages.ts';
import type { CopyKeeper } from '../kit/copyKeeper.ts';
import { carryOutLeave } from '../settings/leave.ts';
import type { Logins } from '../settings/logins.ts';
import { carryOutRing, rootsOf } from '../settings/ring.ts';
import { carryOutShare } from '../settings/share.ts';

interface Means {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly copies: CopyKeeper;
  readonly logins: Logins;
  /** The key text that the Keys form previews. */
  readonly pasted: () => string;
}

type Message<Type extends Decision['type']> = Extract<Decision, { type: Type }>;

export function editorDecisions(means: Means): EditorDecisions {
  return {
    enrol: (message, { folder }) => enrol(means, folder, message),
    keys: (message, { folder }) => changeKeys(means, folder, message),
    share: (message, { folder, view }) => carryOutShare({ ...means, view }, folder, message),
    leaveTeam: (message, { folder }) => carryOutLeave(means, folder, message),
    recover: (message, about) => recoverStore(means, about, message),
  };
}

/** Enrols this editor's key, before which the editor cannot sign. */
async function enrol({ folders, keys }: Means, folder: OpenFolder, message: Message<'enrol'>): Promise<Outcome> {
  const { act, lost, name, shown, confirmed } = message;
  const pinned = folder.workspace.pins();
  // A program may have added a key to the ring since the form was drawn; the click covers only the keys it showed.
  if (shown !== shownKeysHash(pinned, null)) return keysChanged(act);
  if (lost.length > 0 && !confirmed) return unconfirmed(act, l10n.t('Revoking a lost key needs a second step.'));
  await keys.enrolBeside(keyScope(folders, folder, shown), requireName(name), { pinned, lost });
  return { type: 'done', act, text: l10n.t('This editor can decide now.') };
}

async function changeKeys(means: Means, folder: OpenFolder, message: Message<'keys'>): Promise<Outcome> {
  const { folders, keys, pasted } = means;
  const { kind } = await keys.standing(folder.workspace);
  if (kind === 'stranger') throw notEnrolled();
  if (kind === 'first') throw new AppError('denied', l10n.t('This editor has no key yet.'));
  const isOfRing = !isPasskeyAct(message.what) || (message.what.do === 'giveUpPasskey' && (await isRoot(keys, folder)));
  if (folder.workspace.team() !== null && isOfRing)
    return carryOutRing({ ...means, pasted: pasted() }, folder, message);
  return carryOutKeys(keys, keyScope(folders, folder, message.shown), message, pasted());
}

/** Whether this editor's key changes the key ring of the team. */
async function isRoot(keys: Keys, { workspace }: OpenFolder): Promise<boolean> {
  const standing = await keys.standing(workspace);
  return standing.kind === 'enrolled' && rootsOf(workspace).includes(standing.keyid);
}

/** Works without a store, which cannot be opened yet. */
async function recoverStore(means: Means, { folder, view }: About, message: Message<'recover'>): Promise<Outcome> {
  const { act, way, shown, name } = message;
  const { workspace } = folder;
  if (!isConfirmed(view, message)) return unconfirmed(act, l10n.t('Confirm what will be lost first.'));
  const signer = await signerFor(means.keys, workspace, name);
  await recover(workspace, signer, { way, shown, copyFile: means.copies.fileFor(workspace) });
  const text = recovered(way);
  // The form is gone with the fault, so that it could not say this.
  void information(text);
  return { type: 'done', act, text };
}

function recovered(way: Message<'recover'>['way']): string {
  switch (way) {
    case 'restore':
      return l10n.t('Restored. What was held when the copy was made is held again.');
    case 'setAside':
      return l10n.t('Restored without the damaged line. Everything else is as it was.');
    case 'startAnew':
      return l10n.t('Started over. Nothing is held.');
  }
}

/** Whether the human ticked exactly the displayed sentence, or typed the required word. */
function isConfirmed(view: Decidable, message: Message<'recover'>): boolean {
  if (view.type !== 'recovery') return false;
  const way = view[message.way];
  if (way.type !== 'available') return false;
  return message.confirmation === (way.confirm.type === 'tick' ? way.confirm.text : way.confirm.word);
}
