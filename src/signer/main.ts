/**
 * The extension Holdpoint Signer, which runs on the person's side of a remote window: it keeps their key there, shows
 * what it signs, and signs on a click.
 */
import * as vscode from 'vscode';
import { signerCommands } from '../protocol/kit/signing.ts';
import type { SignerKey } from '../protocol/kit/signing.ts';
import { ask } from './ask.ts';
import { openKey } from './key.ts';
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
  );
}
