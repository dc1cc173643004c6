/** The start of every snapshot for a webview: the time, and texts in the editor's language. */
import * as vscode from 'vscode';
import { english } from '../../protocol/strings/strings.ts';
import { hasPersonsSide } from './personsSide.ts';

export function snapshotHead(): {
  type: 'snapshot';
  now: string;
  locale: string;
  strings: Readonly<Record<string, string>>;
} {
  return { type: 'snapshot', now: new Date().toISOString(), locale: vscode.env.language, strings: strings() };
}

let translated: Readonly<Record<string, string>> | undefined;

/** Translators see each text by its key: one English word may need two translations. */
function strings(): Readonly<Record<string, string>> {
  translated ??= Object.fromEntries(
    Object.entries(english).map(([key, message]) => [key, vscode.l10n.t({ message, comment: [key] })]),
  );
  if (vscode.env.remoteName === undefined) return translated;
  return hasPersonsSide()
    ? { ...translated, 'answer.slow': vscode.l10n.t('Sign it in the tab “Sign a Decision”.') }
    : // The first name field says where signing happens.
      { ...translated, 'answer.nameHint': translated['answer.nameHintRemote'] ?? '' };
}
