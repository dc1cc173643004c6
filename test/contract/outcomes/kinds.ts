/**
 * Every kind of outcome, by name. This file does not compile until a new resolution, effect, decision or status is
 * listed here and has a scenario.
 */
import type { QuestionView } from '../../../src/app/question/views.ts';
import type { RfcDecisionView } from '../../../src/app/rfc/parts.ts';
import type { AnswerEffect, EventStatus, QuestionMode } from '../../../src/core/kit/words.ts';
import type { RejectionThen } from '../../../src/core/records/rfc.ts';
import type { RequestStatus } from '../../../src/core/records/request.ts';

type Ended = {
  cancelled: 'dismissed as no longer needed';
  released: 'dismissed without an answer';
  withdrawn: 'withdrawn';
}[Exclude<QuestionView['resolution'], 'answered' | null>];
type Decision = Exclude<RfcDecisionView['action'], 'rejected'>;

export type QuestionKind =
  | 'question waiting'
  | 'question asked back'
  | 'question asked back, then replied'
  | `question answered: ${AnswerEffect}`
  | 'question answered: proceed, still held'
  | 'question answered: do_not, still held'
  | 'question answered: do_not, then lifted'
  | `question ${Ended}`
  | `approval ${Exclude<Ended, 'withdrawn'>}`
  | `question expired: ${QuestionMode}`;
export type RfcKind =
  | 'rfc draft'
  | 'rfc waiting'
  | `rfc ${Decision}`
  | 'rfc approved, still held'
  | 'rfc approved with conditions'
  | `rfc rejected: ${RejectionThen}`
  | 'rfc rejected: another_way, of stopped work'
  | 'rfc amendment rejected'
  | 'rfc amendment rejected, then implemented'
  | 'rfc sent back by the AI reviewer';
export type RequestKind =
  `request ${Exclude<RequestStatus, 'created'>}` | 'request completed, still held' | 'request reassigned';
export type EventKind = `event ${Exclude<EventStatus, 'active'>}`;
export type Kind = QuestionKind | RfcKind | RequestKind | EventKind;
