/** Shared by all forms on the host's side: each act runs once, and the form receives its outcome. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Signing, KeySigner } from '../../app/decision/decisions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { QuorumView } from '../../core/state/quorum.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Outcome } from '../kit/view.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { errorWords } from '../kit/problemWords.ts';
import { keptWords, type Keys } from './standing.ts';

interface AnyAct {
  readonly act: string;
  readonly key: string;
}

type Reason = Extract<Outcome, { type: 'refused' }>['reason'];

export function refusedOutcome(act: string, reason: Reason, text: string): Outcome {
  return { type: 'refused', act, reason, text };
}

interface DecisionWords {
  readonly done?: string;
  /** Who else must sign. */
  readonly quorum?: QuorumView | null;
  readonly changed?: string;
}

/** What the form says after a decision, which others may have to sign too, or have made before. */
export function decisionOutcome(
  outcome: 'decided' | 'kept' | 'already' | 'changed',
  act: string,
  { done, quorum = null, changed }: DecisionWords,
): Outcome {
  switch (outcome) {
    case 'decided':
      return { type: 'done', act, ...(done === undefined ? {} : { text: done }) };
    case 'kept':
      return { type: 'done', act, text: keptWords(quorum) };
    case 'already':
      return refusedOutcome(act, 'conflict', l10n.t('Someone else has already done or decided this.'));
    case 'changed':
      return refusedOutcome(
        act,
        'changed',
        changed ?? l10n.t('This has changed since it was shown. Check it, then decide.'),
      );
  }
}

/** The human has not confirmed an act that asks for it. */
export function unconfirmedOutcome(act: string, text = l10n.t('Confirm this first.')): Outcome {
  return refusedOutcome(act, 'invalid', text);
}

/** Never throws: errors become an outcome with a text. */
export async function carriedOut(
  folders: Folders,
  message: AnyAct,
  carryOut: (folder: OpenFolder, id: string) => Promise<Outcome>,
): Promise<Outcome> {
  const found = folders.find(message.key);
  if (!found) return refusedOutcome(message.act, 'notFound', l10n.t('Its folder is no longer open.'));
  try {
    return await carryOut(found.folder, found.id);
  } catch (error) {
    if (error instanceof AppError) {
      const reason = error.code === 'conflict' ? 'conflict' : error.code === 'not_found' ? 'notFound' : 'invalid';
      return refusedOutcome(message.act, reason, errorWords(error));
    }
    const why = error instanceof Error ? error.message : String(error);
    return refusedOutcome(message.act, 'failed', l10n.t('Saving failed: {0}', why));
  } finally {
    found.folder.workspace.changed();
  }
}

/** The page acted on a rendering that is no longer displayed, or was too recent to be read. */
export function outdatedOutcome(act: string): Outcome {
  return refusedOutcome(act, 'changed', l10n.t('This form was updated. Check it and try again.'));
}

/**
 * The signer in a workspace. The first act pins this editor's key, under the given name.
 * @throws AppError
 */
export async function signerFor(keys: Keys, workspace: Workspace, name: string | undefined): Promise<KeySigner> {
  const standing = await keys.standing(workspace);
  if (standing.kind === 'stranger') throw notEnrolled();
  if (standing.kind === 'first') await keys.enrol(workspace, requireName(name));
  return keys.signer(workspace);
}

/**
 * The arguments that use cases need for signing.
 * @throws AppError
 */
export async function signingIn(keys: Keys, workspace: Workspace, name: string | undefined): Promise<Signing> {
  const signer = await signerFor(keys, workspace, name);
  return { store: await workspace.store(), signer, newId: randomUUID };
}

export function notEnrolled(): AppError {
  return new AppError(
    'denied',
    l10n.t('This editor can’t sign yet. Add its key in “You and Your Devices…”, then try again.'),
  );
}

/** The name a human signs with at first use. @throws AppError */
export function requireName(name: string | undefined): string {
  if (name === undefined || name === '') throw new AppError('bad_input', l10n.t('Enter your name.'));
  return name;
}

/** Dispatches a page's messages by type; the compiler checks that each type has a handler. */

interface Typed {
  readonly type: string;
}

export type Handlers<Message extends Typed, Result = unknown, Rest extends unknown[] = []> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { type: Type }>, ...rest: Rest) => Result;
};

/** @param rest further arguments of the handlers */
export function dispatch<Message extends Typed, Result, Rest extends unknown[]>(
  handlers: Handlers<Message, Result, Rest>,
  message: Message,
  ...rest: Rest
): Result {
  // The table has a handler of exactly this type, which TypeScript does not infer through the union.
  const handler = handlers[message.type as Message['type']] as (message: Message, ...rest: Rest) => Result;
  return handler(message, ...rest);
}
