/** All tools, in the order in which lists show them. Every head takes its tools from here. */
import { awaitAnswer } from './awaitAnswer.ts';
import { checkGate } from './checkGate.ts';
import { closeEvent } from './closeEvent.ts';
import { createRequest } from './createRequest.ts';
import { getBriefing } from './getBriefing.ts';
import { getRfc } from './getRfc.ts';
import { listQuestions } from './listQuestions.ts';
import { listRequests } from './listRequests.ts';
import { listRfcs } from './listRfcs.ts';
import { postEvent } from './postEvent.ts';
import { proposeRfc } from './proposeRfc.ts';
import { raiseQuestion } from './raiseQuestion.ts';
import { registerResponsibility } from './registerResponsibility.ts';
import { registerWork } from './registerWork.ts';
import { respondToRequest } from './respondToRequest.ts';
import { searchEvents } from './searchEvents.ts';
import type { Tool } from './tool.ts';
import { updateRfc } from './updateRfc.ts';
import { updateWork } from './updateWork.ts';

export const catalog: readonly Tool[] = [
  raiseQuestion,
  awaitAnswer,
  listQuestions,
  registerWork,
  updateWork,
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
];
