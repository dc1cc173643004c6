/** What every snapshot for a webview begins with: the time, and the words in the language of this editor. */
import * as vscode from 'vscode';
import { english } from '../../protocol/strings/strings.ts';

export function snapshotHead(): {
  type: 'snapshot';
  now: string;
  locale: string;
  strings: Readonly<Record<string, string>>;
} {
  return { type: 'snapshot', now: new Date().toISOString(), locale: vscode.env.language, strings: strings() };
}

let translated: Readonly<Record<string, string>> | undefined;

/** Translators see each word by its key: the same English word may need two of another language. */
function strings(): Readonly<Record<string, string>> {
  translated ??= Object.fromEntries(
    Object.entries(english).map(([key, message]) => [key, vscode.l10n.t({ message, comment: [key] })]),
  );
  // Where signing happens is said where a name is first asked for.
  return vscode.env.remoteName === undefined
    ? translated
    : { ...translated, 'answer.nameHint': translated['answer.nameHintRemote'] ?? '' };
}
