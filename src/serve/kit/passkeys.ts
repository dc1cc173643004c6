/** The passkeys that count at this server's address. */
import { randomBytes } from 'node:crypto';
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
const atMost = 200;

export interface Challenges {
  issue(): string;
  /** Whether it was issued and not used yet; it never counts again. */
  use(challenge: string): boolean;
}

/** Random, so that no login can be taken for a decision. @param clock monotonic milliseconds */
export function createChallenges(clock: () => number): Challenges {
  const open = new Map<string, number>();
  return {
    issue() {
      const challenge = randomBytes(32).toString('base64url');
      open.set(challenge, clock() + challengeMs);
      const [oldest] = open.keys();
      if (open.size > atMost && oldest !== undefined) open.delete(oldest);
      return challenge;
    },
    use(challenge) {
      const until = open.get(challenge);
      open.delete(challenge);
      return until !== undefined && clock() < until;
    },
  };
}

/** Whether this passkey signed this challenge. */
export function isSignedBy(pin: PasskeyPin, challenge: string, assertion: PasskeySignature): boolean {
  const key = passkeyPublicKey(Buffer.from(pin.publicKey, 'base64'));
  return key !== null && assertionProblem(assertion, { key, binding: pin.passkey, challenge }) === null;
}
