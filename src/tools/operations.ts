/** All operations, in display order. */
import { awaitAnswer, parkQuestion, replyQuestion, withdrawQuestion } from './question/waiting.ts';
import { awaitRequest, listRequests } from './request/reading.ts';
import { checkGate } from './hold/checkGate.ts';
import { closeEvent, getBriefing, postEvent, searchEvents } from './memory/memory.ts';
import { createRequest, registerResponsibility, respondToRequest } from './request/writing.ts';
import { getRfc, listRfcs, proposeRfc, updateRfc } from './rfc/operations.ts';
import { listQuestions } from './question/reading.ts';
import { listWork, registerWork, updateWork } from './work/work.ts';
import { raiseQuestion } from './question/asking.ts';
import type { Operation } from './kit/operation.ts';

export const operations: readonly Operation[] = [
  raiseQuestion,
  awaitAnswer,
  listQuestions,
  replyQuestion,
  parkQuestion,
  withdrawQuestion,
  registerWork,
  updateWork,
  listWork,
  checkGate,
  proposeRfc,
  updateRfc,
  getRfc,
  listRfcs,
  postEvent,
  closeEvent,
  searchEvents,
  getBriefing,
  registerResponsibility,
  createRequest,
  listRequests,
  respondToRequest,
  awaitRequest,
];
