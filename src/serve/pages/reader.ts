/**
 * The person at a browser, as the editor's models and acts ask for the owner of a key. A session only says whose passkey
 * to ask: each decision is a new signature of that passkey over what was shown.
 */
import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import type { Signing } from '../../app/decision/decisions.ts';
import {
  commitSigned,
  isPasskey,
  prepareSigned,
  type Act,
  type PasskeyContext,
  type PasskeyPin,
} from '../../app/decision/passkey.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Store } from '../../store/store.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { errorWords, outageOf } from '../../ui/kit/problemWords.ts';
import { refusedOutcome } from '../../ui/surface/signedActs.ts';
import {
  createSigningSurface,
  type AnySnapshot,
  type Own,
  type Shown,
  type Signed,
  type SigningSurface,
  type SigningSurfaceOptions,
  type Unsigned,
} from '../../ui/surface/signingSurface.ts';
import { whyLocked } from '../../ui/surface/workspaceForms.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Keys, SignerStanding } from '../../ui/surface/standing.ts';
import type { Session } from '../security/sessions.ts';
import type { LivePage, PageOptions } from './livePage.ts';
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { restoreOne } from '../../app/hold/restore.ts';
import { gitContent } from '../../hosts/gitChanges.ts';
import type { HeldFileMessage } from '../../ui/answer/messages.ts';

function pinOf(workspace: Workspace, { keyid }: Session): PasskeyPin | undefined {
  return workspace.pins().find((pin): pin is PasskeyPin => isPasskey(pin) && pin.keyid === keyid && !pin.retired);
}

export function standingOf(workspace: Workspace, session: Session): SignerStanding {
  const pin = pinOf(workspace, session);
  const managed = workspace.managedPins();
  const team = workspace.team();
  return pin
    ? { kind: 'enrolled', name: pin.name, keyid: pin.keyid, managed, team, passkey: true }
    : { kind: 'stranger', suggestedName: '', pinned: [], managed, team };
}

/** Why a reader cannot decide here. */
export function readsOnly(): string {
  return l10n.t('You can read here. To decide, add a passkey of this device.');
}

export const lockedFor = (standing: SignerStanding, readOnly: boolean): string | undefined =>
  whyLocked(readOnly) ?? (standing.kind === 'stranger' ? readsOnly() : undefined);

/** What an act of a form needs: whose key signs, and in which store. */
interface Means {
  readonly keys: Keys;
  readonly folders: Folders;
}

type Signature = Pick<Parameters<typeof commitSigned>[0], 'prepared' | 'assertion'>;

/** How an act is made with a signature of the browser. Neither throws. */
interface BrowserSteps {
  /** Asks for the signature. Records nothing. */
  readonly sign: () => Promise<Outcome>;
  /** Records the act with that signature, which it asks for if there is none yet. */
  readonly record: () => Promise<Outcome>;
}

interface SigningPage<
  Snapshot extends AnySnapshot,
  Message extends { readonly type: string },
  Seen extends Shown,
> extends Pick<SigningSurfaceOptions<Snapshot, Message, Seen>, 'current' | 'schema'> {
  /** Members of every snapshot besides the view, and whether the server of a team answers. */
  readonly besides: () => Omit<Own<Snapshot>, 'outage'>;
  /** Carries out an act; runs once to prepare and once to commit. */
  readonly sign: (means: Means, message: Signed<Message>, seen: Seen) => Promise<Outcome>;
  /** Makes the act; without it, it is made at once. */
  readonly make?: (message: Signed<Message>, seen: Seen, steps: BrowserSteps) => Promise<Outcome>;
  readonly receive: (message: Unsigned<Message>, surface: SigningSurface<Snapshot>) => unknown;
}

/** A page on which a person signs in a browser, which keeps the drafts itself. */
export function openSigningPage<
  Snapshot extends AnySnapshot,
  Message extends { readonly type: string },
  Seen extends Shown,
>(options: PageOptions, page: SigningPage<Snapshot, Message, Seen>): Closable {
  const { folders, live } = options;
  const all = collect();
  const surface: SigningSurface<Snapshot> = all.add(
    createSigningSurface<Snapshot, Message, Seen>({
      ...page,
      beside: () => ({ ...page.besides(), ...outageOf(folders) }) as Own<Snapshot>,
      kept: () => undefined,
      keep: () => Promise.resolve(),
      sign(message, seen) {
        const { act } = message as { readonly act: string };
        const steps = stepsInBrowser(options, act, (means) => page.sign(means, message, seen));
        return page.make?.(message, seen, steps) ?? steps.record();
      },
      receive: (message) => page.receive(message, surface),
    }),
  );
  surface.attach(live.page);
  all.add(options.redraws.event(() => void surface.draw()));
  return all;
}

