/** All tools, in display order, which the editor and MCP offer, and all operations. */
import * as z from 'zod';
import { raiseQuestion } from './question/asking.ts';
import { awaitAnswer, parkQuestion, replyQuestion, withdrawQuestion, listQuestions } from './question/waiting.ts';
import { awaitRequest, listRequests } from './request/reading.ts';
import { directTool, field, fieldsOf, usualLength, withOwn, type AgentTool } from './agent/tool.ts';
import { checkGate, listWork, registerWork, updateWork } from './work/work.ts';
import { proposeRfc, updateRfc, getRfc, listRfcs } from './rfc/operations.ts';
import { closeEvent, getBriefing, postEvent, searchEvents } from './memory/memory.ts';
import { questionTexts, withoutUndefined } from '../core/kit/fields.ts';
import type { EventView } from '../app/memory/events.ts';
import { errorResult, type Operation } from './kit/operation.ts';
import { createRequest, registerResponsibility, respondToRequest } from './request/writing.ts';

const ask: AgentTool = {
  name: 'holdpoint_raise_question',
  title: 'Ask a human and wait',
  description:
    'Ask your human when requirements are unclear, a choice is hard to undo or you need approval; do not ask what you can find out. A sync question holds the work until it is answered.',
  shown: 'always',
  input: z.object(
    fieldsOf(
      raiseQuestion,
      ...['text', 'type', 'urgency', 'mode', 'work_id', 'also_work_ids', 'choices', 'multiple', 'free_text'],
      ...questionTexts.map(({ view }) => view),
      ...['alternatives', 'files', 'holds', 'for', 'reopen_reason', 'wait_seconds'],
    ),
  ),
  operations: [raiseQuestion],
};

export const awaitTool: AgentTool = {
  name: 'holdpoint_await_answer',
  title: 'Wait for an answer',
  description:
    'Wait for the answer to a question, the decision on an RFC or the end of a request. Call it again while the result says that it still waits.',
  shown: 'used',
  input: z.object({
    id: z.string().optional().describe('"Q-12", "RFC-3" or "R-7". Default: all your open questions and RFCs.'),
    ...fieldsOf(awaitAnswer, 'wait_seconds'),
  }),
  operations: [awaitAnswer, awaitRequest],
  run: (call, input) => call(/^R-\d/.test(String(input['id'])) ? awaitRequest : awaitAnswer, input),
};

const reply = directTool(replyQuestion, {
  name: 'holdpoint_reply_question',
  title: 'Reply to a human',
  description:
    'Reply when a human asks you something about your question before deciding. The work stays held: wait again afterwards.',
  shown: 'asked',
});

const park = directTool(parkQuestion, {
  name: 'holdpoint_park_question',
  title: 'Leave a resume brief and stop waiting',
  description:
    'Leave a resume brief with your open question when a result says to park it, then end your turn. Everything stays held, and you get the brief back with the answer.',
  shown: 'asked',
});

const withdraw = directTool(withdrawQuestion, {
  name: 'holdpoint_withdraw_question',
  title: 'Withdraw a question',
  description: 'Take back an async question of yours that needs no answer any more. A sync question stays.',
  shown: 'asked',
});

const gate = directTool(checkGate, {
  name: 'holdpoint_check_gate',
  title: 'Check whether work may continue',
  description:
    'Check whether work, files or your session may continue, and which work is free: before you start or resume work and before you edit files. "Denied" means stop.',
  shown: 'used',
});

const recordWork: AgentTool = {
  name: 'holdpoint_record_work',
  title: 'Register or update work',
  description:
    'Register a task or workflow before you start it, so that a question can hold exactly this work; the same id again updates it. Set its status when you start and finish.',
  shown: 'used',
  input: z.object({
    ...fieldsOf(registerWork, 'id', 'kind'),
    title: field(registerWork, 'title').optional().describe('Short name for people. Required for new work.'),
    ...fieldsOf(updateWork, 'status', 'step'),
    ...fieldsOf(registerWork, 'workflow', 'depends_on', 'holds', 'assigned_agent'),
    ...fieldsOf(updateWork, 'remove_depends_on', 'remove_holds'),
  }),
  operations: [registerWork, updateWork],
  async run(call, { depends_on: needs, holds, ...given }) {
    const { id, kind, step, ...others } = given;
    const known = typeof id === 'string' ? call.state?.work.get(id) : undefined;
    const isKnown = known && (kind === undefined || kind === known.kind);
    const updates = ['status', 'step', 'remove_depends_on', 'remove_holds'].some((name) => given[name] !== undefined);
    // Without a title it cannot be registered: the error says how.
    if (given['title'] === undefined || (isKnown && updates))
      return call(updateWork, withOwn({ id, step, ...others }, { add_depends_on: needs, add_holds: holds }), {
        add_depends_on: 'depends_on',
        add_holds: 'holds',
      });
    const registered = await call(registerWork, { id, kind, ...others, depends_on: needs, holds });
    if (step === undefined || registered.status !== 'ok') return registered;
    const stepped = await call(updateWork, { id, step });
    return stepped.status === 'ok' ? stepped : { ...stepped, text: `Registered, without its step. ${stepped.text}` };
  },
};

