/** Marks audit entries that name a human whom no signature confirms. */
import { sameNameKey } from '../../core/kit/text.ts';
import type { AuditEntry, AuditSummary } from './audit.ts';

/** Whether only its line says that a human did it, or somebody with the name of one who signs: anybody can write that. */
export function isUnsignedHuman(
  { mark, actor_kind: kind, who }: Pick<AuditEntry, 'mark' | 'actor_kind' | 'who'>,
  { signers }: Pick<AuditSummary, 'signers'>,
): boolean {
  if (mark === 'verified') return false;
  return kind === 'human' || signers.some(({ name }) => sameNameKey(name) === sameNameKey(who));
}
