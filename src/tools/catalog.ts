/** All tools, in the order in which lists show them. Every head takes its tools from here. */
import { awaitAnswer } from './awaitAnswer.ts';
import { checkGate } from './checkGate.ts';
import { listQuestions } from './listQuestions.ts';
import { raiseQuestion } from './raiseQuestion.ts';
import { registerWork } from './registerWork.ts';
import type { Tool } from './tool.ts';
import { updateWork } from './updateWork.ts';

export const catalog: readonly Tool[] = [
  raiseQuestion,
  awaitAnswer,
  listQuestions,
  registerWork,
  updateWork,
  checkGate,
];
