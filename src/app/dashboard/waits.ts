/** Noted waits as the figures use them. */
import * as z from 'zod';
import type { NotedWait } from '../../core/dashboard/waitCosts.ts';
import type { View } from '../../store/store.ts';

const ids = z.array(z.string());

export function notedWaits({ rows }: Pick<View, 'rows'>): NotedWait[] {
  return rows
    .all(rows.query.selectFrom('waits').selectAll().orderBy('position'))
    .map(({ position: _, question_id: __, question_ids, ...wait }) => ({
      ...wait,
      questions: ids.parse(JSON.parse(question_ids)),
    }));
}
