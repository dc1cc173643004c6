/** The forms for keys: their view models and acts. */
import { isPasskey } from '../../app/decision/passkey.ts';
import { fingerprintOf, formatPublicKey } from '../../trust/publicKeys.ts';
import * as l10n from '@vscode/l10n';
import { AppError } from '../../app/workspace/errors.ts';
import {
  readPastedKey,
  shownKeysHash,
  takeOut,
  trustKey,
  type KeyScope,
  confirmPasskey,
  confirmProblem,
  giveUpPasskey,
  lastSigned,
  listedPasskeys,
  renamePasskey,
} from '../../app/keys/acts.ts';
import type { Outcome, ViewOf } from '../kit/view.ts';
import type { Decision, KeyAct } from './messages.ts';
import type { View } from '../../store/store.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { errorWords } from '../kit/problemWords.ts';
import { refusedOutcome } from '../surface/signedActs.ts';
import {
  notInTeam,
  teamKeys,
  signsWithPasskey,
  type Keys,
  type PublicKey,
  type SignerStanding,
} from '../surface/standing.ts';
import { formHead, formKey, optionalField, type FormOptions } from '../surface/workspaceForms.ts';
import { isOnOtherMachine, program } from '../kit/program.ts';
import { randomUUID } from 'node:crypto';
import type { Workspace } from '../../app/workspace/workspace.ts';

/** The keys whose decisions are valid here. */
export type KeysView = ViewOf<Awaited<ReturnType<typeof keysModel>>>;
/** This editor has no trusted signing key, and others do: one trusted click adds its key. */
export type EnrolView = ViewOf<ReturnType<typeof enrolModel>>;

export interface KeysModelOptions extends FormOptions {
  readonly keys: Pick<Keys, 'strangers'>;
  /** Ids of the keys that can change the key ring of the team that shares the workspace. */
  readonly rootsOf: (workspace: OpenFolder['workspace']) => readonly string[];
  /** Pasted text to preview; empty for none. */
  readonly pasted: string;
  /** Where a phone adds its passkey, and the squares of its QR code as the path of an SVG; null where no phone can. */
  readonly phone: () => Promise<{ readonly link: string; readonly size: number; readonly squares: string } | null>;
}

export async function keysModel(options: KeysModelOptions) {
  const { folders, folder, keys, view, standing, pasted, phone, rootsOf } = options;
  const { workspace } = folder;
  const pins = workspace.pins();
  const strangers = await keys.strangers(workspace);
  const mine = standing.kind === 'enrolled' ? standing.keyid : null;
  const own = pins.find(({ keyid }) => keyid === mine);
  const looked = pasted === '' ? null : look(pasted, pins, workspace.team() !== null);
  const candidate = looked && 'key' in looked ? looked.key : null;
  const managed = workspace.managedPins();
  const roots = rootsOf(workspace);
  const isRoot = roots.includes(mine ?? '');
  const team = standing.kind === 'first' ? null : standing.team;
  const isShared = view.state.shared !== null && workspace.team() !== null;
  return {
    ...formHead(options, 'keys', { shown: shownKeysHash(pins, candidate) }),
    // This editor's key; absent until its first decision creates it.
    ...optionalField('own', own && { ...face(own), since: own.enrolledAt, publicLine: formatPublicKey(own) }),
    others: pins
      .filter((pin) => !pin.retired && pin.keyid !== mine && !isPasskey(pin))
      .map((pin) => ({
        keyid: pin.keyid,
        ...face(pin),
        at: pin.enrolledAt,
        // It was not added through a form of this editor.
        stranger: strangers.has(pin.keyid),
        // It adds and removes keys of the team.
        root: roots.includes(pin.keyid),
      })),
    passkeys: passkeyRows({ workspace, view, standing, strangers, isRoot }),
    addsPasskeys: addsPasskeys(workspace, standing),
    ...optionalField('phone', await phone()),
    // A browser shows it, where passkeys confirm others; all else is done in the editor.
    inBrowser: signsWithPasskey(standing),
    retired: pins
      .flatMap((pin) => (pin.retired ? { ...face(pin), at: pin.retired.at, why: pin.retired.why } : []))
      .sort((a, b) => b.at.localeCompare(a.at)),
    // The pasted key, for review, or why it cannot be trusted.
    ...optionalField('candidate', candidate && candidateOf(candidate)),
    ...optionalField('problem', looked && 'why' in looked ? looked.why : null),
    // The administrator or a team manages the keys: nothing can be changed here.
    ...optionalField('managed', team && !isRoot ? teamKeys(team) : managed === null ? null : managedWords(managed)),
    // The keys are those of a team, and this editor's is a root: it adds and removes, but cannot be replaced.
    team: team !== null && isRoot,
    onlyRoot: team !== null && isRoot && roots.length === 1,
    ...optionalField('remote', remoteWords()),
    sharing: { form: formKey(folders, folder, isShared ? 'leave' : 'share'), isShared },
  };
}

