import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { exported } from '../../support/store/exported.ts';
import { preparedImport, runImport } from '../../../src/app/transfer/importing.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { askBackProblem } from '../../../src/core/question/askBack.ts';
import { operations } from '../../../src/tools/operations.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import type { Operation } from '../../../src/tools/kit/operation.ts';
import { runs } from '../../support/runs.ts';
import { globs } from '../../support/store/arbitraries.ts';
import { heldFacts, lost, widened } from '../../support/store/model.ts';
import { agent, askAgent, enrolledHuman } from '../../support/store/people.ts';
import type { Human } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const works = ['W1', 'T1', 'T2', 'T3', 'T4'];
const agents = ['copilot-001', 'claude-002'];
const workId = fc.constantFrom(...works);
const list = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { maxLength: 2 });

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
  return fc.record({ tool: fc.constant(tool), input: fc.record(fields), as: fc.constantFrom(...agents) });
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

interface Call {
  readonly tool: Operation;
  readonly input: unknown;
  readonly as: string;
}

const call = (workspace: Workspace, { tool, input, as }: Call) => {
  const context = { workspace, session: agent(as), signal: new AbortController().signal, waitMs: 0 };
  return runOperation(tool, context, JSON.parse(JSON.stringify(input)));
};
const toolNamed = (name: string) => operations.find((tool) => tool.name === name)!;

/** The initial store: work items without dependencies, two responsibilities. */
async function furnish(workspace: Workspace): Promise<void> {
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

describe('no sequence of calls', () => {
  afterEach(removeSandboxes);

  it('of any tools, with sweeps, jumping clocks and humans who ask back, shrinks the held set or decides anything', async () => {
    const names = new Set<string>();
    let held = 0;
    const calls = operations.map((tool) => ({ weight: weightOf(tool), arbitrary: callOf(tool) }));
    const acts = fc.oneof(
      ...calls,
      { weight: 2, arbitrary: fc.record({ hours: fc.integer({ min: -50, max: 50 }) }) },
      { weight: 5, arbitrary: fc.record({ asksBack: fc.nat({ max: 1 }) }) },
      { weight: 6, arbitrary: fc.record({ takes: fc.nat({ max: 2 }), asHistory: fc.boolean() }) },
    );
    const elsewhere = fc.array(fc.oneof(...calls), { minLength: 24, maxLength: 24 });
    const here = fc.array(acts, { minLength: 140, maxLength: 160, size: 'max' });
    let tookIn = 0;
    await fc.assert(
      fc.asyncProperty(here, elsewhere, async (sequence, others) => {
        const files = await exportsOf(others);
        const workspace = makeSandbox();
        const { clock } = workspace;
        const opened = workspace.open();
        const store = await opened.store();
        const human = enrolledHuman(opened);
        await furnish(opened);
        for (const act of sequence) {
          const before = heldFacts(store.read().state);
          if ('hours' in act) {
            clock.now += act.hours * hour;
            await sweep(store);
          } else if ('asksBack' in act) {
            await askedBack(opened, human, act.asksBack);
          } else if ('takes' in act) {
            if (await imported(opened, files[act.takes]!, act.asHistory)) tookIn++;
          } else {
            const { status } = await call(opened, act);
            if (status === 'ok') names.add(act.tool.name);
          }
          const { state } = store.read();
          const after = heldFacts(state);
          assert.deepEqual(lost(before, after), []);
          assert.deepEqual(widened(after), []);
          assert.ok(
            [...state.questions.values()].every(
              ({ resolution }) => resolution === null || resolution.how === 'withdrawn',
            ),
          );
          assert.ok([...state.rfcs.values()].every(({ approval, ended }) => approval === null && ended === null));
          if (after.size > 0) held++;
        }
        opened.close();
      }),
      { numRuns: runs(56) },
    );
    assert.deepEqual(
      operations.filter(({ name }) => !names.has(name)).map(({ name }) => name),
      [],
      'each tool got something done',
    );
    assert.ok(held > runs(200), String(held));
    assert.ok(tookIn > runs(30), `only ${String(tookIn)} imports brought anything`);
  }).timeout(120_000);
});

/** A human asks back about one of the first questions, if that can be done. */
async function askedBack(workspace: Workspace, human: Human, place: number): Promise<void> {
  const open = [...(await workspace.store()).read().state.questions.values()].filter(
    (one) => askBackProblem(one) === null,
  );
  const question = open[place];
  if (question) await askAgent(workspace, human, question.id);
}

/** Three exports of another workspace at different times, as file paths. */
async function exportsOf(calls: readonly Call[]): Promise<string[]> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  await furnish(workspace);
  const files: string[] = [];
  for (const [index, one] of calls.entries()) {
    await call(workspace, one);
    if ((index + 1) % 8 !== 0) continue;
    const file = path.join(sandbox.at('.'), `export-${String(index)}.json`);
    fs.writeFileSync(file, await exported(workspace, 'json', null));
    files.push(file);
  }
  workspace.close();
  return files;
}

/** Whether anything was imported; a rule may refuse it all. */
async function imported(workspace: Workspace, file: string, asHistory: boolean): Promise<boolean> {
  const options = { path: file, source: path.basename(file), asHistory, drafts: true };
  try {
    const plan = await preparedImport(workspace, 'json', options);
    const done = await runImport(workspace, agent(agents[1]).actor, plan);
    return done.outcome === 'imported';
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return false;
  }
}
