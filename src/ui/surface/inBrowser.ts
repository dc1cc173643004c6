/** Decisions that only a passkey signs: the editor's form says so, and its button opens the page of the browser. */
import * as l10n from '@vscode/l10n';
import type { SignedWith } from '../../app/workspace/signedWith.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { needsPasskey } from '../../core/state/quorum.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type { Policy, Question, State } from '../../core/state/state.ts';
import type { SignerStanding } from './keys.ts';

/** Why the item is decided in a browser; nothing where any key decides it, and in the browser itself. */
export function inBrowser(state: State, item: Question | Rfc, standing: SignerStanding): { inBrowser?: string } {
  if (signsWithPasskey(standing) || !needsPasskey(state, item)) return {};
  return {
    inBrowser: l10n.t('The policy asks for a passkey: you answer in your browser, and the result appears here.'),
  };
}

/** The policy with rules on passkeys: the editor's key may tighten it. */
export function policyInBrowser({ passkeys }: Policy, standing: SignerStanding): { inBrowser?: string } {
  if (signsWithPasskey(standing) || !passkeys?.rules.length) return {};
  return {
    inBrowser: l10n.t(
      'Loosening a rule on passkeys needs a passkey, and so does every change while a rule covers everything. Open this form in the browser for that.',
    ),
  };
}

export function signsWithPasskey(standing: SignerStanding): boolean {
  return standing.kind === 'enrolled' && standing.passkey === true;
}

interface SignedBy {
  readonly keyid: string;
  readonly passkey?: true;
}

/** Under a decision in a tooltip; empty for a key of an editor. */
export function signedWords(signed: SignedWith | null): string {
  return signed === 'passkey' ? l10n.t('Signed with a passkey, verified by PIN or fingerprint') : '';
}

/** The passkey that signed a decision, as its human calls it. */
export function passkeyOf(
  state: State,
  workspace: Pick<Workspace, 'pins'>,
  by: SignedBy | null | undefined,
): { passkey?: string } {
  if (!by?.passkey) return {};
  const pinned = workspace.pins().find(({ keyid }) => keyid === by.keyid);
  const label = state.passkeys.get(by.keyid)?.label ?? pinned?.passkey?.label;
  return { passkey: label ?? by.keyid.slice(0, 16) };
}
