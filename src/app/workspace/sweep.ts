/**
 * The sweep writes what is due by time. It expires questions and fails their tasks, but never releases a hold. It
 * releases, resumes and expires requests, and alerts about overdue ones. It also raises RFC questions for a human that
 * a program ended without raising.
 */

import { dueChange, dueQuestions } from '../../core/question/question.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { dueRecords } from '../../core/request/due.ts';
import { isUnfinished, type Question, type State } from '../../core/state/state.ts';
import { StoreError } from '../../store/journal/problem.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { Store, View } from '../../store/store.ts';
import { raiseHumanQuestions } from '../rfc/review.ts';

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

// What project memory keeps of the answers to a request: it is closed once the request has moved on.

/** Moves after which an earlier answer no longer describes the request. */
const words = {
  accept: 'was accepted',
  defer: 'was deferred again',
  reject: 'was rejected',
  resume: 'was offered again',
  complete: 'was completed',
  cancel: 'was cancelled',
  expire: 'expired',
  reassign: 'was offered to another assignee',
};
type Outdating = keyof typeof words;

export function isOutdating(act: string): act is Outdating {
  return Object.hasOwn(words, act);
}

export function outdatedReason(request: string, act: Outdating): string {
  return `${request} ${words[act]}.`;
}

export function requestEvents({ rows }: Pick<View, 'rows'>, request: string): string[] {
  const remembered = itemOf(rows, 'request', request)?.remembered ?? [];
  return remembered.filter((id) => itemOf(rows, 'event', id)?.status === 'active');
}

/** Closes them; of those that a human posted it is proposed, for only a human closes them. */
export function outdatedRecords(view: Pick<View, 'rows' | 'state'>, request: string, act: string): RecordInput[] {
  if (!isOutdating(act)) return [];
  const reason = outdatedReason(request, act);
  return requestEvents(view, request).flatMap((id): RecordInput[] => {
    if (view.state.events.get(id)?.author !== 'human')
      return [{ kind: 'event.closed', v: 1, id, how: 'resolved', reason }];
    return view.state.proposals.has(id) ? [] : [{ kind: 'event.closeProposed', v: 1, id, how: 'resolved', reason }];
  });
}
