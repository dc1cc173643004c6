/**
 * The key ring of a shared workspace: records in a chain, each signed by a root key. The server only keeps their order.
 * Which keys are trusted follows from the records and from the root keys pinned on this machine, and from nothing else.
 * The pinned roots begin the chain; its records make further roots and remove some.
 */
import { verify } from 'node:crypto';
import * as z from 'zod';
import { passkeyBinding, passkeyPublicKey, ringKey, signerName } from '../core/records/decision.ts';
import { noLine } from '../core/records/parts.ts';
import { instant, sha256Hex } from '../core/kit/fields.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { idOf, keyIn, preAuthEncoding } from './envelope.ts';
import type { PinnedKey } from './keyring.ts';

/** Keeps signatures over ring records apart from those over decisions, which the same keys give. */
const payloadType = 'application/vnd.holdpoint.ring+json';

/** One line, because policies and lists name people by it. */
const memberName = () => signerName.refine((name) => !/[\r\n]/.test(name), 'must be one line');

const human = () => z.strictObject({ publicKey: ringKey, name: memberName(), kind: z.literal('human') });

/** A program that does not know passkeys refuses the ring, so that no key is trusted there. */
const passkey = () =>
  z.strictObject({
    publicKey: passkeyPublicKey,
    name: memberName(),
    kind: z.literal('passkey'),
    passkey: passkeyBinding(),
  });

export const ringMember = () => z.discriminatedUnion('kind', [human(), passkey()]);

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
    /** A trusted key becomes a root key, so that losing another root is not the end. */
    z.strictObject({ ...members(), act: z.literal('makeRoot') }),
    /** `upTo`: position in the journal from which its signatures are no longer valid. */
    z.strictObject({ ...members(), act: z.literal('remove'), upTo: z.int().nonnegative() }),
  ]);
let made: ReturnType<typeof makeRecord> | undefined;
const ringRecord = () => (made ??= makeRecord());
type RingRecord = z.infer<ReturnType<typeof makeRecord>>;

type WithoutSignature<R> = R extends RingRecord ? Omit<R, 'signature'> : never;
export type UnsignedRingRecord = WithoutSignature<RingRecord>;

/** End of the chain: the next record's `seq` and `prev` follow from it. */
export interface RingHead {
  readonly seq: number;
  readonly hash: string;
}

export interface VerifiedRing {
  readonly workspace: string;
  /** All keys that were ever trusted; a removed one is retired from its position on. */
  readonly pins: readonly PinnedKey[];
  /** Ids of the root keys in force. */
  readonly roots: readonly string[];
  /** Ids of the keys that signed a record. Each vouches for what came before its record. */
  readonly signers: readonly string[];
  readonly head: RingHead;
}

/** A row of the server's ring that is not the next record of the chain. It has no effect. */
export interface IgnoredRow {
  /** Counted from 1. */
  readonly row: number;
  readonly why: string;
}

export interface ReadRing {
  readonly ring: VerifiedRing;
  /** The chain, without what is ignored. */
  readonly records: readonly Uint8Array[];
  readonly ignored: readonly IgnoredRow[];
}

/** The bytes of a record, signed. @param sign Ed25519, by the root key that `by` names */
export function signRingRecord(record: UnsignedRingRecord, sign: (bytes: Uint8Array) => Uint8Array): Buffer {
  const signature = Buffer.from(sign(signedBytes(record))).toString('base64');
  return Buffer.from(canonicalJson({ ...record, signature }));
}

function signedBytes(record: UnsignedRingRecord): Uint8Array {
  return preAuthEncoding(payloadType, Buffer.from(canonicalJson(record)));
}

/** The first record has no predecessor. */
export function afterRing(head: RingHead | null): { readonly seq: number; readonly prev: string } {
  return head ? { seq: head.seq + 1, prev: head.hash } : { seq: 0, prev: noLine };
}

export function hashOfRecord(record: Uint8Array): string {
  return sha256(record);
}

/** The records do not make a key ring, so that no key is trusted. */
export class RingError extends Error {
  override readonly name = 'RingError';
}

export interface RingAnchor {
  readonly workspace: string;
  /** The root keys (SPKI DER, base64) that a human compared when joining. */
  readonly roots: readonly string[];
}

/**
 * @param records in order, as their bytes were signed
 * @throws RingError for anything wrong with any record
 */
export function verifyRing(records: readonly Uint8Array[], anchor: RingAnchor): VerifiedRing {
  const { ring, ignored } = readRing(records, anchor);
  const [first] = ignored;
  if (first) throw new RingError(`record ${String(first.row - 1)} of the list of keys ${first.why}`);
  return ring;
}

/**
 * Reads the rows of a server, whose administrators can add rows without a signature. A row is valid if it is the next
 * record of the chain so far; all others are ignored. So of two records for one place, the one that the server has
 * first is valid: a server that chooses the order of rows could also withhold one, so this gives it no new power.
 * @throws RingError when no row is valid
 */
