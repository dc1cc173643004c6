/** Records of RFC-1, as agents and the reviewer write them. */
import type { Actor, RecordInput } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/store/store.ts';

export const document = (text: string, questions: readonly object[] = []) => ({
  title: 'Tokens',
  sections: [{ key: 'summary', heading: 'Summary', text }],
  questions,
});

export const proposed = (more: object = {}) => ({
  kind: 'rfc.proposed',
  v: 1,
  id: 'RFC-1',
  document: document('First.'),
  workflows: ['W1'],
  ...more,
});

export const revised = (number: number, questions: readonly object[] = []) => ({
  kind: 'rfc.revised',
  v: 1,
  id: 'RFC-1',
  revision: number,
  document: document(`Revision ${String(number)}.`, questions),
});

export const submitted = (revision: number) => ({ kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision });

export const concern = (more: object = {}) => ({
  kind: 'rfc.feedbackGiven',
  v: 1,
  id: 'RFC-1',
  thread: 1,
  revision: 1,
  type: 'concern',
  text: 'Too slow?',
  blocking: true,
  ...more,
});

export const reviewed = (answers: readonly object[], more: object = {}) => ({
  kind: 'rfc.reviewed',
  v: 1,
  id: 'RFC-1',
  review: 1,
  revision: 1,
  model: 'Some model',
  prompt: { name: 'rfc-review', version: '1' },
  verdict: 'approve',
  stage: 'awaiting_human',
  answers,
  ...more,
});

/** An unsigned comment that blocks, as a journal may have of any program. */
export function remark(store: Store, actor: Actor, change: Partial<RecordInput & { kind: 'rfc.feedbackGiven' }>) {
  const record = { ...concern({ section: null }), ...change } as RecordInput;
  return store.transact(actor, () => ({ records: [record], result: null }));
}
