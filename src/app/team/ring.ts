/**
 * Human acts on the key ring of a shared workspace: each makes records that a root key signs, for the server to append.
 * Only the editor imports this.
 */
import type { KeySigner } from '../decision/decisions.ts';
import { AppError } from '../workspace/errors.ts';
import { rootNames, type SharedRing } from '../workspace/sharedFile.ts';
import { keyId } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import {
  afterRing,
  hashOfRecord,
  ringMember,
  signRingRecord,
  type RingHead,
  type UnsignedRingRecord,
} from '../../trust/ringRecords.ts';

type Outcome = 'won' | 'lost' | 'duplicate';

export interface RingSigning {
  /** Holds the root key. */
  readonly signer: KeySigner;
  readonly now: () => string;
  /** Adds the bytes of a record after so many rows of the server's ring. `lost`: another row came first. */
  readonly append: (record: Uint8Array, after: number) => Promise<Outcome>;
}

export type Member = Pick<PinnedKey, 'publicKey' | 'name' | 'passkey'>;

/**
 * The first records of a ring: the signer's key as its root, and the keys that are trusted on this machine, so that
 * every earlier decision is as valid for the team as here.
 * @param pins including retired ones, which keep what they signed before
 */
export function foundingRecords(
  { signer, now }: Pick<RingSigning, 'signer' | 'now'>,
  workspace: string,
  pins: readonly PinnedKey[],
): readonly Buffer[] {
  const own = pins.find(({ keyid, retired }) => keyid === signer.keyid && !retired);
  if (!own) throw new AppError('denied', 'the key that begins the list of keys is not trusted here');
  const at = now();
  const records: Buffer[] = [];
  let head: RingHead | null = null;
  const add = (act: Act) => {
    const { seq, prev } = afterRing(head);
    const bytes = signRecord(signer, { v: 1, workspace, seq, prev, ...act, at, by: signer.keyid });
    records.push(bytes);
    head = { seq, hash: hashOfRecord(bytes) };
  };
  add({ act: 'root', key: keyOf(own) });
  for (const pin of pins.filter((one) => one !== own)) {
    add({ act: 'add', key: keyOf(pin) });
    if (pin.retired) add({ act: 'remove', key: keyOf(pin), upTo: pin.retired.upTo[workspace] ?? 0 });
  }
  return records;
}

/**
 * Lets a person's key sign decisions for the team, from then on and in all that it signed before.
 * @param ring as the form showed it
 * @throws AppError `denied` for a signer that is not a root, `bad_input`, `conflict`
 */
export async function addMember(signing: RingSigning, ring: SharedRing, member: Member): Promise<void> {
  const known = ring.pins.find(({ keyid }) => keyid === idOf(member.publicKey));
  if (known?.retired)
    throw new AppError('conflict', 'this key was removed and cannot be added again: ask for a new one');
  if (known) throw new AppError('conflict', `this key is already in the ring, as the key of ${known.name}`);
  await append(signing, ring, { act: 'add', key: keyOf(member) });
}

/**
 * Ends what a key signs: its earlier decisions stand. A root's key too, by another root.
 * @param upTo the journal's position that the form showed
 * @throws AppError as `addMember`
 */
export async function removeMember(
  signing: RingSigning,
  ring: SharedRing,
  { keyid, upTo }: { readonly keyid: string; readonly upTo: number },
): Promise<void> {
  const pin = ring.pins.find((one) => one.keyid === keyid && !one.retired);
  if (!pin) throw new AppError('conflict', 'this key is no longer in the ring: check again');
  if (keyid === signing.signer.keyid) throw new AppError('bad_input', 'the key that signs this cannot be removed');
  await append(signing, ring, { act: 'remove', key: keyOf(pin), upTo });
}

/**
 * Makes a member a root as well: a root can add and remove keys, and remove any other root.
 * @throws AppError as `addMember`
 */
export async function makeRoot(signing: RingSigning, ring: SharedRing, keyid: string): Promise<void> {
  const pin = ring.pins.find((one) => one.keyid === keyid && !one.retired);
  if (!pin) throw new AppError('conflict', 'this key is no longer in the ring: check again');
  if (ring.roots.includes(keyid)) throw new AppError('conflict', `the key of ${pin.name} is a root already`);
  await append(signing, ring, { act: 'makeRoot', key: keyOf(pin) });
}

type Act = UnsignedRingRecord extends infer R
  ? R extends UnsignedRingRecord
    ? Omit<R, 'v' | 'workspace' | 'seq' | 'prev' | 'at' | 'by'>
    : never
  : never;

async function append({ signer, now, append: send }: RingSigning, ring: SharedRing, act: Act): Promise<void> {
  if (!ring.roots.includes(signer.keyid))
    throw new AppError('denied', `only a root of this workspace can do this: ask ${rootNames(ring).join(' or ')}`);
  const { workspace, head } = ring;
  const record = { v: 1, workspace, ...afterRing(head), ...act, at: now(), by: signer.keyid } as const;
  const outcome = await send(signRecord(signer, record), ring.rows);
  if (outcome === 'lost') throw new AppError('conflict', 'the ring has changed since it was shown: check it again');
}

function signRecord(signer: KeySigner, record: UnsignedRingRecord): Buffer {
  return signRingRecord(record, (bytes) => signer.sign(bytes));
}

/** @throws AppError `bad_input` */
function keyOf({ publicKey, name, passkey }: Member): UnsignedRingRecord['key'] {
  const kind = passkey ? { kind: 'passkey', passkey } : { kind: 'human' };
  const given = ringMember().safeParse({ publicKey, name, ...kind });
  if (given.success) return given.data;
  const [issue] = given.error.issues;
  throw new AppError('bad_input', `${issue?.path.join('.') ?? 'key'}: ${issue?.message ?? 'is malformed'}`);
}

function idOf(publicKey: string): string {
  return keyId(Buffer.from(publicKey, 'base64'));
}
