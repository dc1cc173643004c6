/**
 * What the editor says in its own words with texts of agents in them. In a notification VS Code makes a live link of
 * `[words](command:…)`, without asking: here none is one. All notifications of the extension go through this file.
 */
import * as vscode from 'vscode';
import { visibleText } from '../../core/kit/visible.ts';

/** A link needs its brackets side by side. */
function plainMessage(text: string): string {
  return visibleText(text).replaceAll('](', '] (');
}

export function information(text: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(plainMessage(text), ...buttons);
}

export function warning(text: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(plainMessage(text), ...buttons);
}

export function failure(text: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(plainMessage(text), ...buttons);
}

/** For a label in which the editor draws `$(name)` as an icon: an agent's title draws none. */
export function withoutIcons(text: string): string {
  return visibleText(text).replace(/\$\([\w-]+(?:~\w+)?\)/g, (icon) => `\\${icon}`);
}