interface EnrolOptions {
  readonly standing: Extract<SignerStanding, { kind: 'stranger' }>;
  readonly own: PublicKey | null;
  readonly render: string;
}

/** The form of an editor that cannot sign here. */
export function enrolModel(folders: Folders, folder: OpenFolder, { standing, own, render }: EnrolOptions) {
  const { suggestedName: name, managed, team } = standing;
  const pinned = standing.pinned.filter(({ retired }) => !retired);
  return {
    type: 'enrol' as const,
    key: formKey(folders, folder, 'enrol'),
    shown: shownKeysHash(standing.pinned, null),
    render,
    name,
    pinned: pinned.map((pin) => ({ keyid: pin.keyid, ...face(pin), at: pin.enrolledAt })),
    // Only the administrator, or a root of the team, can add this editor's key.
    ...optionalField('managed', managed === null ? null : managedWords(managed)),
    ...optionalField('team', team && notInTeam(team)),
    ...optionalField('publicLine', (managed ?? team) === null ? null : own && formatPublicKey({ ...own, name })),
    ...optionalField('remote', remoteWords()),
  };
}

/** This editor's public key, for a teammate or an administrator; creates the key if needed. */
export async function publicLine({ workspace }: OpenFolder, keys: Keys): Promise<string> {
  const own = await keys.make();
  const standing = await keys.standing(workspace);
  return formatPublicKey({ ...own, name: standing.kind === 'enrolled' ? standing.name : standing.suggestedName });
}

/** The machine that uses the key, if it is not this one. */
function remoteWords(): string | null {
  if (!isOnOtherMachine()) return null;
  return l10n.t(
    'Your key is on the remote machine ({0}), next to your agents. Programs running as you there could sign for you.',
    program().remoteName ?? '',
  );
}

/**
 * Carries out an act from the Keys form.
 * @param pasted the text previewed in the displayed form
 */
export async function carryOutKeys(
  keys: Keys,
  scope: KeyScope,
  message: Extract<Decision, { type: 'keys' }>,
  pasted: string,
): Promise<Outcome> {
  const { act, what, shown } = message;
  const [workspace] = scope.workspaces;
  const looked = what.do === 'trust' ? look(pasted, workspace.pins(), false) : null;
  const candidate = looked && 'key' in looked ? looked.key : null;
  if (shown !== shownKeysHash(workspace.pins(), candidate)) return keysChanged(act);
  if (what.do === 'rename') {
    await keys.enrol(workspace, what.label);
    return { type: 'done', act, text: l10n.t('You answer as {0} now.', what.label) };
  }
  const signer = await keys.signer(workspace);
  if (isPasskeyAct(what)) return carryOutPasskey(keys, scope, { act, what });
  switch (what.do) {
    case 'rotate':
      await keys.rotate(scope);
      return { type: 'done', act, text: l10n.t('This editor signs with a new key now.') };
    case 'trust': {
      if (!candidate) throw new AppError('conflict', l10n.t('Paste the key again.'));
      await trustKey(scope, signer, candidate, what.called);
      await keys.know(workspace, candidate.keyid);
      return { type: 'done', act, text: l10n.t('Decisions of {0} are now valid here.', what.called) };
    }
    case 'takeOut': {
      const isStranger = (await keys.strangers(workspace)).has(what.keyid);
      await takeOut(scope, signer, what.keyid, isStranger);
      return { type: 'done', act, text: l10n.t('Removed.') };
    }
    case 'makeRoot':
      throw new AppError('bad_input', l10n.t('Only a team has team owner keys.'));
    case 'keep': {
      const pin = workspace.pins().find(({ keyid, retired }) => keyid === what.keyid && !retired);
      if (!pin) throw new AppError('conflict', l10n.t('This key is no longer trusted.'));
      await trustKey(scope, signer, pin, pin.name);
      await keys.know(workspace, pin.keyid);
      return { type: 'done', act, text: l10n.t('Decisions of {0} are now valid here.', pin.name) };
    }
  }
}

export function keysChanged(act: string): Outcome {
  return refusedOutcome(act, 'changed', l10n.t('The keys have changed since they were shown. Check them again.'));
}

/** The stores of all folders, the form's own first: one key serves all of them. The sample has its own key. */
export function keyScope(folders: Folders, folder: OpenFolder, shown: string): KeyScope {
  const others = folders.all.includes(folder) ? folders.stores.map(([{ workspace }]) => workspace) : [];
  const { root } = folder.workspace.location;
  return {
    workspaces: [folder.workspace, ...others.filter(({ location }) => location.root !== root)],
    shown,
  };
}

function look(pasted: string, pins: readonly PinnedKey[], passkeys: boolean): { key: PinnedKey } | { why: string } {
  try {
    const key = readPastedKey(pasted, { passkeys });
    const known = pins.find(({ keyid }) => keyid === key.keyid);
    if (!known) return { key };
    return {
      why: known.retired
        ? l10n.t('This key was removed and cannot be added again. Ask for a new one.')
        : l10n.t('This key is already trusted, as the key of {0}.', known.name),
    };
  } catch (error) {
    if (error instanceof AppError) return { why: errorWords(error) };
    throw error;
  }
}

