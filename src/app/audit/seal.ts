/** Seals an exported audit: a human's signature over the journal's end. Only the editor imports this. */
import type { PinnedKey } from '../../trust/keyring.ts';
import { bundleOf, exportAction, formatBundle, sealedHash, type Audit } from './audit.ts';
import { seal, type KeySigner } from '../decision/decisions.ts';

export interface SealOptions {
  readonly signer: KeySigner;
  readonly newId: () => string;
  readonly now: string;
  readonly pins: readonly PinnedKey[];
  /** Hash of the content that the human saw when exporting. */
  readonly shown: string;
}

/** @throws AppError `conflict` when there is nothing to export, or the chain breaks */
export function sealedBundle(audit: Audit, bytes: Buffer, { signer, newId, now, pins, shown }: SealOptions): Buffer {
  const header = { ...bundleOf(audit, bytes, { exportedAt: now, pins }), seal: null };
  const envelope = seal(signer, {
    v: 1,
    workspace: header.workspace,
    action: exportAction,
    subject: 'journal',
    shown,
    recordHash: sealedHash(header),
    nonce: newId(),
    position: header.position,
    head: header.head,
    at: now,
    by: signer.name,
  });
  return formatBundle({ ...header, seal: envelope }, bytes);
}
