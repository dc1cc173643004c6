/** The passkeys that count at this server's address. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isPasskey } from '../../app/decision/passkey.ts';
import type { PasskeyPin } from '../../app/decision/passkey.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { assertionProblem, passkeyPublicKey } from '../../trust/webauthn.ts';
import type { PasskeySignature } from '../../trust/webauthn.ts';

/** A passkey belongs to the address where it was made. */
export function passkeysAt(workspace: Workspace, origin: string): PasskeyPin[] {
  return workspace
    .pins()
    .filter((pin): pin is PasskeyPin => isPasskey(pin) && !pin.retired && pin.passkey.origin === origin);
}

const challengeMs = 5 * 60_000;
const [nonceBytes, timeBytes, macBytes] = [32, 6, 32] as const;

export interface Challenges {
  /** @param purpose what it may be used for: a login, or a new passkey of one session */
  issue(purpose?: string): string;
  /** Whether it was issued for this and not used yet; it never counts again. */
  use(challenge: string, purpose?: string): boolean;
}

const login = 'login';

/**
 * Random, and longer than what a decision signs, so that no login can be taken for one. A challenge carries its time and a
 * proof that this server issued it: none is kept before it is used, so that a flood of requests makes none invalid.
 * @param clock monotonic milliseconds
 */
export function createChallenges(clock: () => number): Challenges {
  const secret = randomBytes(32);
  /** Used ones, and when they end. */
  const used = new Map<string, number>();
  const proofOf = (body: Buffer, purpose: string) => createHmac('sha256', secret).update(body).update(purpose).digest();

  function endOf(challenge: string, purpose: string): number | null {
    const bytes = Buffer.from(challenge, 'base64url');
    // Other spellings of the same bytes would be used twice.
    if (bytes.length !== nonceBytes + timeBytes + macBytes || bytes.toString('base64url') !== challenge) return null;
    const body = bytes.subarray(0, nonceBytes + timeBytes);
    if (!timingSafeEqual(bytes.subarray(body.length), proofOf(body, purpose))) return null;
    return body.readUIntBE(nonceBytes, timeBytes) + challengeMs;
  }

  return {
    issue(purpose = login) {
      const body = Buffer.concat([randomBytes(nonceBytes), Buffer.alloc(timeBytes)]);
      body.writeUIntBE(Math.floor(clock()), nonceBytes, timeBytes);
      return Buffer.concat([body, proofOf(body, purpose)]).toString('base64url');
    },
    use(challenge, purpose = login) {
      const now = clock();
      for (const [one, until] of used) if (until <= now) used.delete(one);
      const end = endOf(challenge, purpose);
      if (end === null || end <= now || used.has(challenge)) return false;
      used.set(challenge, end);
      return true;
    },
  };
}

/** Whether this passkey signed this challenge. */
export function isSignedBy(pin: PasskeyPin, challenge: string, assertion: PasskeySignature): boolean {
  const key = passkeyPublicKey(Buffer.from(pin.publicKey, 'base64'));
  return key !== null && assertionProblem(assertion, { key, binding: pin.passkey, challenge }) === null;
}
