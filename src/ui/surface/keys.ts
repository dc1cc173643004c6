/** The keys with which a person signs here, as forms use them: the editor's own, or a passkey in a browser. */
import type { KeySigner } from '../../app/decision/signer.ts';
import type { KeyScope } from '../../app/keys/acts.ts';
import type { Team } from '../../app/workspace/sharedRing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { PinnedKey } from '../../trust/envelope.ts';

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
  /** The same, creating a key if needed, so that an administrator can add it. */
  make(): Promise<PublicKey>;
  /** Pins this editor's key under a name, or renames it. A human's act. */
  enrol(workspace: Workspace, name: string): Promise<void>;
  /** The same if others are pinned: in addition to them, or replacing lost ones. A human's act. */
  enrolBeside(scope: KeyScope, name: string, others: OtherKeys): Promise<void>;
  /**
   * Replaces this editor's key. A human's act.
   * @throws AppError; Error when this editor's key is not pinned
   */
  rotate(scope: KeyScope): Promise<void>;
  /** @throws Error when this editor's key is not pinned */
  signer(workspace: Workspace): Promise<KeySigner>;
  /** Ids of keys that count here but were not trusted through this editor's forms. */
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
