import * as z from 'zod';
import { raiseQuestion } from '../question/raiseQuestion.ts';
import { awaitAnswer } from '../question/awaitAnswer.ts';
import { awaitRequest } from '../request/awaitRequest.ts';
import { parkQuestion } from '../question/parkQuestion.ts';
import { replyQuestion } from '../question/replyQuestion.ts';
import { withdrawQuestion } from '../question/withdrawQuestion.ts';
import { fieldsOf } from './tool.ts';
import type { AgentTool } from './tool.ts';

export const ask: AgentTool = {
  name: 'holdpoint_raise_question',
  title: 'Ask a human and wait',
  description:
    'Ask your human when requirements are unclear, a choice is hard to undo or you need approval; do not ask what you can find out. A sync question holds the work until it is answered.',
  readOnly: false,
  shown: 'always',
  input: z.object(
    fieldsOf(
      raiseQuestion,
      ...['text', 'type', 'urgency', 'mode', 'work_id', 'also_work_ids', 'choices', 'multiple', 'free_text'],
      ...['background', 'context', 'impact', 'if_delayed', 'alternatives', 'files', 'holds', 'for', 'assumption'],
      ...['reopen_reason', 'wait_seconds'],
    ),
  ),
  operations: [raiseQuestion],
};

export const awaitTool: AgentTool = {
  name: 'holdpoint_await_answer',
  title: 'Wait for an answer',
  description:
    'Wait for the answer to a question, the decision on an RFC or the end of a request. Call it again while the result says that it still waits.',
  readOnly: false,
  shown: 'used',
  input: z.object({
    id: z.string().optional().describe('"Q-12", "RFC-3" or "R-7". Default: all your open questions and RFCs.'),
    ...fieldsOf(awaitAnswer, 'wait_seconds'),
  }),
  operations: [awaitAnswer, awaitRequest],
  run: (call, input) => call(/^R-\d/.test(String(input['id'])) ? awaitRequest : awaitAnswer, input),
};

export const reply: AgentTool = {
  name: 'holdpoint_reply_question',
  title: 'Reply to a human',
  description:
    'Reply when a human asks you something about your question before deciding. The work stays held: wait again afterwards.',
  readOnly: false,
  shown: 'asked',
  input: replyQuestion.input,
  operations: [replyQuestion],
};

export const park: AgentTool = {
  name: 'holdpoint_park_question',
  title: 'Leave a resume brief and stop waiting',
  description:
    'Leave a resume brief with your open question when a result says to park it, then end your turn. Everything stays held, and you get the brief back with the answer.',
  readOnly: false,
  shown: 'asked',
  input: parkQuestion.input,
  operations: [parkQuestion],
};

export const withdraw: AgentTool = {
  name: 'holdpoint_withdraw_question',
  title: 'Withdraw a question',
  description: 'Take back an async question of yours that needs no answer any more. A sync question stays.',
  readOnly: false,
  shown: 'asked',
  input: withdrawQuestion.input,
  operations: [withdrawQuestion],
};