const workIds = 'work_ids';
const heldWork = { add_tasks: workIds, add_workflows: workIds, affected_workflows: workIds, blocked_tasks: workIds };

const propose: AgentTool = {
  name: 'holdpoint_propose_rfc',
  title: 'Propose or revise a design',
  description:
    'Propose a design (RFC) that a human must approve before its work continues, for what is large or hard to undo; with id, revise, submit or finish yours. It holds its work and files until it is decided.',
  shown: 'used',
  input: z.object({
    id: field(updateRfc, 'id').optional().describe('Your RFC to revise. Default: a new one.'),
    ...fieldsOf(proposeRfc, 'title', 'file', 'markdown'),
    [workIds]: z.array(z.string()).optional().describe('Registered tasks and workflows it holds.'),
    ...fieldsOf(proposeRfc, 'holds', 'context_ids', 'reasoning_ids', 'for', 'submit'),
    ...fieldsOf(updateRfc, 'section', 'note', 'replies', 'hand_to', 'implemented'),
  }),
  operations: [proposeRfc, updateRfc],
  run(call, { work_ids: work = [], ...given }) {
    const isWorkflow = (id: unknown) => call.state?.work.get(String(id))?.kind === 'workflow';
    const flows = Array.isArray(work) ? work.filter(isWorkflow) : [];
    const tasks = Array.isArray(work) ? work.filter((id) => !isWorkflow(id)) : work;
    if (given['id'] === undefined)
      return call(proposeRfc, withOwn(given, { affected_workflows: flows, blocked_tasks: tasks }), heldWork);
    const { holds, ...more } = given;
    const adding = { add_workflows: flows, add_tasks: tasks, add_holds: holds };
    return call(updateRfc, withOwn(more, adding), { ...heldWork, add_holds: 'holds' });
  },
};

const briefing: AgentTool = {
  name: 'holdpoint_get_briefing',
  title: 'Briefing',
  description:
    'Get what you must know before you work here: warnings, decisions and what waits for a human. Call it when you begin and before you turn to another part of the code; with words it searches the notes.',
  shown: 'used',
  input: z.object({
    ...fieldsOf(getBriefing, 'focus'),
    ...fieldsOf(searchEvents, 'words', 'type', 'since'),
    ...fieldsOf(getBriefing, 'max_tokens'),
  }),
  operations: [getBriefing, searchEvents],
  // A search is cut, a briefing is not: it leaves out whole items, and never critical warnings or holds.
  isWhole: (input) => !isSearch(input),
  async run(call, { focus, max_tokens: tokens, ...search }) {
    if (isSearch(search))
      return call(searchEvents, withOwn({ limit: 5, ...search }, { scope: focus }), { scope: 'focus' });
    const brief = await call(getBriefing, { focus, max_tokens: tokens ?? usualLength / 4 });
    if (tokens !== undefined || !/^- and \d+ more$/m.test(brief.text)) return brief;
    return { ...brief, text: `${brief.text}\nFor the rest, ask again with "max_tokens": 2000.` };
  },
};

function isSearch({ focus: _focus, max_tokens: _tokens, ...search }: Readonly<Record<string, unknown>>): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

const note: AgentTool = {
  name: 'holdpoint_post_note',
  title: 'Post, close or replace a note',
  description:
    'Record what the next agents and people here need to know and cannot see in the code; no progress, no questions. With close, end a note that is no longer true: alone, or replaced by this one.',
  shown: 'used',
  input: z.object({
    type: field(postEvent, 'type').optional(),
    ...fieldsOf(postEvent, 'title'),
    text: field(postEvent, 'text').optional(),
    ...fieldsOf(postEvent, 'priority', 'scopes'),
    close: z.string().optional().describe('A note to close, for example "E-140".'),
    ...fieldsOf(closeEvent, 'reason'),
  }),
  operations: [postEvent, closeEvent],
  async run(call, { close, reason, superseded_by: by, ...post }) {
    // Without a note to close, what belongs to one is refused by its name.
    const left = withoutUndefined({ reason, superseded_by: by });
    if (close === undefined) return call(postEvent, { ...post, ...left });
    const posts = Object.values(post).some((value) => value !== undefined);
    if (!posts) return call(closeEvent, { id: close, reason, superseded_by: by }, { id: 'close' });
    const posted = await call(postEvent, post);
    if (posted.status !== 'ok') return posted;
    const { id } = posted.data['event'] as EventView;
    const closed = await call(closeEvent, { id: close, reason, superseded_by: id }, { id: 'close' });
    return {
      ...posted,
      text: `${posted.text}\n${closed.status === 'ok' ? '' : 'It replaces nothing: '}${closed.text}`,
    };
  },
};

