/**
 * The key ring of a shared workspace: records in a chain, each signed by a root key. The server only keeps their order.
 * Which keys count follows from the records and from the root keys pinned on this machine, and from nothing else.
 */
import { createPublicKey, verify } from 'node:crypto';
import * as z from 'zod';
import { signerName } from '../core/records/decision.ts';
import { noLine } from '../core/records/records.ts';
import { ringKey } from '../core/records/sharing.ts';
import { instant, sha256Hex } from '../core/kit/text.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { keyId, preAuthEncoding } from './envelope.ts';
import type { PinnedKey } from './envelope.ts';

/** Keeps signatures over ring records apart from those over decisions, which the same keys give. */
const payloadType = 'application/vnd.holdpoint.ring+json';

export const ringMember = () =>
  z.strictObject({
    publicKey: ringKey,
    /** One line, because policies and lists name people by it. */
    name: signerName.refine((name) => !/[\r\n]/.test(name), 'must be one line'),
    kind: z.literal('human'),
  });

const members = () => ({
  v: z.literal(1),
  workspace: z.uuid(),
  /** 0, 1, 2 and so on. */
  seq: z.int().nonnegative(),
  /** SHA-256 of the record before; 64 zeros in the first. */
  prev: sha256Hex,
  key: ringMember(),
  at: instant,
  /** Id of the root key that signs. */
  by: sha256Hex,
  /** Ed25519, base64. */
  signature: z.string().regex(/^[A-Za-z0-9+/]{85}[AQgw]==$/),
});

const makeRecord = () =>
  z.discriminatedUnion('act', [
    /** A pinned root key gives itself its name. */
    z.strictObject({ ...members(), act: z.literal('root') }),
    z.strictObject({ ...members(), act: z.literal('add') }),
    /** `upTo`: position in the journal from which its signatures no longer count. */
    z.strictObject({ ...members(), act: z.literal('remove'), upTo: z.int().nonnegative() }),
  ]);
let made: ReturnType<typeof makeRecord> | undefined;
const ringRecord = () => (made ??= makeRecord());
export type RingRecord = z.infer<ReturnType<typeof makeRecord>>;

type WithoutSignature<R> = R extends RingRecord ? Omit<R, 'signature'> : never;
export type UnsignedRingRecord = WithoutSignature<RingRecord>;

/** End of the chain: the next record's `seq` and `prev` follow from it. */
export interface RingHead {
  readonly seq: number;
  readonly hash: string;
}

export interface VerifiedRing {
  readonly workspace: string;
  /** All keys that ever counted; a removed one is retired from its position on. */
  readonly pins: readonly PinnedKey[];
  /** Ids of the root keys in force. */
  readonly roots: readonly string[];
  readonly head: RingHead;
}

/** The bytes of a record, signed. @param sign Ed25519, by the root key that `by` names */
export function signRingRecord(record: UnsignedRingRecord, sign: (bytes: Uint8Array) => Uint8Array): Buffer {
  const signature = Buffer.from(sign(signedBytes(record))).toString('base64');
  return Buffer.from(canonicalJson({ ...record, signature }));
}

function signedBytes(record: UnsignedRingRecord): Buffer {
  return preAuthEncoding(payloadType, Buffer.from(canonicalJson(record)));
}

/** The first record has no predecessor. */
export function afterRing(head: RingHead | null): { readonly seq: number; readonly prev: string } {
  return head ? { seq: head.seq + 1, prev: head.hash } : { seq: 0, prev: noLine };
}

export function hashOfRecord(record: Uint8Array): string {
  return sha256(record);
}

/** The records do not make a key ring, so that no key counts. */
export class RingError extends Error {
  override readonly name = 'RingError';
}

/**
 * @param records in order, as their bytes were signed
 * @param pinned the root keys (SPKI DER, base64) that a human compared when joining
 * @throws RingError for anything wrong with any record
 */
export function verifyRing(
  records: readonly Uint8Array[],
  { workspace, roots: pinned }: { readonly workspace: string; readonly roots: readonly string[] },
): VerifiedRing {
  const keys = new Map<string, PinnedKey>();
  const roots = new Map<string, string>();
  let head: RingHead | null = null;
  for (const bytes of records) {
    const record = parse(bytes);
    const where = `record ${String(record.seq)} of the key ring`;
    const { seq, prev } = afterRing(head);
    if (record.workspace !== workspace) throw new RingError(`${where} is of another workspace`);
    if (record.seq !== seq) throw new RingError(`record ${String(seq)} of the key ring is missing`);
    if (record.prev !== prev) throw new RingError(`${where} does not follow the record before`);
    const wrong = signatureProblem(record, record.act === 'root' ? rootItself(record, pinned) : roots.get(record.by));
    if (wrong !== null) throw new RingError(`${where} ${wrong}`);
    const misfit = applyRecord({ keys, roots }, record);
    if (misfit !== null) throw new RingError(`${where} ${misfit}`);
    head = { seq, hash: hashOfRecord(bytes) };
  }
  if (!head) throw new RingError('the key ring has no record');
  return { workspace, pins: [...keys.values()], roots: [...roots.keys()], head };
}

function parse(bytes: Uint8Array): RingRecord {
  let raw: unknown;
  try {
    raw = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new RingError('a record of the key ring is not JSON');
  }
  const record = ringRecord().safeParse(raw);
  // Every record has one form, so that nothing in it escapes the signature.
  if (!record.success || !Buffer.from(canonicalJson(record.data)).equals(bytes))
    throw new RingError('a record of the key ring is malformed');
  return record.data;
}

/** A root record is signed by the key it names, which must be pinned. Returns that key. */
function rootItself({ key, by }: RingRecord, pinned: readonly string[]): string | undefined {
  return pinned.includes(key.publicKey) && idOf(key.publicKey) === by ? key.publicKey : undefined;
}

function signatureProblem({ signature, ...record }: RingRecord, root: string | undefined): string | null {
  if (root === undefined) return 'is signed by a key that is not a root key here';
  const key = createPublicKey({ key: Buffer.from(root, 'base64'), format: 'der', type: 'spki' });
  const isGenuine = verify(null, signedBytes(record), key, Buffer.from(signature, 'base64'));
  return isGenuine ? null : 'has no valid signature';
}

interface Ring {
  readonly keys: Map<string, PinnedKey>;
  /** Public keys of the roots in force, by id. */
  readonly roots: Map<string, string>;
}

/** Returns why the record cannot be applied. */
function applyRecord({ keys, roots }: Ring, record: RingRecord): string | null {
  const { publicKey, name } = record.key;
  const keyid = idOf(publicKey);
  const known = keys.get(keyid);
  if (record.act === 'remove') {
    if (!known || known.retired) return 'removes a key that does not count';
    if (known.publicKey !== publicKey || known.name !== name) return 'removes a key under another name';
    if (roots.has(keyid) && roots.size === 1) return 'removes the last root key';
    const upTo = { [record.workspace]: record.upTo };
    keys.set(keyid, { ...known, retired: { at: record.at, why: 'takenOut', upTo } });
    roots.delete(keyid);
    return null;
  }
  // A removed key never comes back.
  if (known) return 'adds a key that was added before';
  keys.set(keyid, { keyid, publicKey, name, enrolledAt: record.at });
  if (record.act === 'root') roots.set(keyid, publicKey);
  return null;
}

function idOf(publicKey: string): string {
  return keyId(Buffer.from(publicKey, 'base64'));
}
