/** When humans widened a question or RFC to every file, and narrowed it again: part of its history. */
import { recordsOf } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';

export interface WideningStep {
  readonly how: 'all' | 'named';
  readonly by: string;
  readonly at: string;
}

/** Oldest first. */
export function wideningsOf(view: View, id: string): WideningStep[] {
  return recordsOf(view.rows, id, 'hold.widened', 'hold.narrowed').map(({ record, actor: by, time: at }) => ({
    how: record.kind === 'hold.widened' ? 'all' : 'named',
    by,
    at,
  }));
}
