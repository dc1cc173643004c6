/** Who reads in a browser, as the models of pages ask: with a passkey somebody who can decide, else a reader. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { SignerStanding } from '../../vscode/surface/signer.ts';
import { l10n } from '../kit/editor.ts';
import type { Session } from '../security/sessions.ts';

export function standingOf(_workspace: Workspace, _session: Session): SignerStanding {
  return { kind: 'stranger', suggestedName: '', pinned: [], managed: null, team: null };
}

/** Why a reader cannot decide here. */
export function readsOnly(): string {
  return l10n.t('You can read here. To decide, add a passkey of this device.');
}
