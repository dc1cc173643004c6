/** Noted waits as the figures use them. */
import * as z from 'zod';
import type { NotedWait } from '../../core/dashboard/waitCosts.ts';
import type { View } from '../../store/store.ts';

const ids = z.array(z.string());

export function notedWaits({ rows }: Pick<View, 'rows'>): NotedWait[] {
  return rows
    .all(rows.query.selectFrom('waits').selectAll().orderBy('position'))
    .map(({ position: _, item_id: __, item_ids, ...wait }) => ({
      ...wait,
      items: ids.parse(JSON.parse(item_ids)),
    }));
}
