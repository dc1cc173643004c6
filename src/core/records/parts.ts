/** Building blocks of record schemas, separate so that each family can use them. */
import * as z from 'zod';
import { sha256Hex } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';

export const list = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems).default([]);

/** A kind of record. Its schema is created on first use: short-lived programs meet few kinds. */
export interface RecordKindOf<K extends string, S extends z.ZodRawShape> {
  readonly kind: K;
  readonly schema: RecordSchema<K, S>;
}
type RecordSchema<K extends string, S extends z.ZodRawShape> = z.ZodObject<
  { kind: z.ZodLiteral<K>; v: z.ZodLiteral<typeof recordVersion> } & S
>;

/** The value of a record, as states keep it. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export type ItemOf<List extends readonly unknown[]> = List[number];

/** `v` of every record. A program refuses records of a later version. */
export const recordVersion = 1;

export function record<K extends string, S extends z.ZodRawShape>(kind: K, shape: () => S): RecordKindOf<K, S> {
  let made: RecordSchema<K, S> | undefined;
  return {
    kind,
    get schema() {
      return (made ??= z.object({ kind: z.literal(kind), v: z.literal(recordVersion), ...shape() }));
    },
  };
}

const versioned = z.object({ v: z.int().positive() });

export function versionOf(raw: unknown): number | null {
  return versioned.safeParse(raw).data?.v ?? null;
}

/** How many records a human can sign together with a passkey. */
export const passkeyBatch = 50;

/**
 * What a passkey's signature is over besides the challenge, which is in the client data: the hash of what other keys
 * sign. Each is base64url.
 */
const webauthn = z.strictObject({
  authenticatorData: z.base64url().max(2_000),
  clientDataJSON: z.base64url().max(8_000),
  /** The challenges of all records of the act, if it signed several together (`challengeOfAll` in src/trust). */
  batch: z.array(z.base64url().length(43)).min(2).max(passkeyBatch).optional(),
});

/** DSSE-style envelope: signatures over the exact payload bytes. Source: DSSE v1 (secure-systems-lab). */
export const envelope = z.object({
  payloadType: z.literal('application/vnd.holdpoint.decision+json'),
  payload: z.base64(),
  signatures: z
    .array(z.object({ keyid: sha256Hex, sig: z.base64(), webauthn: webauthn.optional() }))
    .min(1)
    .max(4),
});
export type Envelope = z.infer<typeof envelope>;

// What every program knows of the journal before it reads a record.

export const format = { current: 1, minReader: 1, minWriter: 1 } as const;
/** Development versions asked for 2 to 13, all of which this program reads: the next format is 14. */
export const lastOfDevelopment = 13;

/** `prev` of the very first line. */
export const noLine = '0'.repeat(64);
