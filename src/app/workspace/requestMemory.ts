/** What project memory keeps of the answers to a request: it is closed once the request has moved on. */
import type { RecordInput } from '../../core/records/records.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';

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
export type Outdating = keyof typeof words;

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
