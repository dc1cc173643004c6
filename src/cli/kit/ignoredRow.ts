/** The warning about a row of the team's key ring that is ignored. */
import type { IgnoredRow } from '../../trust/ringRecords.ts';

/** A warning, not a fault: such a row has no effect. */
export function ignoredRowText({ row, why }: IgnoredRow): string {
  return `Warning: row ${String(row)} of the team's list of keys is ignored, because it ${why}. Someone added it on the server.`;
}
