/** Asks for the URL of a login to a team's server. Its password is not shown, and is in no message. */
import * as vscode from 'vscode';
import { addressOf } from '../../app/team/login.ts';
import { teamErrorWords } from './serverWords.ts';

export interface AskedUrl {
  readonly title: string;
  readonly prompt: string;
  /** Shown while it is used. */
  readonly progress: string;
}

/**
 * Asks again, with the reason, until what the URL is for succeeds. Undefined if the human stops.
 * @param use throws when the URL does not serve
 */
export async function askUrl<T>(asked: AskedUrl, use: (url: string) => Promise<T>): Promise<T | undefined> {
  let prompt = asked.prompt;
  for (;;) {
    const typed = await vscode.window.showInputBox({
      title: asked.title,
      prompt,
      placeHolder: 'postgresql://user:password@host/database',
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => addressProblem(text.trim()),
    });
    const url = typed?.trim() ?? '';
    if (url === '') return undefined;
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: asked.progress },
        () => use(url),
      );
    } catch (error) {
      prompt = teamErrorWords(error);
    }
  }
}

function addressProblem(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    addressOf(text);
    return undefined;
  } catch (error) {
    return teamErrorWords(error);
  }
}
