/** What record schemas are made of. A file of its own, so that each family of records can have one too. */
import * as z from 'zod';
import { sha256Hex } from '../kit/text.ts';
import { limits } from '../kit/words.ts';

export const list = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems).default([]);

/** A kind of record. Its schema is made with the first record of it: a program meets few kinds, and is started often. */
export interface RecordKindOf<K extends string, S extends z.ZodRawShape> {
  readonly kind: K;
  readonly schema: RecordSchema<K, S>;
}
type RecordSchema<K extends string, S extends z.ZodRawShape> = z.ZodObject<
  { kind: z.ZodLiteral<K>; v: z.ZodLiteral<1> } & S
>;

export function record<K extends string, S extends z.ZodRawShape>(kind: K, shape: () => S): RecordKindOf<K, S> {
  let made: RecordSchema<K, S> | undefined;
  return {
    kind,
    get schema() {
      return (made ??= z.object({ kind: z.literal(kind), v: z.literal(1), ...shape() }));
    },
  };
}

/** DSSE-style envelope: signatures over the exact payload bytes. Source: DSSE v1 (secure-systems-lab). */
export const envelope = z.object({
  payloadType: z.literal('application/vnd.holdpoint.decision+json'),
  payload: z.base64(),
  signatures: z
    .array(z.object({ keyid: sha256Hex, sig: z.base64() }))
    .min(1)
    .max(4),
});
export type Envelope = z.infer<typeof envelope>;
