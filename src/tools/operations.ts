/** All operations, in display order. */
import { awaitAnswer } from './question/awaitAnswer.ts';
import { awaitRequest } from './request/awaitRequest.ts';
import { checkGate } from './hold/checkGate.ts';
import { closeEvent } from './memory/closeEvent.ts';
import { createRequest } from './request/createRequest.ts';
import { getBriefing } from './memory/getBriefing.ts';
import { getRfc } from './rfc/getRfc.ts';
import { listQuestions } from './question/listQuestions.ts';
import { listRequests } from './request/listRequests.ts';
import { listRfcs } from './rfc/listRfcs.ts';
import { listWork } from './work/listWork.ts';
import { parkQuestion } from './question/parkQuestion.ts';
import { postEvent } from './memory/postEvent.ts';
import { proposeRfc } from './rfc/proposeRfc.ts';
import { raiseQuestion } from './question/raiseQuestion.ts';
import { registerResponsibility } from './request/registerResponsibility.ts';
import { registerWork } from './work/registerWork.ts';
import { respondToRequest } from './request/respondToRequest.ts';
import { searchEvents } from './memory/searchEvents.ts';
import { replyQuestion } from './question/replyQuestion.ts';
import type { Operation } from './kit/operation.ts';
import { updateRfc } from './rfc/updateRfc.ts';
import { updateWork } from './work/updateWork.ts';
import { withdrawQuestion } from './question/withdrawQuestion.ts';

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
