/** What a human signed a decision with: for lists, forms and tools. */
export type SignedWith = 'key' | 'passkey';

export function signedWith(
  by: { readonly keyid: string; readonly passkey?: true } | null | undefined,
): SignedWith | null {
  if (!by || by.keyid === '') return null;
  return by.passkey ? 'passkey' : 'key';
}
