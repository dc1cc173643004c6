/**
 * An audit as one file that a stranger can check without the store: a line of JSON that says what follows, then the
 * journal, byte for byte. The journal has every signed decision in it, and each of them vouches for the chain before it
 * (a decision names the hash of the line it follows). The seal is a human's signature over where the journal ended: it
 * vouches for what came after the last decision too. Only the editor can make one; a bundle from a shell has none, so
 * acts of agents cut off behind the last decision are not missed there.
 */
import * as z from 'zod';
import { envelope } from '../../core/records/parts.ts';
import { instant, sha256Hex } from '../../core/kit/text.ts';
import { hashOf, sha256 } from '../../trust/canonical.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { openAudit } from './audit.ts';
import type { Audit, AuditSummary } from './audit.ts';
import { AppError } from '../workspace/errors.ts';

/** What a human signs when exporting. It is no kind of record: such a signature decides nothing. */
export const exportAction = 'audit.exported';

const content = {
  holdpoint: z.literal('audit'),
  v: z.literal(1),
  workspace: z.uuid(),
  position: z.int().positive(),
  head: sha256Hex,
  /** Bytes of the journal that follow, and their hash. */
  size: z.int().positive(),
  journalHash: sha256Hex,
  exportedAt: instant,
  /** Whose keys the exporter knew. Names for keys, nothing more: whoever checks brings keys of their own. */
  keys: z.array(z.object({ keyid: sha256Hex, publicKey: z.base64(), name: z.string().max(200) })).max(1_000),
};
const bundleHeader = z.strictObject({ ...content, seal: envelope.nullable() });
export type BundleHeader = z.infer<typeof bundleHeader>;
export type BundleContent = Omit<BundleHeader, 'seal'>;

/** @throws AppError `conflict` when there is nothing to export, or the chain breaks: a copy of damage proves nothing */
export function bundleOf(
  { walk }: Audit,
  bytes: Buffer,
  { exportedAt, pins }: { readonly exportedAt: string; readonly pins: readonly PinnedKey[] },
): BundleContent {
  if (walk.fault) throw new AppError('conflict', `this cannot be exported: ${walk.fault.why}`);
  if (!walk.state.workspace) throw new AppError('conflict', 'nothing was recorded here yet');
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
  /** Who sealed it; null where nobody did. */
  readonly seal: { readonly by: string; readonly at: string; readonly keyid: string } | null;
  readonly summary: AuditSummary;
}

/**
 * Checks a bundle against keys from elsewhere. What is wrong is in the summary's faults.
 * @param onStep how far it got, bytes
 * @throws AppError `bad_input` when it is no bundle
 */
export function checkBundle(
  file: Buffer,
  keys: readonly PinnedKey[],
  onStep: (done: number) => void = () => undefined,
): CheckedBundle {
  const { header, journal } = split(file);
  const trust = createTrust(() => keys);
  const audit = openAudit(trust);
  for (const done of audit.follow(journal)) onStep(done);
  const faults: string[] = [];
  const { walk } = audit;
  if (journal.length !== header.size || sha256(journal) !== header.journalHash)
    faults.push('The journal in it is not the one that was exported.');
  else if (walk.position !== header.position || walk.head !== header.head)
    faults.push('The journal in it does not end where it says.');
  if (walk.state.workspace?.id !== header.workspace) faults.push('It is of another workspace than it says.');
  const seal = sealOf(header, keys);
  if (typeof seal === 'string') faults.push(seal);
  return {
    header,
    audit,
    seal: typeof seal === 'string' ? null : seal,
    summary: audit.summary(faults),
  };
}

function split(file: Buffer): { header: BundleHeader; journal: Buffer } {
  const end = file.indexOf('\n');
  let raw: unknown = null;
  try {
    raw = JSON.parse(file.toString('utf8', 0, Math.max(end, 0)));
  } catch {
    // Told below.
  }
  const header = bundleHeader.safeParse(raw);
  if (!header.success) throw new AppError('bad_input', 'this is not an audit exported by Holdpoint');
  return { header: header.data, journal: file.subarray(end + 1) };
}

/** Hash of all that a bundle's first line says, but its seal. */
export function sealedHash({ seal: _, ...header }: BundleHeader): string {
  return hashOf(header);
}

/** Who sealed it, null where nobody did, or what is wrong with the seal. */
function sealOf(header: BundleHeader, keys: readonly PinnedKey[]): CheckedBundle['seal'] | string {
  if (!header.seal) return null;
  const verified = createTrust(() => keys).verify(header.seal);
  if ('why' in verified) return `Its seal ${verified.why}.`;
  const { payload, keyid } = verified;
  const fits =
    payload.action === exportAction &&
    payload.subject === 'journal' &&
    payload.workspace === header.workspace &&
    payload.head === header.head &&
    payload.position === header.position &&
    payload.recordHash === sealedHash(header);
  return fits ? { by: payload.by, at: payload.at, keyid } : 'Its seal was given for something else.';
}
