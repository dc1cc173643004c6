import * as l10n from '@vscode/l10n';
import type { Team } from '../../app/workspace/sharedRing.ts';
import type { SignerStanding } from './keys.ts';
import { program } from '../kit/program.ts';

/** A short reason next to a form for why an unknown key cannot decide. */
export function strangerWords({ managed, team }: Extract<SignerStanding, { kind: 'stranger' }>): string {
  if (managed !== null)
    return l10n.t('An administrator manages the trusted keys here, and this editor’s key is not among them.');
  return team ? notInTeam(team) : l10n.t('This editor cannot sign for you yet.');
}

/** What to do about a key that is not in the team's ring. */
export function notInTeam({ roots }: Team): string {
  return roots.length === 0
    ? l10n.t('This editor’s key is not in the key ring of the team.')
    : l10n.t('This editor’s key is not in the key ring of the team. Ask {0} to add it.', namesOf(roots));
}

/** Who can change the keys, in the Keys form. */
export function teamKeys({ roots }: Team): string {
  return roots.length === 0
    ? l10n.t('The keys trusted here are in the key ring of the team, which cannot be used now.')
    : l10n.t('The keys trusted here are in the key ring of the team. {0} can add and remove keys.', namesOf(roots));
}

function namesOf(roots: readonly string[]): string {
  return new Intl.ListFormat(program().language, { type: 'disjunction' }).format(roots);
}
