/** Commands of the palette whose failures a notification shows. */
import * as vscode from 'vscode';
import { AppError } from '../../app/workspace/errors.ts';
import { messageOf } from '../../store/journal/problem.ts';
import { failure } from './messages.ts';
import { errorWords } from '../../ui/kit/problemWords.ts';

export function commandWithFailures(id: string, run: (argument: unknown) => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (argument: unknown) => {
    try {
      await run(argument);
    } catch (error) {
      await failure(error instanceof AppError ? errorWords(error) : messageOf(error));
    }
  });
}
