/** What lists say of imported history: how much there is and where, for none of it is theirs. */
import type { HistoryKind } from '../../core/records/import.ts';

/** One line, or none. */
export function besides(count: number, kind: HistoryKind): string[] {
  if (count === 0) return [];
  const are = count === 1 ? '1 more is history' : `${String(count)} more are history`;
  return [`${are} from elsewhere, imported and not verified: holdpoint history --kind ${kind}`];
}
