/** Acts of forms that a key elsewhere signs: the act runs once to prepare what is signed, and once to record it. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Signing } from '../../app/decision/decisions.ts';
import { signOnPersonsSide } from '../../app/personsSide/signing.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Outcome } from '../../protocol/kit/outcome.ts';
import type { Store } from '../../store/store.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import type { Folders } from '../kit/folders.ts';
import { carriedOut, refused, requireName } from './signedActs.ts';
import type { Keys, SignerStanding } from './signer.ts';

/** What an act of a form needs: whose key signs, and in which store. */
export interface Means {
  readonly keys: Keys;
  readonly folders: Folders;
}

interface AnyAct {
  readonly act: string;
  readonly key: string;
  /** The name that a first decision enrols the key under. */
  readonly name?: string | undefined;
}

/**
 * Carries out an act with the key of this editor, or the one on the person's side if that signs here. Never throws.
 * @param carryOut the same act each time it is called
 * @param known contents that the form showed and that are not in the journal
 */
export async function signedWhereKeyIs(
  means: Means,
  message: AnyAct,
  carryOut: (means: Means) => Promise<Outcome>,
  known?: (workspace: Workspace) => readonly object[],
): Promise<Outcome> {
  const elsewhere = means.keys.elsewhere;
  if (!elsewhere) return carryOut(means);
  const there: { needed: boolean; outcome?: Outcome } = { needed: true };
  const outcome = await carriedOut(means.folders, message, async ({ workspace }) => {
    const found = await elsewhere(workspace);
    there.needed = found !== null;
    if (!found) return refused(message.act, 'failed', '');
    const pin = found.pin ?? (await enrolled(means.keys, workspace, message.name));
    const use = async (signing: Signing) =>
      (there.outcome = await carriedOutWith(signing, { pin, ...means }, carryOut));
    const context = {
      ...{ store: await workspace.store(), newId: randomUUID, pin, sign: found.sign },
      known: known?.(workspace),
    };
    try {
      const signed = await signOnPersonsSide(context, use);
      return signed ?? refused(message.act, 'failed', vscode.l10n.t('Not signed: nothing was decided.'));
    } catch (error) {
      // The act ended before it came to a signature, and says why.
      if (there.outcome && error instanceof AppError && error.code === 'conflict') return there.outcome;
      throw error;
    }
  });
  return there.needed ? outcome : carryOut(means);
}

/** The first decision pins the key under a name. */
export async function enrolled(keys: Keys, workspace: Workspace, name: string | undefined): Promise<PinnedKey> {
  const standing = await keys.standing(workspace);
  if (standing.kind === 'first') await keys.enrol(workspace, requireName(name));
  const pin = (await keys.elsewhere?.(workspace))?.pin;
  if (pin) return pin;
  throw new AppError('denied', vscode.l10n.t('Enrol this editor first.'));
}

/**
 * The act with a signer and a store. Acts turn errors into outcomes; an error of the store must reach those who prepare
 * and commit.
 */
export async function carriedOutWith(
  { store, signer }: Signing,
  { pin, folders, keys }: { readonly pin: PinnedKey; readonly folders: Folders; readonly keys?: Remembered },
  carryOut: (means: Means) => Promise<Outcome>,
): Promise<Outcome> {
  const failed: { error?: Error } = {};
  const transact: Store['transact'] = async (actor, decide) => {
    try {
      return await store.transact(actor, decide);
    } catch (error) {
      failed.error = error instanceof Error ? error : new Error(String(error));
      throw failed.error;
    }
  };
  const noting = Object.create(store, { transact: { value: transact } }) as Store;
  const outcome = await carryOut({ keys: keysOf(pin, signer, keys), folders: foldersWith(folders, noting) });
  if (failed.error) throw failed.error;
  return outcome;
}

/** The same folders with this store. */
function foldersWith(folders: Folders, store: Store): Folders {
  return {
    ...folders,
    find(key) {
      const found = folders.find(key);
      if (!found) return null;
      const { folder, id } = found;
      return { folder: { ...folder, workspace: withStore(folder.workspace, store) }, id };
    },
  };
}

/** The same workspace with this store. */
export function withStore(workspace: Workspace, store: Store): Workspace {
  return Object.create(workspace, { store: { value: () => Promise.resolve(store) } }) as Workspace;
}

/** What the editor remembers of the keys that its forms trusted. */
type Remembered = Pick<Keys, 'strangers' | 'know'>;

/** A browser remembers nothing of keys. */
const nothing: Remembered = { strangers: () => Promise.resolve(new Set()), know: () => Promise.resolve() };

/** The keys of the editor's acts, with this one signer. */
function keysOf({ name, keyid }: PinnedKey, signer: Signing['signer'], remembered: Remembered = nothing): Keys {
  const standing: SignerStanding = { kind: 'enrolled', name, keyid, managed: null, team: null };
  const keys = {
    standing: () => Promise.resolve(standing),
    signer: () => Promise.resolve(signer),
    strangers: (workspace: Workspace) => remembered.strangers(workspace),
    know: (workspace: Workspace, id: string) => remembered.know(workspace, id),
    enrol: () => Promise.resolve(),
  };
  return keys as unknown as Keys;
}