function stepsInBrowser(
  { folders, session, live }: PageOptions,
  act: string,
  carryOut: (means: Means) => Promise<Outcome>,
): BrowserSteps {
  let signed: Signature | null = null;
  /** @param run gets the context of a signature, and the act */
  async function attempt(run: (context: PasskeyContext, use: Act<Outcome>) => Promise<Outcome>): Promise<Outcome> {
    const [folder] = folders.all;
    const pin = folder && pinOf(folder.workspace, session);
    if (!pin) return refusedOutcome(act, 'invalid', readsOnly());
    const { workspace } = folder;
    const said: { outcome?: Outcome } = {};
    const use: Act<Outcome> = async (signing) =>
      (said.outcome = await carriedOutWith(signing, { pin, folders }, carryOut));
    try {
      return await run({ store: await workspace.store(), newId: randomUUID, pin }, use);
    } catch (error) {
      // The act ended before it came to a signature, and says why.
      if (said.outcome) return said.outcome;
      if (error instanceof AppError)
        return refusedOutcome(act, error.code === 'conflict' ? 'conflict' : 'invalid', errorWords(error));
      console.error(error);
      return refusedOutcome(act, 'failed', l10n.t('This failed. Try again.'));
    } finally {
      workspace.changed();
    }
  }
  const notSigned = refusedOutcome(act, 'failed', l10n.t('Not signed: nothing was decided.'));
  return {
    sign: () =>
      attempt(async (context, use) => {
        signed = await askBrowser(live, context, use);
        return signed ? { type: 'done', act } : notSigned;
      }),
    record: () =>
      attempt(async (context, use) => {
        const signature = signed ?? (await askBrowser(live, context, use));
        return signature ? commitSigned({ ...context, ...signature }, use) : notSigned;
      }),
  };
}

/** Null if its human gives none. */
async function askBrowser(live: LivePage, context: PasskeyContext, act: Act<Outcome>): Promise<Signature | null> {
  const prepared = await prepareSigned(context, act);
  const assertion = await live.ask(prepared.options);
  return assertion && { prepared, assertion };
}

/**
 * The act with a signer and a store. Acts turn errors into outcomes; an error of the store must reach those who prepare
 * and commit.
 */
async function carriedOutWith(
  { store, signer }: Signing,
  { pin, folders }: { readonly pin: PasskeyPin; readonly folders: Folders },
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
  const outcome = await carryOut({ keys: keysOf(pin, signer), folders: foldersWith(folders, noting) });
  if (failed.error) throw failed.error;
  return outcome;
}

function foldersWith(folders: Folders, store: Store): Folders {
  return {
    ...folders,
    find(key) {
      const found = folders.find(key);
      if (!found) return null;
      const { folder, id } = found;
      const workspace = Object.create(folder.workspace, {
        store: { value: () => Promise.resolve(store) },
      }) as Workspace;
      return { folder: { ...folder, workspace }, id };
    },
  };
}

/** The keys of the editor's acts, with this one signer. A browser remembers nothing of keys. */
function keysOf({ name, keyid }: PasskeyPin, signer: Signing['signer']): Keys {
  const standing: SignerStanding = { kind: 'enrolled', name, keyid, managed: null, team: null };
  const keys = {
    standing: () => Promise.resolve(standing),
    signer: () => Promise.resolve(signer),
    strangers: () => Promise.resolve(new Set()),
    know: () => Promise.resolve(),
    enrol: () => Promise.resolve(),
  };
  return keys as unknown as Keys;
}

// Held files in a browser: the server runs where the files are, and so it looks at them and restores them.

/** A decision must not overlook a change that no hook saw. Never throws. */
export async function lookFirst(workspace: Workspace, id: string): Promise<void> {
  await lookAtHeldBy(workspace, id).catch(() => undefined);
}

/**
 * Puts a file back for a person with a passkey; it releases nothing, and so it takes no signature. What cannot be restored
 * stays in the form as it is.
 */
export async function restoreHere(
  { folders, session }: Pick<PageOptions, 'folders' | 'session'>,
  { key, path }: HeldFileMessage,
): Promise<void> {
  const found = folders.find(key);
  if (!found) return;
  const { workspace } = found.folder;
  if (standingOf(workspace, session).kind !== 'enrolled') return;
  await restoreOne(workspace, { id: found.id, name: path }, gitContent(process.env)).catch(() => undefined);
  workspace.changed();
}