function candidateOf(key: PinnedKey) {
  const { label, origin } = key.passkey ?? {};
  return {
    name: keyLabel(key),
    fingerprint: fingerprintOf(key.keyid),
    // What its human calls it, and where it signs.
    ...optionalField('passkey', label === undefined || origin === undefined ? null : { label, origin }),
  };
}

/** Uses the id as the name of a key that was pasted without one. */
function keyLabel({ keyid, name }: PinnedKey): string {
  return keyid.startsWith(name) ? '' : name.slice(0, 100);
}

function face({ keyid, name }: PinnedKey): { name: string; fingerprint: string } {
  return { name, fingerprint: fingerprintOf(keyid) };
}

function managedWords(file: string): string {
  return l10n.t(
    'The keys trusted on this machine are in {0}, which only its administrator can change. Keys cannot be added or removed here.',
    file,
  );
}

// Passkeys in the Keys form: the rows, and the acts on one of them.

export type PasskeyAct = Extract<KeyAct, { do: `${string}Passkey` }>;

export function isPasskeyAct(what: KeyAct): what is PasskeyAct {
  return what.do === 'renamePasskey' || what.do === 'giveUpPasskey' || what.do === 'confirmPasskey';
}

export interface PasskeyRowsOptions {
  readonly workspace: Workspace;
  readonly view: View;
  readonly standing: SignerStanding;
  readonly strangers: ReadonlySet<string>;
  /** This editor's key is a root of the team. */
  readonly isRoot: boolean;
}

/** The passkeys that have not been given up. */
export function passkeyRows({ workspace, view, standing, strangers, isRoot }: PasskeyRowsOptions) {
  const used = lastSigned(view);
  const pins = workspace.pins();
  const own = standing.kind === 'enrolled' ? standing : null;
  return listedPasskeys(pins, view.state).flatMap(({ retired, keyid, name, label, origin, since, counts }) => {
    const pin = pins.find((one) => one.keyid === keyid);
    if (retired || !pin || !isPasskey(pin)) return [];
    const signer = own && { keyid: own.keyid, isPasskey: signsWithPasskey(standing) };
    return [
      {
        ...{ keyid, name, label, origin, since, counts },
        fingerprint: fingerprintOf(keyid),
        // When it last signed a decision of this workspace.
        ...optionalField('used', used.get(keyid)),
        stranger: strangers.has(keyid),
        changeable: own !== null && mayChange(workspace, { isRoot, isMine: own.name === name, standing }),
        // Where it can be confirmed, to become trusted: by this editor's key, or by another passkey in the browser.
        confirm:
          counts || !signer
            ? ('no' as const)
            : confirmProblem(view.state, pin, signer) === null
              ? ('here' as const)
              : ('browser' as const),
      },
    ];
  });
}

/** Whether passkeys are added to the ring that counts here by this editor's forms. */
export function addsPasskeys(workspace: Workspace, standing: SignerStanding): boolean {
  return standing.kind === 'enrolled' && !signsWithPasskey(standing) && workspace.managedPins() === null;
}

/** In a team, people change their own passkeys, and a root changes all. */
function mayChange(
  workspace: Workspace,
  { isRoot, isMine, standing }: { isRoot: boolean; isMine: boolean; standing: SignerStanding },
): boolean {
  return addsPasskeys(workspace, standing) && (workspace.team() === null || isRoot || isMine);
}

/** Carries out an act on a passkey, which the form has shown and asked about. */
export async function carryOutPasskey(
  keys: Keys,
  scope: KeyScope,
  { act, what }: { readonly act: string; readonly what: PasskeyAct },
): Promise<Outcome> {
  const [workspace] = scope.workspaces;
  const { keyid } = what;
  const pin = workspace.pins().find((one) => one.keyid === keyid && !one.retired);
  if (!pin || !isPasskey(pin)) throw new AppError('conflict', l10n.t('This key is no longer trusted.'));
  const signer = await keys.signer(workspace);
  const done = (text: string): Outcome => ({ type: 'done', act, text });
  switch (what.do) {
    case 'renamePasskey':
      await renamePasskey(scope, signer, what);
      return done(l10n.t('The passkey is now named “{0}”.', what.label));
    case 'giveUpPasskey':
      if (!workspace.team() && (await keys.strangers(workspace)).has(keyid)) await takeOut(scope, signer, keyid, true);
      else await giveUpPasskey(scope, signer, { keyid, why: 'takenOut' });
      return done(l10n.t('The passkey “{0}” can no longer sign.', pin.passkey.label));
    case 'confirmPasskey': {
      const store = await workspace.store();
      await confirmPasskey({ store, signer, newId: randomUUID }, pin, scope.shown);
      await keys.know(workspace, keyid);
      return done(
        l10n.t('The passkey “{0}” can decide items for which the policy requires passkeys.', pin.passkey.label),
      );
    }
  }
}
