/** Asks for the URL of a login to a team's server. Its password is not shown, and is in no message. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addressOf } from '../../app/team/servers.ts';
import { teamErrorWords } from './serverWords.ts';

/**
 * Asks again, with the reason, until what the URL is for succeeds. Undefined if the human stops.
 * @param use throws when the URL does not serve
 */
export async function askUrl<T>(
  { title, prompt }: { readonly title: string; readonly prompt: string },
  use: (url: string) => Promise<T>,
): Promise<T | undefined> {
  let tried = { text: '', problem: prompt };
  for (;;) {
    const text = await vscode.window.showInputBox({
      ...{ title, prompt: tried.problem, password: true, ignoreFocusOut: true, value: tried.text },
      placeHolder: 'postgresql://user:password@host/database',
      validateInput: (now) => addressProblem(now.trim()),
    });
    if (text === undefined || text.trim() === '') return undefined;
    try {
      const trying = { location: vscode.ProgressLocation.Window, title: l10n.t('Trying the login…') };
      return await vscode.window.withProgress(trying, () => use(text.trim()));
    } catch (error) {
      tried = { text, problem: teamErrorWords(error) };
    }
  }
}

function addressProblem(text: string): string | undefined {
  try {
    if (text !== '') addressOf(text);
    return undefined;
  } catch (error) {
    return teamErrorWords(error);
  }
}
