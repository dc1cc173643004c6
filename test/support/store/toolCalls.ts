/** Random calls of all tools, as agents with these ids make them, and a store for them to work on. */
import fc from 'fast-check';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { runOperation, type Operation } from '../../../src/tools/kit/operation.ts';
import { operations } from '../../../src/tools/catalog.ts';
import { globs } from './arbitraries.ts';
import { agent } from './people.ts';

export const works = ['W1', 'T1', 'T2', 'T3', 'T4'];
const workId = fc.constantFrom(...works);
const list = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { maxLength: 2 });

/** @param agents ids that calls name @param callers those that make them */
export function randomCalls(
  agents: readonly string[],
  callers = agents,
): readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Call> }[] {
  /** Values by field name; fields of future tools are tried with all of them. */
  const values: Record<string, fc.Arbitrary<unknown>> = {
    id: fc.oneof(workId, fc.constantFrom('Q-1', 'Q-2', 'Q-3', 'E-1', 'E-2'), fc.constantFrom('RFC-1', 'RFC-2')),
    work_id: workId,
    workflow: fc.constantFrom('W1', 'T1'),
    kind: fc.constantFrom('task', 'workflow'),
    title: fc.constant('Title'),
    text: fc.constantFrom('Which way?', 'Shall I?', 'which WAY?'),
    type: fc.constantFrom('clarification', 'decision', 'approval', 'warning'),
    reason: fc.constant('Fixed.'),
    superseded_by: fc.constantFrom('E-1', 'E-2'),
    urgency: fc.constantFrom('low', 'critical'),
    mode: fc.constantFrom('sync', 'async'),
    status: fc.constantFrom('todo', 'in_progress', 'done', 'failed', 'cancelled', 'answered'),
    step: fc.constant('next'),
    assigned_agent: fc.constantFrom(...agents),
    depends_on: list(workId),
    add_depends_on: list(workId),
    remove_depends_on: list(workId),
    holds: list(fc.constantFrom(...globs)),
    add_holds: list(fc.constantFrom(...globs)),
    remove_holds: list(fc.constantFrom(...globs)),
    files: list(fc.oneof(fc.constantFrom(...globs), fc.record({ path: fc.constantFrom(...globs) }))),
    choices: fc.constantFrom([], [{ label: 'Left' }, { label: 'Right' }]),
    affected_workflows: list(fc.constantFrom('W1')),
    blocked_tasks: list(fc.constantFrom('T1', 'T2', 'T3')),
    add_workflows: list(fc.constantFrom('W1')),
    add_tasks: list(fc.constantFrom('T1', 'T2', 'T3')),
    summary: fc.constantFrom('Short.', 'Shorter.'),
    unresolved_questions: fc.constantFrom([], ['Which store?'], ['Which store?', 'Who pays?']),
    submit: fc.boolean(),
    implemented: fc.boolean(),
    replies: fc.constantFrom([], [{ thread: 1, text: 'No.' }]),
    reopen_reason: fc.constant('It has changed.'),
    wait_seconds: fc.constant(0),
  };
  /** Usual values of a tool's fields. */
  const ofTool: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
    update_rfc: {
      id: fc.constantFrom('RFC-1', 'RFC-2', 'RFC-3'),
      hand_to: fc.constantFrom(undefined, undefined, ...agents),
    },
    get_rfc: { id: fc.constantFrom('RFC-1', 'RFC-2'), revision: fc.constant(undefined) },
    list_questions: { id: fc.constant(undefined), status: fc.constant(undefined) },
    raise_question: {
      text: fc.constantFrom('Which way?', 'Shall I?', 'which WAY?', 'Now?', 'Why?'),
      type: fc.constantFrom('clarification', 'decision', 'approval'),
      mode: fc.constantFrom('async', 'async', 'sync'),
    },
    reply_question: { id: fc.constantFrom('Q-1', 'Q-2', 'Q-3'), text: fc.constant('So.') },
    park_question: {
      id: fc.constantFrom('Q-1', 'Q-2', 'Q-3'),
      doing: fc.constant('This.'),
      next: fc.constant('That.'),
    },
    withdraw_question: {
      id: fc.constantFrom('Q-1', 'Q-2', 'Q-3', 'Q-4', 'Q-5', 'Q-6'),
      reason: fc.constant('Found it.'),
    },
    close_event: {
      id: fc.constantFrom('E-1', 'E-2', 'E-3'),
      superseded_by: fc.constantFrom(undefined, undefined, 'E-1', 'E-2'),
    },
    register_responsibility: {
      id: fc.constantFrom('first', 'second', 'third'),
      name: fc.constant('Somebody'),
      kind: fc.constantFrom('agent', 'automation'),
      agents: fc.constantFrom([], [...agents]),
    },
    create_request: {
      type: fc.constant('request_for_action'),
      origin: fc.constantFrom('first', 'second'),
      target: fc.constantFrom('first', 'second'),
      subject: fc.constant('Look.'),
      summary: fc.constant('It fails.'),
    },
    search_events: {
      id: fc.constant(undefined),
      status: fc.constant(undefined),
      type: fc.constantFrom(undefined, 'warning', 'decision'),
    },
    list_requests: {
      id: fc.constant(undefined),
      status: fc.constant(undefined),
      type: fc.constant(undefined),
      box: fc.constant('all'),
    },
    await_request: { id: fc.constantFrom(undefined, 'R-1') },
    respond_to_request: {
      id: fc.constantFrom('R-1', 'R-2'),
      action: fc.constantFrom('accept', 'defer', 'complete', 'cancel', 'make_work'),
      until: fc.constant('2100-01-01T00:00:00Z'),
      note: fc.constant('Because.'),
      work: fc.constantFrom([], [{ id: 'T8', title: 'Eight' }]),
      step: fc.constant(undefined),
    },
  };
  const anyValue = fc.oneof(...Object.values(values), fc.boolean(), fc.constant(null));

  /** Optional fields are mostly omitted, because random values make most calls fail. */
  function valueOf(tool: string, name: string): fc.Arbitrary<unknown> {
    const fitting = ofTool[tool]?.[name];
    if (fitting) return fc.oneof({ weight: 20, arbitrary: fitting }, { weight: 1, arbitrary: anyValue });
    const known = values[name];
    if (!known) return fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyValue });
    return fc.oneof(
      { weight: 20, arbitrary: known },
      { weight: 10, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: anyValue },
    );
  }

  /** Calls of one tool, mostly valid ones. */
  function callOf(tool: Operation): fc.Arbitrary<Call> {
    const fields = Object.fromEntries(Object.keys(tool.input.shape).map((name) => [name, valueOf(tool.name, name)]));
    return fc.record({ tool: fc.constant(tool), input: fc.record(fields), as: fc.constantFrom(...callers) });
  }

  return operations.map((tool) => ({ weight: weightOf(tool), arbitrary: callOf(tool) }));
}

