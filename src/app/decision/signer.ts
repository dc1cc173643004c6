/** Who signs a decision: a key in the editor, or a key elsewhere. */
import type { DecisionPayload, UnsignedRecord } from '../../core/records/decision.ts';
import type { Envelope } from '../../core/records/parts.ts';

/** Whose signature a decision gets. */
export type Signer = KeySigner | ElsewhereSigner;

interface SignerBase {
  /** SHA-256 of the public key's SPKI DER, hexadecimal. */
  readonly keyid: string;
  /** The human's name. */
  readonly name: string;
}

/** Holds the private key; lives in the editor. */
export interface KeySigner extends SignerBase {
  readonly isPasskey?: false;
  /** Signs bytes with Ed25519. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** A passkey in a browser, or a key on the person's side of a remote window (`elsewhere.ts`). */
export interface ElsewhereSigner extends SignerBase {
  readonly isPasskey: boolean;
  seal(payload: DecisionPayload, record: UnsignedRecord): Envelope;
}
