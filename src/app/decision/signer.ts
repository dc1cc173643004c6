/** Who signs a decision: a key in the editor, or a passkey in a browser. */
import type { DecisionPayload } from '../../core/records/decision.ts';
import type { Envelope } from '../../core/records/parts.ts';

/** Whose signature a decision gets. */
export type Signer = KeySigner | PasskeySigner;

interface SignerBase {
  /** SHA-256 of the public key's SPKI DER, hexadecimal. */
  readonly keyid: string;
  readonly name: string;
}

/** Holds the private key; lives in the editor. */
export interface KeySigner extends SignerBase {
  readonly isPasskey?: false;
  /** Signs bytes with Ed25519. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** A passkey in a browser (`passkey.ts`). */
export interface PasskeySigner extends SignerBase {
  readonly isPasskey: true;
  seal(payload: DecisionPayload): Envelope;
}
