/** Passkeys of this browser: signing, signing in, and making one. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ask, postJson } from './http.ts';

interface Assertion {
  readonly credentialId: string;
  readonly assertion: {
    readonly authenticatorData: string;
    readonly clientDataJSON: string;
    readonly signature: string;
  };
}

/** Null if the human gave no signature. */
export async function assertionFor(options: unknown): Promise<Assertion | null> {
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    const { id, response } = await startAuthentication({ optionsJSON });
    const { authenticatorData, clientDataJSON, signature } = response;
    return { credentialId: id, assertion: { authenticatorData, clientDataJSON, signature } };
  } catch {
    return null;
  }
}

/** Whether a passkey of this address is known to the server, with what signing in takes. */
export async function loginOptions(): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const { status, data } = await ask('/session/challenge', {});
  const options = data as PublicKeyCredentialRequestOptionsJSON;
  return status === 200 && (options.allowCredentials ?? []).length > 0 ? options : null;
}

export async function signInWith(options: PublicKeyCredentialRequestOptionsJSON): Promise<boolean> {
  const made = await assertionFor(options);
  if (!made) return false;
  return (await postJson('/session/passkey', { challenge: options.challenge, ...made })) === 200;
}

/** Makes a passkey and offers it. Returns the code for the editor, or null. */
export async function offerPasskey(label: string): Promise<string | null> {
  const { status, data } = await ask('/passkeys/options', {});
  if (status !== 200) return null;
  try {
    const optionsJSON = data as PublicKeyCredentialCreationOptionsJSON;
    const { id, rawId, type, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject } = response;
    const registration = { id, rawId, type, response: { clientDataJSON, attestationObject } };
    const offered = await ask('/passkeys/offer', { registration, label });
    return offered.status === 200 ? (offered.data as { code: string }).code : null;
  } catch {
    return null;
  }
}
