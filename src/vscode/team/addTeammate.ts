/** Gives a teammate the two logins to the team's server, and makes them members of a workspace. */
import * as vscode from 'vscode';
import { loginsOf } from '../../app/team/logins.ts';
import type { PersonsLogin } from '../../app/team/preparing.ts';
import type { OwnersAccess } from '../../app/team/teammates.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { modalWarning } from '../kit/messages.ts';
import { askUrl } from './askUrl.ts';
import { showUrlsOnce } from './loginUrls.ts';

export interface TeamPlace {
  readonly workspace: Workspace;
  /** URL of this person's own login. */
  readonly own: string;
  /** Folder of the SQL files. */
  readonly migrations: string;
}

/** @returns the name of the person who has become a member; undefined if the human stops */
export async function addTeammate(place: TeamPlace, suggested: string): Promise<string | undefined> {
  const person = await askName(suggested);
  if (person === undefined) return undefined;
  const { makeLogins, newPasswords } = await import('../../app/team/teammates.ts');
  const made = await asOwner(place, async (access) => ({ access, logins: await makeLogins(access, person) }));
  if (!made) return undefined;
  const known = made.logins.filter(({ url }) => url === null);
  const what = known.length === 0 ? 'asTheyAre' : await askAboutKnown(known);
  if (what === undefined) return undefined;
  const { addPerson } = await import('../../app/team/membership.ts');
  await addPerson(place.workspace, place.own, person);
  const renewed = what === 'newPasswords' ? await newPasswords(made.access, known) : [];
  await showUrlsOnce(
    person,
    made.logins.map((one) => renewed.find(({ login }) => login === one.login) ?? one),
  );
  return person;
}

/** Asks for the owner's URL, which is used once and kept nowhere. Undefined if the human stops. */
export function asOwner<T>(
  { own, migrations }: TeamPlace,
  act: (access: OwnersAccess) => Promise<T>,
): Promise<T | undefined> {
  const asked = {
    title: vscode.l10n.t('The owner of the database'),
    prompt: vscode.l10n.t(
      'Logins are made with the URL that the server was prepared with. It is used for this alone, and kept nowhere.',
    ),
    progress: vscode.l10n.t('Making the logins…'),
  };
  return askUrl(asked, async (owner) => {
    const { requireOwnersDatabase } = await import('../../app/team/teammates.ts');
    await requireOwnersDatabase(own, owner);
    return act({ owner, migrations });
  });
}

async function askName(suggested: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add a teammate’s logins'),
    prompt: vscode.l10n.t(
      'The person’s name. They get two logins: one for their editor, and one for their agents, which cannot decide.',
    ),
    value: suggested,
    ignoreFocusOut: true,
    validateInput: (text) => nameProblem(text.trim()),
  });
  const person = typed?.trim() ?? '';
  return person === '' ? undefined : person;
}

function nameProblem(person: string): string | undefined {
  try {
    if (person !== '') loginsOf(person);
    return undefined;
  } catch (error) {
    if (error instanceof AppError)
      return vscode.l10n.t('The logins are named after the person: use Latin letters, at most 50.');
    throw error;
  }
}

/** A login of that name may be another person's. */
async function askAboutKnown(known: readonly PersonsLogin[]): Promise<'asTheyAre' | 'newPasswords' | undefined> {
  const asTheyAre = vscode.l10n.t('Add Them');
  const newPasswords = vscode.l10n.t('Add Them With New Passwords');
  const clicked = await modalWarning(
    vscode.l10n.t('This server has these logins already: {0}', known.map(({ login }) => login).join(', ')),
    vscode.l10n.t(
      'Add them only if they are this person’s: for another person of the same name, choose another name. New passwords replace the ones that are in use.',
    ),
    ...[asTheyAre, newPasswords],
  );
  if (clicked === asTheyAre) return 'asTheyAre';
  return clicked === newPasswords ? 'newPasswords' : undefined;
}
