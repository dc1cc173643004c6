/**
 * Answers one request: checks it, shows it, and signs it if its person says so. While agents write, the journal grows
 * between the click and the record; the same decision is then signed for its new place without a second click. It
 * cannot count twice, because its nonce stays the same.
 */
import type { SigningReply, SigningRequest } from '../protocol/kit/signing.ts';
import { canonicalJson } from '../trust/canonical.ts';
import { payloadType, preAuthEncoding } from '../trust/envelope.ts';
import { checkRequest } from './check.ts';
import type { CheckedRequest } from './check.ts';
import { RefusedRequest } from './kinds/kind.ts';
import type { Key } from './key.ts';

export interface SigningOptions {
  readonly key: () => Promise<Key>;
  /** Whether the person agrees, in a window of their own side. */
  readonly ask: (request: CheckedRequest) => Promise<boolean>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** How long a decision that was agreed to is signed for a new place. */
const agreedForMs = 10_000;

export type Sign = (raw: unknown) => Promise<SigningReply>;

export function createSigning({ key, ask, clock }: SigningOptions): Sign {
  let isAsking = false;
  let agreed: { readonly content: string; readonly until: number } | null = null;

  async function answer(raw: unknown): Promise<SigningReply> {
    const request = await checkRequest(raw);
    const own = await key();
    if (request.keyid !== own.keyid) throw new RefusedRequest('the request is for another key');
    const content = contentOf(request);
    if (agreed?.content !== content || clock() > agreed.until) {
      if (isAsking) return { outcome: 'busy' };
      isAsking = true;
      const isAgreed = await ask(request).finally(() => {
        isAsking = false;
      });
      if (!isAgreed) return { outcome: 'declined' };
      agreed = { content, until: clock() + agreedForMs };
    }
    const signatures = await Promise.all(request.items.map(({ payload }) => own.sign(signedBytes(payload))));
    return { outcome: 'signed', signatures };
  }

  return async (raw) => {
    try {
      return await answer(raw);
    } catch (error) {
      if (error instanceof RefusedRequest) return { outcome: 'refused', why: error.message };
      throw error;
    }
  };
}

/** Everything but the place in the journal. A recovery is for one place only, which is the journal that it leads to. */
function contentOf({ items, ...rest }: CheckedRequest): string {
  return canonicalJson({
    ...rest,
    items: items.map(({ payload }) => {
      const { position: _, head: __, ...decision } = payload;
      return payload.subject === 'journal' ? payload : decision;
    }),
  });
}

type Payload = SigningRequest['items'][number]['payload'];

function signedBytes(payload: Payload): Uint8Array<ArrayBuffer> {
  return preAuthEncoding(payloadType, new TextEncoder().encode(canonicalJson(payload)));
}
