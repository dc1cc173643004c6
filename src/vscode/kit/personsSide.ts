/** The extension Holdpoint Signer on the person's side of a remote window, called by commands across extension hosts. */
import * as vscode from 'vscode';
import type { ItemToSign } from '../../app/personsSide/signing.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { signerCommands, signerKey, signingReply } from '../../protocol/kit/signing.ts';
import type { SignerKey, SigningRequest } from '../../protocol/kit/signing.ts';

/** Whether this window works on another machine: VS Code's server on this one is remote only by its address. */
export function isOnOtherMachine(): boolean {
  const { remoteName } = vscode.env;
  return remoteName !== undefined && !/^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)(?::\d+)?$/.test(remoteName);
}

let seen: SignerKey | undefined;

/** Whether this window has found the extension so far. */
export function hasPersonsSide(): boolean {
  return seen !== undefined;
}

/**
 * The key on the person's side; null in a window that is not remote, or without the extension there.
 * @throws AppError `denied` once the extension was found and no longer answers: the key on the remote machine must not
 * take its place
 */
export async function personsKey(): Promise<SignerKey | null> {
  if (vscode.env.remoteName === undefined) return null;
  try {
    seen = signerKey.parse(await vscode.commands.executeCommand(signerCommands.publicKey));
    return seen;
  } catch (error) {
    if (seen === undefined) return null;
    const text = vscode.l10n.t('Holdpoint Signer on your machine does not answer. Reload this window, then try again.');
    throw new AppError('denied', text, { cause: error });
  }
}

/**
 * @returns one signature for each item; null if the person does not sign
 * @throws AppError `denied` with why it was refused there
 */
export async function signThere(keyid: string, items: readonly ItemToSign[]): Promise<readonly string[] | null> {
  const request = {
    v: 1,
    keyid,
    items: items.map(({ payload, record, shown }) => ({ payload, record, shown })),
    parts: once(items.flatMap(({ parts = [] }) => parts)),
  } satisfies Record<keyof SigningRequest, unknown>;
  // As text and back: what is undefined here does not exist there.
  const plain: unknown = JSON.parse(JSON.stringify(request));
  const reply = signingReply.parse(await vscode.commands.executeCommand(signerCommands.sign, plain));
  switch (reply.outcome) {
    case 'signed':
      return reply.signatures;
    case 'declined':
      return null;
    case 'busy':
      throw new AppError('denied', vscode.l10n.t('Holdpoint Signer is showing another decision. Finish it first.'));
    case 'refused':
      throw new AppError('denied', vscode.l10n.t('Holdpoint Signer refused to sign: {0}', reply.why));
  }
}

/** Each of them once: several remarks are on the same text. */
function once(parts: readonly object[]): object[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}