const lists = { questions: listQuestions, rfcs: listRfcs, requests: listRequests, work: listWork };

const byId: readonly (readonly [RegExp, Operation])[] = [
  [/^Q-\d/, listQuestions],
  [/^RFC-\d/, getRfc],
  [/^R-\d/, listRequests],
  [/^E-\d/, searchEvents],
];

const list: AgentTool = {
  name: 'holdpoint_list_items',
  title: 'List items, or read one',
  description:
    'List questions, RFCs, requests or work, or read one item in full by its id. Read an RFC before you build it.',
  shown: 'used',
  input: z.object({
    what: z.enum(['questions', 'rfcs', 'requests', 'work']).optional().describe('Default: questions.'),
    id: z.string().optional().describe('"Q-12", "RFC-3", "R-7", a note "E-140", or work.'),
    all: z.boolean().optional().describe('Also what is finished or decided; of requests, also those of others.'),
    status: z.string().optional(),
    ...fieldsOf(listRfcs, 'work_id'),
    box: field(listRequests, 'box').optional().describe('Of requests. Default: inbox.'),
    ...fieldsOf(listRfcs, 'skip', 'limit'),
  }),
  isWhole: ({ id, limit }) => id !== undefined || limit !== undefined,
  operations: [listQuestions, listRfcs, getRfc, listRequests, listWork, searchEvents],
  async run(call, { what = 'questions', all, ...given }) {
    if (!Object.hasOwn(lists, String(what)))
      return errorResult('bad_input', 'Nothing was done. what must be questions, rfcs, requests or work.');
    const { id } = given;
    const [, operation = listWork] = what === 'work' ? [] : (byId.find(([pattern]) => pattern.test(String(id))) ?? []);
    if (id !== undefined) return call(operation, given);
    switch (what as keyof typeof lists) {
      case 'questions':
        return call(listQuestions, { ...given, all });
      case 'rfcs':
        return call(listRfcs, { ...given, waiting: all !== true && given['status'] === undefined });
      case 'requests':
        return call(listRequests, { ...given, box: given['box'] ?? (all === true ? 'all' : undefined) });
      case 'work':
        return call(listWork, given);
    }
  },
};

const responsibility = directTool(registerResponsibility, {
  name: 'holdpoint_register_responsibility',
  title: 'Register a responsibility',
  description:
    'Register what you are responsible for here, once, so that others can send you requests and you can send requests. You act for it from then on.',
  shown: 'requests',
});

const request: AgentTool = {
  name: 'holdpoint_create_request',
  title: 'Ask another responsibility',
  description:
    'Ask another responsibility to consider something; it accepts, defers or rejects. A request gives no authority and holds no work.',
  shown: 'requests',
  input: z.object(
    fieldsOf(
      createRequest,
      ...['type', 'origin', 'target', 'subject', 'summary', 'suggested_actions', 'links', 'tags', 'bundle_ids'],
      ...['objectives', 'suggested_responsibilities', 'ingest_request_id', 'body_md_path', 'priority', 'available_at'],
      ...['due_at', 'sla_response_seconds', 'sla_completion_seconds'],
    ),
  ),
  operations: [createRequest],
};

const respond = directTool(respondToRequest, {
  name: 'holdpoint_respond_to_request',
  title: 'Respond to a request',
  description:
    'Accept, defer, reject or complete a request to a responsibility you act for, or cancel one of yours. "conflict" means that another agent was first.',
  shown: 'requests',
});

export const catalog: readonly AgentTool[] = [
  ...[ask, awaitTool, gate, recordWork, propose, briefing, note, list],
  ...[reply, park, withdraw],
  ...[responsibility, request, respond],
];

/** All operations, in the order of the tools that call them. */
export const operations: readonly Operation[] = [...new Set(catalog.flatMap((tool) => tool.operations))];
