/** The keys with which a person signs here, as forms use them: the editor's own, or a passkey in a browser. */
import type { KeySigner } from '../../app/decision/decisions.ts';
import type { KeyScope } from '../../app/keys/acts.ts';
import type { Team } from '../../app/workspace/sharedFile.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import * as l10n from '@vscode/l10n';
import { program } from '../kit/program.ts';
import type { SignedWith } from '../../app/workspace/quorums.ts';
import { needsPasskey } from '../../core/state/quorum.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { Policy, Question, State } from '../../core/state/state.ts';

export type SignerStanding =
  /**
   * This editor's key is pinned on this machine. `managed`: in the administrator's key ring, which cannot be changed
   * here. `team`: in the ring that a team shares; only its roots change that.
   */
  | {
      readonly kind: 'enrolled';
      readonly name: string;
      readonly keyid: string;
      readonly managed: string | null;
      readonly team: Team | null;
      /** The key is a passkey, which signs in a browser. */
      readonly passkey?: true;
    }
  /** No key is pinned yet: the first decision enrols this editor's. */
  | { readonly kind: 'first'; readonly suggestedName: string }
  /** Other keys are pinned, this editor's is not: a human, the administrator or a root of the team must add it first. */
  | {
      readonly kind: 'stranger';
      readonly suggestedName: string;
      readonly pinned: readonly PinnedKey[];
      readonly managed: string | null;
      readonly team: Team | null;
    };

export interface PublicKey {
  readonly keyid: string;
  /** SPKI DER, base64. */
  readonly publicKey: string;
}

export interface Keys {
  standing(workspace: Workspace): Promise<SignerStanding>;
  /** The public half of this editor's key, or null. */
  own(): Promise<PublicKey | null>;
  /** The public key; creates one if needed, so that an administrator can add it. */
  make(): Promise<PublicKey>;
  /** Pins this editor's key under a name, or renames it. A human's act. */
  enrol(workspace: Workspace, name: string): Promise<void>;
  /** Enrols when others are pinned: in addition to them, or replacing lost ones. A human's act. */
  enrolBeside(scope: KeyScope, name: string, others: OtherKeys): Promise<void>;
  /**
   * Replaces this editor's key. A human's act.
   * @throws AppError; Error when this editor's key is not pinned
   */
  rotate(scope: KeyScope): Promise<void>;
  /** @throws Error when this editor's key is not pinned */
  signer(workspace: Workspace): Promise<KeySigner>;
  /** Ids of keys that are trusted here but were not trusted through this editor's forms. */
  strangers(workspace: Workspace): Promise<ReadonlySet<string>>;
  /** A human trusted this key here. */
  know(workspace: Workspace, keyid: string): Promise<void>;
}

/** The keys that the form of enrolment showed. */
export interface OtherKeys {
  /** The key ring at that time. Keys that a program adds to it later do not become known. */
  readonly pinned: readonly PinnedKey[];
  /** Ids of those that can no longer sign. */
  readonly lost: readonly string[];
}

/** A short reason next to a form for why an unknown key cannot decide. */
export function strangerWords({ managed, team }: Extract<SignerStanding, { kind: 'stranger' }>): string {
  if (managed !== null)
    return l10n.t('An administrator manages the trusted keys here, and this editor’s key is not among them.');
  return team ? notInTeam(team) : l10n.t('This editor cannot sign for you yet.');
}

/** What to do about a key that is not in the team's ring. */
export function notInTeam({ roots }: Team): string {
  return roots.length === 0
    ? l10n.t('This editor’s key is not in the team’s list of keys.')
    : l10n.t('This editor’s key is not in the team’s list of keys. Ask {0} to add it.', namesOf(roots));
}

export function teamKeys({ roots }: Team): string {
  return roots.length === 0
    ? l10n.t('The keys trusted here are in the team’s list of keys, which cannot be used now.')
    : l10n.t('The keys trusted here are in the team’s list of keys. {0} can add and remove keys.', namesOf(roots));
}

function namesOf(roots: readonly string[]): string {
  return new Intl.ListFormat(program().language, { type: 'disjunction' }).format(roots);
}

// Decisions that only a passkey signs: the editor's form says so, and its button opens the page of the browser.

/** Why the item is decided in a browser; nothing where any key decides it, and in the browser itself. */
export function inBrowser(state: State, item: Question | Rfc, standing: SignerStanding): { inBrowser?: string } {
  if (signsWithPasskey(standing) || !needsPasskey(state, item)) return {};
  return {
    inBrowser: l10n.t('The policy requires a passkey: you answer in your browser, and the result appears here.'),
  };
}

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
