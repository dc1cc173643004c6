/**
 * What a workspace asks of the person's side of a remote window, and its reply, as JSON between extension hosts. Any
 * extension on the remote machine can send it: the other side trusts nothing in it (`src/signer/check.ts`).
 */
import * as z from 'zod';
import { sha256Hex } from '../../core/kit/text.ts';
import { decisionPayload } from '../../core/records/decision.ts';
import { passkeyBatch } from '../../core/records/parts.ts';

/** Commands of the extension Holdpoint Signer. */
export const signerCommands = {
  publicKey: 'holdpointSigner.publicKey',
  sign: 'holdpointSigner.sign',
  newKey: 'holdpointSigner.newKey',
} as const;

export const signerKey = z.strictObject({ keyid: sha256Hex, publicKey: z.base64().max(200) });
export type SignerKey = z.infer<typeof signerKey>;

/** An RFC has its document, and each comment and reply. */
const partsAtMost = 5000;

const json = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);

export const signingRequest = z.strictObject({
  v: z.literal(1),
  /** The key that must sign. */
  keyid: sha256Hex,
  /** All of them, or none, are signed. */
  items: z
    .array(
      z.strictObject({
        payload: decisionPayload,
        /** The record without its envelope: `recordHash` is its hash. */
        record: z.record(z.string(), z.unknown()),
        /** What the payload's `shown` is the hash of. */
        shown: json,
      }),
    )
    .min(1)
    .max(passkeyBatch),
  /** Texts that records or shown content name by their hash. */
  parts: z.array(json).max(partsAtMost).default([]),
});
export type SigningRequest = z.infer<typeof signingRequest>;

export const signingReply = z.discriminatedUnion('outcome', [
  /** One signature for each item, base64. */
  z.strictObject({ outcome: z.literal('signed'), signatures: z.array(z.base64().max(200)) }),
  z.strictObject({ outcome: z.literal('declined') }),
  /** Another request is waiting for its person. */
  z.strictObject({ outcome: z.literal('busy') }),
  /** It is not what it claims to be, or cannot be signed there. */
  z.strictObject({ outcome: z.literal('refused'), why: z.string() }),
]);
export type SigningReply = z.infer<typeof signingReply>;
