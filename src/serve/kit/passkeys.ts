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
  /** @param purpose what it may be used for: a login, or a new passkey of one session */
  issue(purpose?: string): string;
  /** Whether it was issued for this and not used yet; it never counts again. */
  use(challenge: string, purpose?: string): boolean;
}

const login = 'login';

/** Random, so that no login can be taken for a decision. @param clock monotonic milliseconds */
export function createChallenges(clock: () => number): Challenges {
  const open = new Map<string, { readonly until: number; readonly purpose: string }>();
  return {
    issue(purpose = login) {
      const challenge = randomBytes(32).toString('base64url');
      open.set(challenge, { until: clock() + challengeMs, purpose });
      const [oldest] = open.keys();
      if (open.size > atMost && oldest !== undefined) open.delete(oldest);
      return challenge;
    },
    use(challenge, purpose = login) {
      const one = open.get(challenge);
      open.delete(challenge);
      return one?.purpose === purpose && clock() < one.until;
    },
  };
}

/** Whether this passkey signed this challenge. */
export function isSignedBy(pin: PasskeyPin, challenge: string, assertion: PasskeySignature): boolean {
  const key = passkeyPublicKey(Buffer.from(pin.publicKey, 'base64'));
  return key !== null && assertionProblem(assertion, { key, binding: pin.passkey, challenge }) === null;
}
