/** `holdpoint` in terminals of VS Code: two small scripts in the extension's storage, on the PATH of new terminals. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { writeLauncher } from '../../hosts/setup/launcher.ts';
import { replaceFile } from '../../store/journal/files.ts';
import { userFolder } from '../../store/journal/stateFile.ts';
import { posixScript, windowsScript } from '../kit/commandScripts.ts';
import { ownLauncher } from '../kit/ownLauncher.ts';
import { ownNode } from '../kit/ownNode.ts';

/** The scripts contain paths of VS Code and this extension version, so they are rewritten when either moves. */
export function putOnTerminalPath({
  extensionPath,
  globalStorageUri,
  environmentVariableCollection,
}: vscode.ExtensionContext): void {
  const folder = path.join(globalStorageUri.fsPath, 'bin');
  const program = path.join(extensionPath, 'dist', 'cli.mjs');
  try {
    fs.mkdirSync(folder, { recursive: true });
    write(path.join(folder, 'holdpoint'), posixScript(ownNode(), program));
    // The path in hosts' files; independent of the extension's version.
    const { env, platform } = process;
    const user = userFolder({ env, platform, home: os.homedir() });
    writeLauncher(user, ownLauncher(extensionPath), platform);
    if (process.platform === 'win32')
      write(path.join(folder, 'holdpoint.cmd'), windowsScript(folder, ownNode(), program));
  } catch (error) {
    console.error('holdpoint: the command for terminals cannot be written', error);
    return;
  }
  environmentVariableCollection.description = l10n.t('Adds the command `holdpoint`.');
  environmentVariableCollection.prepend('PATH', `${folder}${path.delimiter}`, {
    applyAtProcessCreation: true,
    applyAtShellIntegration: true, // for shells whose profile resets PATH
  });
}

function write(file: string, script: string): void {
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  if (before !== script) replaceFile(fs, file, Buffer.from(script), `${file}.${randomUUID()}.tmp`);
  fs.chmodSync(file, 0o755);
}
