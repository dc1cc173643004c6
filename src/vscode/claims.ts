/** Said once, however many windows could say it: the first of them to make a file does. */
import fs from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';

export function claimsFolder(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, 'notified');
}

/** The first of several windows to make the file tells the human. */
export function isFirst(folder: string, claim: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.closeSync(fs.openSync(path.join(folder, claim), 'wx'));
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
  }
}

/** A window in the background gives the focused one this long to be first. */
export const backgroundDelayMs = 1_000;
