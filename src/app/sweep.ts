/** The sweep: what time does. It expires questions and fails their tasks, and never lets anything go (seed 001, "expire_stale_blockers"). */
import { isOverdue } from '../core/question.ts';
import type { RecordInput } from '../core/records.ts';
import type { Store } from '../store/store.ts';

const system = { kind: 'system', id: 'sweep' } as const;
/** Acts of bounded size: a flood of overdue questions must not outgrow one line. */
const batch = 500;

/** Expires what is overdue. Returns the ids. An UNKNOWN, foreign or still empty store is left alone. */
export function sweep(store: Store): string[] {
  if (store.problem || store.readOnly || store.workspaceId === null) return [];
  const expired: string[] = [];
  for (;;) {
    const ids = store.transact(system, ({ state, now }) => {
      const overdue = [...state.questions.values()].filter((question) => isOverdue(question, now)).slice(0, batch);
      const records = overdue.flatMap((question): RecordInput[] => {
        const task = question.raised.work === null ? undefined : state.work.get(question.raised.work);
        const fails =
          question.mode === 'sync' &&
          task?.kind === 'task' &&
          (task.status === 'todo' || task.status === 'in_progress');
        return [
          { kind: 'question.expired', v: 1, id: question.id },
          ...(fails ? [{ kind: 'work.updated', v: 1, id: task.id, status: 'failed' } as const] : []),
        ];
      });
      return { records, result: overdue.map((question) => question.id) };
    });
    if (ids.length === 0) return expired;
    expired.push(...ids);
  }
}
