/** Shows the URLs of new logins once, in a dialog. They are in no document, no setting and no log. */
import * as vscode from 'vscode';
import { addressOf } from '../../app/team/login.ts';
import type { PersonsLogin } from '../../app/team/preparing.ts';
import { modalInformation } from '../kit/messages.ts';

interface WithUrl extends PersonsLogin {
  readonly url: string;
}

/** Stays until the human closes it: copying one URL shows it again. Nothing is shown without a URL. */
export async function showUrlsOnce(person: string, logins: readonly PersonsLogin[]): Promise<void> {
  const shown = logins.filter((one): one is WithUrl => one.url !== null);
  const title = vscode.l10n.t('The logins of {0}, shown this once', person);
  let copied: readonly WithUrl[] = [];
  for (let isOpen = shown.length > 0; isOpen;) {
    const clicked = await modalInformation(title, detailOf(shown, copied), ...shown.map(copyWords));
    const chosen = shown.find((one) => copyWords(one) === clicked);
    if (chosen) await vscode.env.clipboard.writeText(chosen.url);
    if (chosen) copied = [...copied, chosen];
    isOpen = chosen !== undefined;
  }
}

function copyWords({ person, kind }: WithUrl): string {
  return kind === 'human'
    ? vscode.l10n.t('Copy {0}’s URL', person)
    : vscode.l10n.t('Copy the URL of {0}’s Agents', person);
}

function detailOf(shown: readonly WithUrl[], copied: readonly WithUrl[]): string {
  const lines = shown.map((one) => {
    const line = [`${one.login}@${addressOf(one.url).host}`, belongsTo(one)].join(': ');
    return copied.includes(one) ? vscode.l10n.t('{0} ✓ Copied.', line) : line;
  });
  return [
    ...lines,
    '',
    vscode.l10n.t(
      'Each URL contains a password and is kept nowhere. Copy each one and send it over a safe channel before you close this: it cannot be shown again, only replaced by a new password.',
    ),
  ].join('\n');
}

function belongsTo({ person, kind }: WithUrl): string {
  return kind === 'human'
    ? vscode.l10n.t('for {0}’s editor alone. Agents must not see it.', person)
    : vscode.l10n.t('for {0}’s agents.', person);
}
