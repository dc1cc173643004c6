/**
 * Notifications that contain agents' text. VS Code turns `[words](command:…)` in a notification into a live link; this
 * file prevents that. All notifications of the extension go through it.
 */
import * as vscode from 'vscode';
import { visibleText } from '../../core/kit/visible.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { messageOf } from '../../store/journal/problem.ts';
import { errorWords } from '../../ui/kit/problemWords.ts';

/** A link requires `](`. */
function plainMessage(text: string): string {
  return visibleText(text).replaceAll('](', '] (');
}

export function information(text: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(plainMessage(text), ...buttons);
}

export function warning(text: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(plainMessage(text), ...buttons);
}

/** Stays until the human closes it: VS Code hides information and warnings after some seconds. */
export function urgent(text: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(plainMessage(text), ...buttons);
}

export function failure(text: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(plainMessage(text), ...buttons);
}

/** Prevents `$(name)` in agents' text from rendering as an icon. */
export function withoutIcons(text: string): string {
  return visibleText(text).replace(/\$\([\w-]+(?:~\w+)?\)/g, (icon) => `\\${icon}`);
}

// Commands of the palette whose failures a notification shows.

export function commandWithFailures(id: string, run: (argument: unknown) => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (argument: unknown) => {
    try {
      await run(argument);
    } catch (error) {
      await failure(error instanceof AppError ? errorWords(error) : messageOf(error));
    }
  });
}
