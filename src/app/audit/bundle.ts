/**
 * An audit as one file that a third party can check without the store: a JSON header line, then the journal byte for
 * byte. The journal contains every signed decision, and each decision vouches for the chain before it, because it names
 * the hash of the preceding line. The seal is a human's signature over the journal's end, and so covers what came after
 * the last decision. Only the editor can create seals; in an unsealed bundle from a shell, acts after the last decision
 * could be cut off unnoticed.
 */
import * as z from 'zod';
import { envelope } from '../../core/records/parts.ts';
import { instant, sha256Hex } from '../../core/kit/fields.ts';
import type { State } from '../../core/state/state.ts';
import { hashOf, sha256 } from '../../trust/canonical.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { auditBytes, type Audit, type AuditSummary } from './audit.ts';
import { AppError } from '../workspace/errors.ts';

/** What a human signs when exporting. Not a record kind, so the signature decides nothing. */
export const exportAction = 'audit.exported';

const content = {
  holdpoint: z.literal('audit'),
  v: z.literal(1),
  workspace: z.uuid(),
  position: z.int().positive(),
  head: sha256Hex,
  /** Length in bytes and hash of the journal that follows. */
  size: z.int().positive(),
  journalHash: sha256Hex,
  exportedAt: instant,
  /** Keys known to the exporter, as labels only: the verifier brings trusted keys. */
  keys: z.array(z.strictObject({ keyid: sha256Hex, publicKey: z.base64(), name: z.string().max(200) })).max(1_000),
};
const bundleHeader = z.strictObject({ ...content, seal: envelope.nullable() });
export type BundleHeader = z.infer<typeof bundleHeader>;
export type BundleContent = Omit<BundleHeader, 'seal'>;

/**
 * @throws AppError `conflict` when there is nothing to export, or the chain breaks: a copy of a damaged journal proves
 * nothing
 */
export function bundleOf(
  { walk }: Audit,
  bytes: Buffer,
  { exportedAt, pins }: { readonly exportedAt: string; readonly pins: readonly PinnedKey[] },
): BundleContent {
  if (walk.fault) throw new AppError('conflict', `this cannot be exported: ${walk.fault.why}`);
  if (!walk.state.workspace) throw new AppError('conflict', 'nothing has been recorded here yet');
  return {
    holdpoint: 'audit',
    v: 1,
    workspace: walk.state.workspace.id,
    position: walk.position,
    head: walk.head,
    size: bytes.length,
    journalHash: sha256(bytes),
    exportedAt,
    keys: pins.map(({ keyid, publicKey, name }) => ({ keyid, publicKey, name })),
  };
}

export function formatBundle(header: BundleHeader, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(JSON.stringify(header)), Buffer.from('\n'), bytes]);
}

export interface CheckedBundle {
  readonly header: BundleHeader;
  readonly audit: Audit;
  /** Who sealed it; null for an unsealed bundle. */
  readonly seal: { readonly by: string; readonly at: string; readonly keyid: string } | null;
  readonly summary: AuditSummary;
}

/**
 * Checks a bundle against trusted keys. Problems are in the summary's faults.
 * @param onStep progress in bytes
 * @throws AppError `bad_input` when it is not a bundle
 */
export function checkBundle(
  file: Buffer,
  keys: readonly PinnedKey[],
  onStep: (done: number) => void = () => undefined,
): CheckedBundle {
  const { header, journal, isAsWritten } = split(file);
  const audit = auditBytes(journal, keys, onStep);
  const faults: string[] = isAsWritten ? [] : ['Its first line is not written as Holdpoint writes it.'];
  const { walk } = audit;
  if (journal.length !== header.size || sha256(journal) !== header.journalHash)
    faults.push('Its journal is not the exported one.');
  else if (walk.position !== header.position || walk.head !== header.head)
    faults.push('Its journal does not end where stated.');
  if (walk.state.workspace?.id !== header.workspace) faults.push('It comes from a different workspace than stated.');
  const seal = sealOf(header, keys, walk.state);
  if (typeof seal === 'string') faults.push(seal);
  return {
    header,
    audit,
    seal: typeof seal === 'string' ? null : seal,
    summary: audit.summary(faults),
  };
}

interface Parts {
  readonly header: BundleHeader;
  readonly journal: Buffer;
  /** JSON can be written in many ways, with members twice too, and a seal covers only what it means here. */
  readonly isAsWritten: boolean;
}

function split(file: Buffer): Parts {
  const end = file.indexOf('\n');
  const line = file.subarray(0, Math.max(end, 0));
  let raw: unknown = null;
  try {
    raw = JSON.parse(line.toString('utf8'));
  } catch {
    // Reported below.
  }
  const header = bundleHeader.safeParse(raw);
  if (!header.success) throw new AppError('bad_input', 'this is not an audit exported by Holdpoint');
  const isAsWritten = line.equals(Buffer.from(JSON.stringify(raw))) && isSealAsWritten(header.data);
  return { header: header.data, journal: file.subarray(end + 1), isAsWritten };
}

/** The last digit of base64 can have bits that no byte has. */
function isSealAsWritten({ seal }: BundleHeader): boolean {
  const parts = seal === null ? [] : [seal.payload, ...seal.signatures.map(({ sig }) => sig)];
  return parts.every((part) => Buffer.from(part, 'base64').toString('base64') === part);
}

/** Hash of the header without its seal. */
export function sealedHash({ seal: _, ...header }: BundleHeader): string {
  return hashOf(header);
}

/** Who sealed it, null without a seal, or the problem with the seal. */
function sealOf(header: BundleHeader, keys: readonly PinnedKey[], state: State): CheckedBundle['seal'] | string {
  if (!header.seal) return null;
  const verified = createTrust(() => keys).verify(header.seal);
  if ('why' in verified) return `Its signature ${verified.why}.`;
  const { payload, keyid } = verified;
  const ended = state.retiredKeys.get(keyid);
  if (ended !== undefined) return `It is signed by a key that was removed at ${ended}.`;
  const fits =
    payload.action === exportAction &&
    payload.subject === 'journal' &&
    payload.workspace === header.workspace &&
    payload.head === header.head &&
    payload.position === header.position &&
    payload.recordHash === sealedHash(header);
  return fits ? { by: payload.by, at: payload.at, keyid } : 'Its signature is for something else.';
}
