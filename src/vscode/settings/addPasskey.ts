/**
 * "Add a Passkey…": a human types the code that the page of `holdpoint serve` shows, looks at the passkey that
 * has it, and this editor's key signs it in. Programs can offer passkeys; only a typed code picks one.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  addPasskey,
  dropPasskeyOffer,
  offerCode,
  type PasskeyOffer,
  pinOf,
  readPasskeyOffers,
  shownKeysHash,
} from '../../app/keys/acts.ts';
import type { PasskeyPin } from '../../app/decision/passkey.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { fingerprintOf, formatPublicKey } from '../../trust/publicKeys.ts';
import { commandWithFailures, information, withoutIcons } from '../kit/messages.ts';
import type { Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { chooseFolder } from '../kit/folders.ts';
import { type Logins, addPasskeyToRing, rootsOf } from './team.ts';
import { keyScope } from '../../ui/answer/keys.ts';

export interface AddPasskeyOptions {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly logins: Logins;
}

export function registerAddPasskey({ folders, keys, logins }: AddPasskeyOptions): Closable {
  return commandWithFailures(ids.commands.addPasskey, async (key) => {
    const named = typeof key === 'string' ? folders.find(key)?.folder : undefined;
    const folder = named ?? (await chooseFolder(folders, l10n.t('Add a passkey in which folder?')));
    if (folder) await add({ folders, keys, logins }, folder);
  });
}

async function add({ folders, keys, logins }: AddPasskeyOptions, folder: OpenFolder): Promise<void> {
  const { workspace } = folder;
  requireChangeableKeys(folder);
  const standing = await keys.standing(workspace);
  if (standing.kind !== 'enrolled')
    throw new AppError('denied', l10n.t('This editor cannot sign here yet. Answer one question first.'));
  const offer = await askForCode(folder);
  if (!offer) return;
  const { label, origin } = offer.passkey;
  const detail = l10n.t('It signs decisions as {0} from then on, at {1}.', standing.name, origin);
  const yes = { label: l10n.t('Add passkey'), detail: withoutIcons(detail) };
  const no = { label: l10n.t('Cancel') };
  const title = l10n.t('Add the passkey “{0}”?', label);
  const placeHolder = l10n.t('Add it only if you have just made it on that page.');
  const picked = await vscode.window.showQuickPick([no, yes], { title, placeHolder, ignoreFocusOut: true });
  if (picked === no) dropPasskeyOffer(workspace, offer);
  if (picked !== yes) return;
  const pin = pinOf(offer, standing.name, label);
  const shown = shownKeysHash(workspace.pins(), { ...pin, enrolledAt: workspace.now() });
  if (workspace.team() !== null) {
    if (!rootsOf(workspace).includes(standing.keyid)) return propose(folder, pin);
    await addPasskeyToRing({ keys, logins }, workspace, pin);
  }
  const added = await addPasskey(keyScope(folders, folder, shown), await keys.signer(workspace), pin);
  await keys.know(workspace, pin.keyid);
  // The key ring has changed, even where the journal has not.
  workspace.changed();
  void information(
    added === 'added'
      ? l10n.t('The passkey “{0}” can decide from now on.', label)
      : l10n.t(
          'The passkey “{0}” was added. The policy requires passkeys, so it can decide once another passkey has confirmed it.',
          label,
        ),
  );
}

/** A root adds it to the team's ring, and then its human confirms it in the Keys form. */
async function propose({ workspace }: OpenFolder, pin: Omit<PasskeyPin, 'enrolledAt'>): Promise<void> {
  await vscode.env.clipboard.writeText(formatPublicKey(pin));
  const roots = workspace.team()?.roots ?? [];
  const fingerprint = fingerprintOf(pin.keyid);
  void information(
    l10n.t(
      'The passkey is in the clipboard. Send it to {0}, who adds it in “Holdpoint: You and Your Devices…” after comparing its fingerprint ({1}) with you. Then confirm it there.',
      roots.join(', '),
      fingerprint,
    ),
  );
}

/** @throws AppError where an administrator manages the keys */
function requireChangeableKeys({ workspace }: OpenFolder): void {
  if (workspace.managedPins() !== null)
    throw new AppError('denied', l10n.t('An administrator manages the keys of this machine.'));
}

async function askForCode({ workspace }: OpenFolder): Promise<PasskeyOffer | undefined> {
  const found = (typed: string) =>
    readPasskeyOffers(workspace).find((offer) => plainCode(offerCode(offer)) === plainCode(typed));
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Add a Passkey'),
    prompt: l10n.t('Choose “Add a passkey” on the page of “holdpoint serve”, then type the code that it shows.'),
    placeHolder: 'ABCDE-12345',
    ignoreFocusOut: true,
    validateInput: (value) =>
      plainCode(value).length < 10 || found(value)
        ? undefined
        : l10n.t('No passkey of the last five minutes has this code.'),
  });
  return typed === undefined ? undefined : found(typed);
}

/** Without the dash, spaces and case. */
function plainCode(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}
