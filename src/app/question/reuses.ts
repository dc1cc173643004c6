/** Answers that were reused without asking a human, for review and revocation. */
import { recordsOf } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';

/** A question that was answered with an earlier answer. */
export interface Reuse {
  readonly agent_id: string;
  readonly reused_at: string;
}

/** Who received the answer again, latest first: part of a question's history. */
export function reusesOf(view: View, id: string): Reuse[] {
  return recordsOf(view.rows, id, 'answer.reused')
    .map(({ record, time }) => ({ agent_id: record.agent, reused_at: time }))
    .reverse();
}
