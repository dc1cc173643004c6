/** What a human signed a decision with: for lists, forms and tools. */
export type SignedWith = 'key' | 'passkey';

/** For documents and the command line, after a person's name; empty for a key of the editor. */
export function passkeyWords(signed: SignedWith | null): string {
  return signed === 'passkey' ? ', signed with a passkey, verified by PIN or fingerprint' : '';
}

export function signedWith(
  by: { readonly keyid: string; readonly passkey?: true } | null | undefined,
): SignedWith | null {
  if (!by || by.keyid === '') return null;
  return by.passkey ? 'passkey' : 'key';
}
