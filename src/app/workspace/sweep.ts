/**
 * The sweep writes what is due by time. It expires questions and fails their tasks, but never releases a hold. It
 * releases, resumes and expires requests, and alerts about overdue ones. It also raises RFC questions for a human that
 * a program ended without raising.
 */
import { dueChange, dueQuestions } from '../../core/question/question.ts';
import { dueRecords } from '../../core/request/due.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { isUnfinished, type Question, type State } from '../../core/state/state.ts';
import { StoreError } from '../../store/journal/problem.ts';
import type { Store } from '../../store/store.ts';
import { outdatedRecords } from './requestMemory.ts';
import { raiseHumanQuestions } from '../rfc/humanQuestions.ts';

const system = { kind: 'system', id: 'sweep' } as const;
/** Maximum records per act, so that a flood of expired questions fits into journal lines. */
const batch = 500;

/** Writes records that are due under the policy. Returns the affected ids. Skips an UNKNOWN, foreign or empty store. */
export async function sweep(store: Store): Promise<string[]> {
  if (store.problem || store.readOnly || store.workspaceId === null) return [];
  return [...(await sweepQuestions(store)), ...(await sweepRequests(store)), ...(await raiseHumanQuestions(store))];
}

/** Whether a sweep would write something. */
export function isSweepDue(state: State, now: string): boolean {
  return (
    dueQuestions(state, now).length > 0 ||
    [...state.requests.values()].some((request) => dueRecords(state, request, now).length > 0)
  );
}

/** Sweeps when a store opens; a store that cannot be written can still be read. */
export async function sweepOpened(store: Store): Promise<void> {
  try {
    await sweep(store);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

async function sweepRequests(store: Store): Promise<string[]> {
  const concerned: string[] = [];
  for (;;) {
    const ids = await store.transact(system, (view) => {
      const { state, now } = view;
      const due: { readonly id: string; readonly records: readonly RecordInput[] }[] = [];
      for (const request of state.requests.values()) {
        const moves = dueRecords(state, request, now);
        const acts = moves.flatMap((record) => {
          if (record.kind === 'request.reassigned') return ['reassign'];
          return record.kind === 'request.moved' ? [record.act] : [];
        });
        const last = acts.at(-1);
        const records = [...moves, ...(last === undefined ? [] : outdatedRecords(view, request.id, last))];
        if (records.length > 0) due.push({ id: request.id, records });
        if (due.length === batch) break;
      }
      return { records: due.flatMap(({ records }) => records), result: due.map(({ id }) => id) };
    });
    if (ids.length === 0) return concerned;
    concerned.push(...ids);
  }
}

async function sweepQuestions(store: Store): Promise<string[]> {
  const expired: string[] = [];
  for (;;) {
    const ids = await store.transact(system, ({ state, now }) => {
      const overdue = dueQuestions(state, now).slice(0, batch);
      const records = overdue.flatMap((question): RecordInput[] => {
        if (dueChange(state, question, now) === 'escalate')
          return [{ kind: 'question.escalated', v: 1, id: question.id }];
        return [{ kind: 'question.expired', v: 1, id: question.id }, ...failedTask(state, question)];
      });
      return { records, result: overdue.map((question) => question.id) };
    });
    if (ids.length === 0) return expired;
    expired.push(...ids);
  }
}

/** An expired sync question fails its task, which stays held until a human releases it. */
function failedTask(state: State, question: Question): RecordInput[] {
  const task = question.work === null ? undefined : state.work.get(question.work);
  const fails = question.mode === 'sync' && task?.kind === 'task' && isUnfinished(task);
  return fails ? [{ kind: 'work.updated', v: 1, id: task.id, status: 'failed' }] : [];
}
