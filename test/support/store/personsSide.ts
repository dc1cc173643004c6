/** A person whose key is on their side of a remote window: both sides, without VS Code. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Act } from '../../../src/app/decision/elsewhere.ts';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { signOnPersonsSide, signRecoveryThere } from '../../../src/app/personsSide/signing.ts';
import type { PersonsSideContext } from '../../../src/app/personsSide/signing.ts';
import type { RecoverySigner } from '../../../src/app/recovery/recovery.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Described } from '../../../src/signer/kinds/kind.ts';
import { openKey } from '../../../src/signer/key.ts';
import { createSigning } from '../../../src/signer/sign.ts';
import type { PinnedKey } from '../../../src/trust/envelope.ts';

export interface PersonsSide {
  readonly pin: PinnedKey;
  /** What the person saw, in order, with its kind. */
  readonly seen: readonly (Described & { readonly kind: string })[];
  /** Why requests were refused there. */
  readonly refusals: readonly string[];
  /** Carries out an act; its person agrees. */
  sign<T>(act: Act<T>, known?: readonly object[]): Promise<T | null>;
  /** Signs a recovery. */
  readonly recoverer: RecoverySigner;
}

/** @param agrees what its person does with a request, while it is on the screen */
export async function openPersonsSide(
  workspace: Workspace,
  agrees: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<PersonsSide> {
  const kept = new Map<string, string>();
  const key = await openKey({
    get: (name) => Promise.resolve(kept.get(name)),
    store: (name, value) => Promise.resolve(void kept.set(name, value)),
  });
  const pin = enrolKey(workspace, Buffer.from(key.publicKey, 'base64'), 'Ada');
  const seen: (Described & { readonly kind: string })[] = [];
  const refusals: string[] = [];
  const there = createSigning({
    key: () => Promise.resolve(key),
    ask({ items }) {
      seen.push(...items.map(({ payload, describe }) => ({ kind: payload.action, ...describe(english) })));
      return agrees();
    },
    clock: () => performance.now(),
  });
  const sign: PersonsSideContext['sign'] = async (items) => {
    const parts = items.flatMap((item) => item.parts ?? []);
    const request = {
      ...{ v: 1, keyid: key.keyid, parts },
      items: items.map(({ payload, record, shown }) => ({ payload, record, shown })),
    };
    const reply = await there(JSON.parse(JSON.stringify(request)));
    if (reply.outcome === 'refused') refusals.push(reply.why);
    if (reply.outcome === 'declined') return null;
    assert.ok(reply.outcome === 'signed', JSON.stringify(reply));
    return reply.signatures;
  };
  return {
    pin,
    seen,
    refusals,
    sign: async (act, known) =>
      signOnPersonsSide({ store: await workspace.store(), newId: randomUUID, pin, known, sign }, act),
    recoverer: { pin, seal: (unsealed, shown) => signRecoveryThere({ pin, sign }, { ...unsealed, shown }) },
  };
}

/** As VS Code without a translation. */
export const english = {
  t: (text: string, ...values: (string | number)[]) =>
    text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
};
