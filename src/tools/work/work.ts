/** Registering, updating and listing work; asking the gate. */

import * as z from 'zod';
import { askGate } from '../../app/hold/gate.ts';
import { withBaselines } from '../../app/hold/lookAtHeld.ts';
import {
  listWork as list,
  registerWork as register,
  updateWork as update,
  workView,
  type WorkView,
} from '../../app/work/work.ts';
import { confirmWith, sharedData } from '../../app/workspace/freshness.ts';
import { bindingsOnWork } from '../../core/hold/gate.ts';
import { heldItems, holderName, isRfc, unfinishedWork } from '../../core/hold/holds.ts';
import { agentId, holdGlob, textField } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { agentNamed } from '../../core/kit/persons.ts';
import { fewNames, firstLine, plural } from '../../core/kit/text.ts';
import { baseStatus, effectiveStatus, workKind } from '../../core/kit/words.ts';
import { requestsWaitingFor } from '../../core/request/due.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import { allFiles } from '../../core/state/heldChanges.ts';
import type { State, WorkItem } from '../../core/state/state.ts';
import { holdsField, many, pageFields, pageOf, pageText, pathField, titleField, workIdField } from '../kit/fields.ts';
import { bindingText, gateText, nameOfWork } from '../kit/gateText.ts';
import { defineOperation, guideOf, type ToolContext, type ToolResult } from '../kit/operation.ts';
import type { ToolOutputs } from '../kit/outputs.ts';
import { waitingIdsText } from '../kit/requestTexts.ts';
import { changedText, workInFull, workText } from '../kit/texts.ts';

export const registerWork = defineOperation({
  name: 'register_work',
  readOnly: false,
  input: z.strictObject({
    id: workIdField.describe('Your own short id for it, for example "t-1" or "auth/tokens".'),
    kind: workKind.optional().describe('task (default) or workflow. A hold on a workflow holds all its tasks.'),
    title: titleField,
    status: z.enum(['todo', 'in_progress']).optional().describe('todo (default), or in_progress if you start it now.'),
    workflow: workIdField.optional().describe('The workflow it belongs to.'),
    depends_on: many(workIdField).optional().describe('Work items that must be finished first.'),
    holds: holdsField
      .optional()
      .describe('Files that belong to this work: they are held while it is held. Paths or globs with * ** ?.'),
    assigned_agent: agentId.optional(),
  }),
  async run({ workspace, session }, input) {
    const { work, already, changed } = await register(await workspace.store(), session, {
      id: input.id,
      workKind: input.kind,
      title: input.title,
      status: input.status,
      workflow: input.workflow,
      dependsOn: input.depends_on,
      holds: input.holds,
      assignee: input.assigned_agent,
    });
    const what = already ? changedText(changed) : 'Registered.';
    return { status: 'ok', text: `${what} ${workText(work)}${nextText(work)}`, data: { already, changed, work } };
  },
});

export const updateWork = defineOperation({
  name: 'update_work',
  readOnly: false,
  input: z.strictObject({
    id: workIdField,
    status: baseStatus
      .optional()
      .describe(
        'in_progress: you start it. done: finished. todo: parked. failed, cancelled: abandoned. deleted: gone from lists, with everything in it; only while nothing is held and nothing else needs it.',
      ),
    step: textField(limits.title).optional().describe('The step you are on.'),
    title: titleField.optional(),
    workflow: workIdField.optional(),
    assigned_agent: agentId.optional(),
    add_depends_on: many(workIdField).default([]).describe('More work items that must be finished first.'),
    remove_depends_on: many(workIdField).default([]).describe('Work items it does not need any more.'),
    add_holds: many(holdGlob).default([]).describe('More files that belong to it.'),
    remove_holds: many(holdGlob).default([]).describe('Files that do not belong to it.'),
  }),
  async run({ workspace, session }, input) {
    const store = await workspace.store();
    const work = await update(store, session, {
      id: input.id,
      status: input.status,
      step: input.step,
      title: input.title,
      workflow: input.workflow,
      assignee: input.assigned_agent,
      addDependsOn: input.add_depends_on,
      removeDependsOn: input.remove_depends_on,
      addHolds: input.add_holds,
      removeHolds: input.remove_holds,
    });
    const bindings = bindingsOnWork(store.read().state, work.id);
    return { status: 'ok', text: workText(work) + bindingText(bindings) + nextText(work), data: { work, ...bindings } };
  },
});

/** Held work has no other status than a held one. */
function nextText({ status }: WorkView): string {
  if (status === 'todo') return ' Set it in_progress when you start it.';
  return status === 'in_progress' ? ' Set it done when you have finished it.' : '';
}

const input = z.strictObject({
  id: workIdField.optional().describe('Returns only this work item, in full.'),
  status: z.enum([...effectiveStatus.options, 'held']).optional(),
  agent: agentId.optional().describe('Only work of this agent.'),
  work_id: workIdField.optional().describe('This item, and those that belong to it or depend on it.'),
  ...pageFields,
});

type Filter = z.output<typeof input>;

export const listWork = defineOperation({
  name: 'list_work',
  readOnly: true,
  input,
  async run(context, asked) {
    const view = (await context.workspace.store()).read();
    if (asked.id === undefined) return listed(context, asked, view.state);
    const work = workView(view.state, asked.id);
    return { status: 'ok', text: workInFull(work, context.workspace.person()), data: { work } };
  },
});

function listed(context: ToolContext, asked: Filter, state: State): ToolResult<ToolOutputs['list_work']> {
  const page = pageOf(context, asked);
  const agent = asked.agent && agentNamed(asked.agent, context.workspace.person());
  const found = list(state).filter((item) => isWanted(item, { ...asked, agent }));
  const work = found.slice(page.skip, page.skip + page.limit);
  const lines = work.map(({ id, kind, status, title, blocks }) => {
    const held = isHeld(status) ? ` · held by ${fewNames(blocks.map((one) => one.id))}` : '';
    return `${id} · ${kind} · ${status} · ${title}${held}`;
  });
  const total = found.length;
  const text = pageText(context, page, { lines, total, what: plural(total, 'work item') });
  return { status: 'ok', text, data: { work, total } };
}

function isHeld(status: WorkView['status']): boolean {
  return status.startsWith('blocked_');
}

function isWanted(item: WorkView, { status, agent, work_id: work }: Filter): boolean {
  return (
    (status === undefined || item.status === status || (status === 'held' && isHeld(item.status))) &&
    (agent === undefined || item.assigned_agent === agent) &&
    (work === undefined || item.id === work || item.workflow === work || item.depends_on.includes(work))
  );
}

// The operation that asks the gate about work and files.

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
