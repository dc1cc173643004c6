/** The operation that asks the gate about work and files. */
import * as z from 'zod';
import { askGate } from '../../app/hold/gate.ts';
import { withBaselines } from '../../app/hold/lookAtHeld.ts';
import { confirmWith, sharedData } from '../../app/workspace/freshness.ts';
import { heldItems } from '../../core/hold/cascade.ts';
import { holderName, isRfc, unfinishedWork } from '../../core/hold/holds.ts';
import { requestsWaitingFor } from '../../core/request/due.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import { firstLine, fewNames } from '../../core/kit/text.ts';
import type { State, WorkItem } from '../../core/state/state.ts';
import { allFiles } from '../../core/state/heldChanges.ts';
import { many, pathField, workIdField } from '../kit/fields.ts';
import { gateText, nameOfWork } from '../kit/gateText.ts';
import { waitingIdsText } from '../kit/requestTexts.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';

export const checkGate = defineOperation({
  name: 'check_gate',
  readOnly: true,
  input: z.strictObject({
    work_id: workIdField.optional(),
    files: many(pathField).default([]).describe('Workspace-relative or absolute paths you want to edit.'),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const { id: agent, session: id } = session.actor;
    await confirmWith(workspace);
    const asking = askGate(workspace, { work: input.work_id, files: input.files, session: { agent, id } });
    const answer = await withBaselines(workspace, asking);
    const asked =
      fewNames([input.work_id, ...input.files].filter((subject) => subject !== undefined)) || 'your session';
    const standing = workspace.standing();
    const work = input.work_id === undefined ? undefined : standing.state?.work.get(input.work_id);
    const free = standing.problem ? [] : freeIn(standing.state);
    const waiting = standing.problem ? [] : requestsWaitingFor(standing.state, agent);
    const waitingText = waiting.length === 0 ? '' : `\n${waitingIdsText(waiting, guideOf(context))}`;
    const freeText = free.length === 0 ? '' : `\nFree work: ${fewNames(free.map(nameOfWork), ', ', 5)}.`;
    return {
      status: answer.verdict === 'allow' ? 'ok' : 'denied',
      text: (answer.why ?? gateText(answer, { guide: guideOf(context), asked, work }) + freeText) + waitingText,
      data: {
        result: answer.verdict === 'allow' ? 'proceed' : 'denied',
        verdict: answer.verdict,
        state: answer.state,
        reasons: answer.reasons.map(({ code, subject, holder, people }) => ({
          code,
          subject,
          question:
            holder === null || isRfc(holder)
              ? null
              : {
                  id: holder.id,
                  text: firstLine(holderName(holder)),
                  status: holder.status,
                  urgency: holder.urgency,
                  effect: effectOf(holder),
                },
          rfc: holder !== null && isRfc(holder) ? { id: holder.id, title: holder.title, status: holder.status } : null,
          all_files: holder && allFiles(holder),
          people: people ?? null,
        })),
        conditions: answer.conditions,
        constraints: answer.constraints,
        problem: answer.problem?.message ?? null,
        shared: sharedData(answer.shared),
        free: free.slice(0, freeListed).map(({ id: workId, title }) => ({ id: workId, title })),
        free_count: free.length,
        requests_waiting: waiting.length,
      },
      ...(waiting.length === 0 ? {} : { delivers: { questions: [], requests: waiting, asked: false } }),
    };
  },
});

const freeListed = 100;

function freeIn(state: State): WorkItem[] {
  const held = heldItems(state);
  return unfinishedWork(state).filter(({ id }) => !held.has(id));
}
