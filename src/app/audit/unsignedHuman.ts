import type { AuditEntry } from './audit.ts';

/** Whether only its line says that a human did it: anybody can write that. */
export function isUnsignedHuman({ mark, actor_kind: kind }: Pick<AuditEntry, 'mark' | 'actor_kind'>): boolean {
  return mark !== 'verified' && kind === 'human';
}
