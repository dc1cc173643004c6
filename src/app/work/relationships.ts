/** Relationships between questions, work and files. */
import { firstLine } from '../../core/kit/text.ts';
import * as z from 'zod';
import { hasItem } from '../../core/waiting/items.ts';
import type { View } from '../../store/store.ts';
import { AppError } from '../workspace/errors.ts';

export const relationshipType = z.enum(['blocks', 'depends_on', 'references']);
export type RelationshipType = z.infer<typeof relationshipType>;

export interface Relationship {
  readonly from_id: string;
  readonly from_type: string;
  readonly relationship_type: string;
  readonly to_id: string;
  readonly to_type: string;
  /** Number of steps: 1 is a direct relationship. */
  readonly distance: number;
  /** `out`: from the given entity; `in`: to it. */
  readonly direction: 'out' | 'in';
}

/**
 * Everything connected with an entity, over any number of steps, in both directions.
 * @throws AppError `not_found` for an unknown id
 */
export function relationshipsOf(view: View, id: string, type?: RelationshipType): Relationship[] {
  const known = view.state.work.has(id) || view.state.events.has(id) || hasItem(view.state, id);
  const found = [...walk(view, id, 'out', type), ...walk(view, id, 'in', type)];
  if (!known && found.length === 0)
    throw new AppError(
      'not_found',
      `there is no question, RFC, request, event, work item or file "${firstLine(id)}" here`,
    );
  return found;
}

function walk(view: View, id: string, direction: 'out' | 'in', type: RelationshipType | undefined): Relationship[] {
  const found: Relationship[] = [];
  let edge = [id];
  const seen = new Set(edge);
  for (let distance = 1; edge.length > 0; distance++) {
    const next: string[] = [];
    for (const at of edge)
      for (const row of directRelationships(view, at, direction, type)) {
        found.push({ ...row, distance, direction });
        const other = direction === 'out' ? row.to_id : row.from_id;
        if (!seen.has(other)) next.push(other);
        seen.add(other);
      }
    edge = next;
  }
  return found;
}

function directRelationships(view: View, id: string, direction: 'out' | 'in', type: RelationshipType | undefined) {
  const found = view.rows.all<Omit<Relationship, 'distance' | 'direction'>>(
    `SELECT * FROM relationships WHERE ${direction === 'out' ? 'from_id' : 'to_id'} = ?`,
    id,
  );
  return type === undefined ? found : found.filter(({ relationship_type: one }) => one === type);
}