/** Calls that rarely fit the current state, so most are refused; they are made more often. */
const seldom = new Set([
  'update_rfc',
  'close_event',
  'post_event',
  'respond_to_request',
  'withdraw_question',
  'reply_question',
  'park_question',
  'update_work',
]);

function weightOf({ name, readOnly }: Operation): number {
  if (readOnly || name === 'await_request') return 2;
  if (name === 'withdraw_question') return 20; // only an async question of the calling agent
  return seldom.has(name) ? 8 : 5;
}

export interface Call {
  readonly tool: Operation;
  readonly input: unknown;
  readonly as: string;
}

export const call = (workspace: Workspace, { tool, input, as }: Call) => {
  const context = { workspace, session: agent(as), signal: new AbortController().signal, waitMs: 0 };
  return runOperation(tool, context, JSON.parse(JSON.stringify(input)));
};
export const toolNamed = (name: string) => operations.find((tool) => tool.name === name)!;

/** The initial store: work items without dependencies, two responsibilities. */
export async function furnish(workspace: Workspace, agents: readonly string[]): Promise<void> {
  for (const id of works) {
    const input = { id, title: id, kind: id === 'W1' ? 'workflow' : 'task', holds: ['src/a'] };
    await call(workspace, { tool: toolNamed('register_work'), input, as: agents[0]! });
  }
  for (const id of ['first', 'second'])
    await call(workspace, {
      tool: toolNamed('register_responsibility'),
      input: { id, name: id, agents },
      as: agents[0]!,
    });
}