export function readRing(rows: readonly Uint8Array[], { workspace, roots: pinned }: RingAnchor): ReadRing {
  const chain: Chain = { workspace, pinned, keys: new Map(), roots: new Map(), signers: new Set(), head: null };
  const records: Uint8Array[] = [];
  const ignored: IgnoredRow[] = [];
  for (const [index, bytes] of rows.entries()) {
    const why = extendChain(chain, bytes);
    if (why === null) records.push(bytes);
    else ignored.push({ row: index + 1, why });
  }
  const [first] = ignored;
  if (records.length === 0 && first)
    throw new RingError(`no record of the list of keys is valid: the first ${first.why}`);
  return { ring: ringOf(chain), records, ignored };
}

/** Ids of the roots whose fingerprint shows one who joins that this is the ring. */
export function vouchingKeys({ roots, signers }: Pick<VerifiedRing, 'roots' | 'signers'>): readonly string[] {
  return roots.filter((id) => signers.includes(id));
}

interface Chain {
  readonly workspace: string;
  readonly pinned: readonly string[];
  readonly keys: Map<string, PinnedKey>;
  /** Public keys of the roots in force, by id. */
  readonly roots: Map<string, string>;
  readonly signers: Set<string>;
  head: RingHead | null;
}

function ringOf({ workspace, keys, roots, signers, head }: Chain): VerifiedRing {
  if (!head) throw new RingError('the list of keys has no record');
  return { workspace, pins: [...keys.values()], roots: [...roots.keys()], signers: [...signers], head };
}

/** Adds the next record, or returns why it is not the next one; the chain is unchanged then. */
function extendChain(chain: Chain, bytes: Uint8Array): string | null {
  const record = parse(bytes);
  if (typeof record === 'string') return record;
  const { seq, prev } = afterRing(chain.head);
  if (record.workspace !== chain.workspace) return 'is of another workspace';
  if (record.seq !== seq) return `says that it is record ${String(record.seq)}, and record ${String(seq)} is the next`;
  if (record.prev !== prev) return 'does not follow the record before';
  const wrong = signatureProblem(
    record,
    record.act === 'root' ? rootItself(record, chain.pinned) : chain.roots.get(record.by),
  );
  const misfit = wrong ?? applyRecord(chain, record);
  if (misfit !== null) return misfit;
  chain.signers.add(record.by);
  chain.head = { seq, hash: hashOfRecord(bytes) };
  return null;
}

/** In bytes. The server takes none that is longer. */
const longest = 16_384;

/** Or why it is not a record. */
function parse(bytes: Uint8Array): RingRecord | string {
  if (bytes.length > longest) return 'is too long';
  let raw: unknown;
  try {
    raw = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return 'is not JSON';
  }
  const record = ringRecord().safeParse(raw).data;
  // Every record has one form, so that nothing in it escapes the signature.
  return record && Buffer.from(canonicalJson(record)).equals(bytes) ? record : 'is malformed';
}

/** A root record is signed by the key it names, which must be pinned. Returns that key. */
function rootItself({ key, by }: RingRecord, pinned: readonly string[]): string | undefined {
  return pinned.includes(key.publicKey) && idOf(key) === by ? key.publicKey : undefined;
}

function signatureProblem({ signature, ...record }: RingRecord, root: string | undefined): string | null {
  if (root === undefined) return 'is signed by a key that is not a team owner key here';
  const key = keyIn({ publicKey: root });
  const isGenuine = verify(null, signedBytes(record), key, Buffer.from(signature, 'base64'));
  return isGenuine ? null : 'has no valid signature';
}

/** Returns why the record cannot be applied. */
function applyRecord({ keys, roots }: Chain, record: RingRecord): string | null {
  const { publicKey, name } = record.key;
  // Records are signed without a browser.
  if (record.key.kind === 'passkey' && (record.act === 'root' || record.act === 'makeRoot'))
    return 'makes a passkey a team owner key';
  const binding = record.key.kind === 'passkey' ? { passkey: record.key.passkey } : {};
  const keyid = idOf(record.key);
  const known = keys.get(keyid);
  if (record.act === 'remove' || record.act === 'makeRoot') {
    if (!known || known.retired) return 'is about a key that is not trusted';
    if (known.publicKey !== publicKey || known.name !== name) return 'is about a key under another name';
    if (record.act === 'makeRoot') {
      if (roots.has(keyid)) return 'is about a key that is a root already';
      roots.set(keyid, publicKey);
      return null;
    }
    // So a root always remains: the one that signs.
    if (record.by === keyid) return 'removes the key that signs it';
    const upTo = { [record.workspace]: record.upTo };
    keys.set(keyid, { ...known, retired: { at: record.at, why: 'takenOut', upTo } });
    roots.delete(keyid);
    return null;
  }
  // A removed key never comes back.
  if (known) return 'adds a key that was added before';
  keys.set(keyid, { keyid, publicKey, name, enrolledAt: record.at, ...binding });
  if (record.act === 'root') roots.set(keyid, publicKey);
  return null;
}
