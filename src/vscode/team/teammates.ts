/** Whose logins are members of a shared workspace: adds, renews and removes them. Only clicks in dialogs change anything. */
import * as vscode from 'vscode';
import { addressOf } from '../../app/team/login.ts';
import type { Person } from '../../app/team/teammates.ts';
import type { OpenFolder } from '../kit/folders.ts';
import { information, modalWarning, withoutIcons } from '../kit/messages.ts';
import { addTeammate, asOwner } from './addTeammate.ts';
import type { TeamPlace } from './addTeammate.ts';
import type { Logins } from './logins.ts';
import { showUrlsOnce } from './loginUrls.ts';

export interface ManagingTeammates {
  readonly logins: Logins;
  /** Folder of the SQL files. */
  readonly migrations: string;
}

/**
 * @param named whose logins; without a name, the human chooses
 * @returns the name of a person who has become a member; undefined otherwise
 */
export async function manageTeammates(
  { workspace }: OpenFolder,
  { logins, migrations }: ManagingTeammates,
  named?: string,
): Promise<string | undefined> {
  const own = workspace.team() === null ? null : await logins.read(workspace);
  if (own === null) {
    void information(vscode.l10n.t('Connect this editor to the team’s server first.'));
    return undefined;
  }
  const { peopleOf } = await import('../../app/team/teammates.ts');
  const people = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Reading the logins of the team…') },
    () => peopleOf(workspace, own),
  );
  const place = { workspace, own, migrations };
  const chosen = named === undefined ? await choose(people, own) : (people.find(({ name }) => name === named) ?? 'new');
  if (chosen === 'new') return addTeammate(place, named ?? '');
  if (chosen) await change(place, chosen);
  return undefined;
}

async function choose(people: readonly Person[], own: string): Promise<Person | 'new' | undefined> {
  const add = { label: `$(add) ${vscode.l10n.t('Add a teammate…')}`, chosen: 'new' } as const;
  const others = people
    .filter((person) => !isOwn(person, own))
    .map((person) => ({
      label: withoutIcons(person.name),
      description: person.logins.map(({ login }) => login).join(', '),
      chosen: person,
    }));
  const picked = await vscode.window.showQuickPick([add, ...others], {
    title: vscode.l10n.t('Logins of teammates'),
    placeHolder: vscode.l10n.t('Whose logins?'),
    matchOnDescription: true,
    ignoreFocusOut: true, // it comes after the server has answered, when something else may have the focus
  });
  return picked?.chosen;
}

function isOwn({ logins }: Person, own: string): boolean {
  return logins.some(({ login }) => login === addressOf(own).login);
}

async function change(place: TeamPlace, person: Person): Promise<void> {
  if (isOwn(person, place.own)) {
    void information(
      vscode.l10n.t(
        'These are your own logins. In a terminal, “holdpoint team roles --reset LOGIN” gives them new passwords.',
      ),
    );
    return;
  }
  const renewing = vscode.l10n.t('Give new passwords…');
  const removing = vscode.l10n.t('Remove from this workspace…');
  const picked = await vscode.window.showQuickPick([renewing, removing], {
    title: vscode.l10n.t('Logins of {0}', person.name),
    placeHolder: person.logins.map(({ login }) => login).join(', '),
    ignoreFocusOut: true,
  });
  if (picked === renewing) await renew(place, person);
  if (picked === removing) await remove(place, person);
}

async function renew(place: TeamPlace, { name, logins }: Person): Promise<void> {
  const { newPasswords } = await import('../../app/team/teammates.ts');
  const renewed = await asOwner(place, (access) => newPasswords(access, logins));
  if (renewed) await showUrlsOnce(name, renewed);
}

async function remove({ workspace, own }: TeamPlace, { name, logins }: Person): Promise<void> {
  const yes = vscode.l10n.t('Remove');
  const asked = vscode.l10n.t('Remove the logins of {0} from this workspace?', name);
  const detail = vscode.l10n.t(
    '{0}: they can no longer read its journal or add to it. They stay on the server, for other workspaces. A key of {1} counts until you remove it in the Keys form.',
    ...[logins.map(({ login }) => login).join(', '), name],
  );
  if ((await modalWarning(asked, detail, yes)) !== yes) return;
  const { removeLogin } = await import('../../app/team/membership.ts');
  for (const { login } of logins) await removeLogin(workspace, own, login);
  void information(vscode.l10n.t('The logins of {0} were removed from this workspace.', name));
}
