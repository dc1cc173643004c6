/** Building blocks of record schemas, separate so that each family can use them. */
import * as z from 'zod';
import { sha256Hex } from '../kit/text.ts';
import { limits } from '../kit/words.ts';

export const list = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems).default([]);

/** A kind of record. Its schema is created on first use: short-lived programs meet few kinds. */
export interface RecordKindOf<K extends string, S extends z.ZodRawShape, V extends number = 1> {
  readonly kind: K;
  /** The version that is written. Earlier ones are still read. */
  readonly v: V;
  readonly schema: RecordSchema<K, S, V>;
  readonly earlier: Earlier | null;
}
type RecordSchema<K extends string, S extends z.ZodRawShape, V extends number> = z.ZodObject<
  { kind: z.ZodLiteral<K>; v: z.ZodLiteral<V> } & S
>;

/** The previous version, and how to convert its records to the next. */
interface Earlier {
  readonly of: KnownKind;
  readonly upcast: (record: never) => object;
}
type KnownKind = Pick<RecordKindOf<string, z.ZodRawShape, number>, 'kind' | 'v' | 'earlier'> & {
  readonly schema: z.ZodType;
};

export function record<K extends string, S extends z.ZodRawShape>(kind: K, shape: () => S): RecordKindOf<K, S> {
  return version({ kind, v: 1, shape, earlier: null });
}

/** A new version of a kind. `upcast` converts the members of the previous version. */
export function nextVersion<
  K extends string,
  B extends z.ZodRawShape,
  W extends number,
  S extends z.ZodRawShape,
  V extends number,
>(
  before: RecordKindOf<K, B, W>,
  { v, shape, upcast }: Next<z.output<RecordSchema<K, B, W>>, S, V>,
): RecordKindOf<K, S, V> {
  return version({ kind: before.kind, v, shape, earlier: { of: before, upcast } });
}

interface Next<Old, S extends z.ZodRawShape, V extends number> {
  readonly v: V;
  readonly shape: () => S;
  readonly upcast: (record: Old) => object;
}

function version<K extends string, S extends z.ZodRawShape, V extends number>({
  shape,
  ...known
}: Omit<RecordKindOf<K, S, V>, 'schema'> & { readonly shape: () => S }): RecordKindOf<K, S, V> {
  let made: RecordSchema<K, S, V> | undefined;
  return {
    ...known,
    get schema() {
      return (made ??= z.object({ kind: z.literal(known.kind), v: z.literal(known.v), ...shape() }));
    },
  };
}

const versioned = z.object({ v: z.int().positive() });

/** The version stated in a record; null without one. */
export function versionOf(raw: unknown): number | null {
  return versioned.safeParse(raw).data?.v ?? null;
}

/** Parses a record by the schema of its own version: the form covered by its signature. */
export function readAsWritten(known: KnownKind, raw: unknown): z.ZodSafeParseResult<unknown> {
  const { earlier } = known;
  return earlier && (versionOf(raw) ?? known.v) < known.v
    ? readAsWritten(earlier.of, raw)
    : known.schema.safeParse(raw);
}

/** Parses a record of any known version into the latest. */
export function readAsLatest(known: KnownKind, raw: unknown): z.ZodSafeParseResult<unknown> {
  const { earlier, kind, v } = known;
  if (!earlier || (versionOf(raw) ?? v) >= v) return known.schema.safeParse(raw);
  const before = readAsLatest(earlier.of, raw);
  if (!before.success) return before;
  return known.schema.safeParse({ ...earlier.upcast(before.data as never), kind, v });
}

/** How many records a human can sign at once with a passkey. */
export const passkeyBatch = 50;

/**
 * What a passkey's signature is over besides the challenge, which is in the client data: the hash of what other keys
 * sign. Each is base64url.
 */
const webauthn = z.strictObject({
  authenticatorData: z.base64url().max(2_000),
  clientDataJSON: z.base64url().max(8_000),
  /** The challenges of all records of the act, if it signed several at once (`challengeOfAll` in src/trust). */
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
