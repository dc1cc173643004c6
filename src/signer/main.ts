/**
 * The extension Holdpoint Signer, which runs on the person's side of a remote window: it keeps their key there, shows
 * what it signs, and signs on a click.
 */
import * as vscode from 'vscode';
import { signerCommands } from '../protocol/kit/signing.ts';
import type { SignerKey } from '../protocol/kit/signing.ts';
import { fingerprintOf } from '../trust/publicKeys.ts';
import { ask } from './ask.ts';
import { openKey, replaceKey } from './key.ts';
import type { Key } from './key.ts';
import { createSigning } from './sign.ts';
import { openKnownWorkspaces } from './workspaces.ts';

export function activate({ secrets, globalState, subscriptions }: vscode.ExtensionContext): void {
  const known = openKnownWorkspaces(globalState);
  let opened: Promise<Key> | undefined;
  const key = (): Promise<Key> => (opened ??= openKey(secrets));
  const sign = createSigning({
    key,
    clock: () => performance.now(),
    async ask(request) {
      const isAgreed = await ask(request, known);
      if (isAgreed) await known.learn(request.workspace);
      return isAgreed;
    },
  });
  subscriptions.push(
    vscode.commands.registerCommand(signerCommands.publicKey, async (): Promise<SignerKey> => {
      const { keyid, publicKey } = await key();
      return { keyid, publicKey };
    }),
    vscode.commands.registerCommand(signerCommands.sign, sign),
    vscode.commands.registerCommand(signerCommands.newKey, async () => {
      const made = await offerNewKey(secrets);
      if (made) opened = Promise.resolve(made);
    }),
  );
}

/** Any extension can run the command, so only a person's click makes a key. */
async function offerNewKey(secrets: vscode.SecretStorage): Promise<Key | null> {
  const text = vscode.l10n.t(
    'Make a new key? Decisions with the old one stand. Remote machines know the new one only after you add it there: the form of the next question asks whether the old key is lost.',
  );
  const yes = vscode.l10n.t('Make a New Key');
  if ((await vscode.window.showWarningMessage(text, { modal: true }, yes)) !== yes) return null;
  const made = await replaceKey(secrets);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Your new key is ready. Its fingerprint: {0}', fingerprintOf(made.keyid)),
  );
  return made;
}
