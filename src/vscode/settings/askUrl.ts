/** Asks for the URL of a login to a team's server. Its password is not shown, and is in no message. */
import * as vscode from 'vscode';
import { addressOf } from '../../app/team/servers.ts';
import { teamErrorWords } from './serverWords.ts';

export interface AskedUrl {
  readonly title: string;
  readonly prompt: string;
  /** Shown while it is used. */
  readonly progress: string;
}

/**
 * Stays open, with the reason in the colour of errors, until what the URL is for succeeds. Undefined if the human stops.
 * @param use throws when the URL does not serve
 */
export function askUrl<T>(asked: AskedUrl, use: (url: string) => Promise<T>): Promise<T | undefined> {
  const input = vscode.window.createInputBox();
  Object.assign(input, {
    title: asked.title,
    prompt: asked.prompt,
    placeholder: 'postgresql://user:password@host/database',
    password: true,
    ignoreFocusOut: true,
  });
  return new Promise((resolve) => {
    input.onDidChangeValue((text) => {
      input.validationMessage = addressProblem(text.trim());
    });
    input.onDidAccept(() => void accept());
    input.onDidHide(() => {
      // Also after success, when this has no effect.
      resolve(undefined);
      input.dispose();
    });
    input.show();

    async function accept(): Promise<void> {
      const url = input.value.trim();
      if (url === '') input.hide();
      if (url === '' || input.busy || addressProblem(url) !== undefined) return;
      setBusy(true);
      try {
        resolve(await use(url));
        input.hide();
      } catch (error) {
        setBusy(false);
        input.validationMessage = teamErrorWords(error);
      }
    }
  });

  function setBusy(busy: boolean): void {
    input.busy = busy;
    input.enabled = !busy;
    input.prompt = busy ? asked.progress : asked.prompt;
    input.validationMessage = undefined;
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
