/** When humans widened a question or RFC to every file, and narrowed it again: part of its history. */
import type { View } from '../../store/store.ts';

export interface WideningStep {
  readonly how: 'all' | 'named';
  readonly by: string;
  readonly at: string;
}

/** Oldest first. */
export function wideningsOf(view: View, id: string): WideningStep[] {
  const rows = view.rows.all(
    view.rows.query
      .selectFrom('decisions')
      .select(['action', 'decided_by', 'decided_at'])
      .where('subject', '=', id)
      .where('action', 'in', ['hold.widened', 'hold.narrowed'])
      .orderBy('position'),
  );
  return rows.map(({ action, decided_by: by, decided_at: at }) => ({
    how: action === 'hold.widened' ? 'all' : 'named',
    by,
    at,
  }));
}
