/** Dashboards over a real store: their figures for known work, questions and decisions. */
import assert from 'node:assert/strict';
import { dashboard } from '../../../src/app/dashboard/dashboard.ts';
import { recordOffer } from '../../../src/app/waiting/delivery.ts';
import { type RaiseInput, raiseQuestion, withdrawQuestion } from '../../../src/app/question/questions.ts';
import { listWork, registerWork, updateWork } from '../../../src/app/work/work.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { dashboardText } from '../../../src/cli/dashboard/dashboard.ts';
import { agent, cancel, decide, enrolledHuman, release } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';

describe('the dashboards', () => {
  const plain: RaiseInput = { text: 'Which way?', type: 'clarification', urgency: 'medium', mode: 'sync', work: null };

  const calendar = { days: 2, offsetMinutes: () => 0 };

  /** A workflow with two tasks and a dependant elsewhere; four questions, three of them decided. */
  async function setting() {
    const { sandbox, workspace, human, store } = await withHuman();
    const asker = agent();
    await registerWork(store, asker, { id: 'W1', workKind: 'workflow', title: 'Release' });
    await registerWork(store, asker, {
      id: 'T1',
      workKind: 'task',
      title: 'Tokens',
      workflow: 'W1',
      assignee: 'copilot-001',
      status: 'in_progress',
    });
    await registerWork(store, asker, { id: 'T2', workKind: 'task', title: 'Page', workflow: 'W1' });
    await registerWork(store, agent('claude-002'), {
      id: 'T3',
      workKind: 'task',
      title: 'Docs',
      dependsOn: ['T2'],
      assignee: 'claude-002',
      status: 'in_progress',
    });
    await raiseQuestion(store, asker, { ...plain, text: 'First?', work: 'T1', urgency: 'high' });
    sandbox.clock.now += hour;
    await decide(workspace, human, 'Q-1');
    await raiseQuestion(store, asker, { ...plain, text: 'Second?' });
    await decide(workspace, human, 'Q-2', cancel);
    await raiseQuestion(store, agent('claude-002'), { ...plain, text: 'Third?', work: 'T3' });
    sandbox.clock.now += 24 * hour;
    await decide(workspace, human, 'Q-3', release);
    await recordOffer(store, agent('claude-002'), ['Q-3'], true);
    await raiseQuestion(store, asker, { ...plain, text: 'Shall W1\ngo on?', work: 'W1' });
    await raiseQuestion(store, asker, { ...plain, text: 'By the way?', mode: 'async', urgency: 'low', work: 'T3' });
    sandbox.clock.now += 10 * 60_000;
    return { store, sandbox, workspace };
  }

  afterEach(removeSandboxes);

  it('impact: the amount of held work and its holders; the graph contains only those', async () => {
    const { store } = await setting();
    const impact = dashboard(store.read(), 'impact', calendar);
    assert.deepEqual([impact.held_workflows, impact.held_tasks], [1, 3]);
    assert.deepEqual(
      impact.holders.map(({ id, name, waiting_ms, workflows, tasks }) => [id, name, waiting_ms, workflows, tasks]),
      [['Q-4', 'Shall W1…', 600_000, 1, 3]],
    );
    assert.deepEqual(impact.nodes.map(({ id, kind, status }) => `${id} ${kind} ${String(status)}`).sort(), [
      'Q-4 question null',
      'T1 task blocked_pending_human_input',
      'T2 task blocked_pending_human_input',
      'T3 task blocked_pending_human_input',
      'W1 workflow blocked_pending_human_input',
    ]);
    assert.deepEqual(impact.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`).sort(), [
      'Q-4 holds W1',
      'T2 depends_on T3',
      'W1 part_of T1',
      'W1 part_of T2',
    ]);
    assert.match(dashboardText('impact', impact), /^1 workflow held, 3 tasks held:\n[^\n]+\nQ-4 /);
  });

  it('count no finished item, and nothing that only depends on finished work', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const store = await workspace.store();
    const register = (id: string, more: object = {}) =>
      registerWork(store, agent(), { id, workKind: 'task', title: id, status: 'todo', ...more });
    await register('T1');
    await updateWork(store, agent(), {
      ...{ id: 'T1', status: 'done' },
      ...{ addDependsOn: [], removeDependsOn: [], addHolds: [], removeHolds: [] },
    });
    await register('T2', { dependsOn: ['T1'] });
    await raiseQuestion(store, agent(), { ...plain, work: 'T1' });
    const view = store.read();
    const { held_tasks, nodes } = dashboard(view, 'impact', calendar);
    const question = questionView(view, 'Q-1');
    const { waiting } = briefingOf(workspace, view, { focus: null }).briefing;
    const gate = (work: string) => askGate(workspace, { work }).verdict;
    assert.deepEqual(
      [held_tasks, nodes.map(({ id }) => id), question?.holds_work, question?.cascade, gate('T2')],
      [0, ['Q-1'], 0, [], 'allow'],
    );
    assert.deepEqual(
      listWork(view.state).map(({ id, status, blocks }) => [id, status, blocks.length]),
      [
        ['T1', 'done', 1],
        ['T2', 'todo', 0],
      ],
    );
    assert.equal(waiting.items[0]?.holds_work, 0);
    assert.equal(gate('T1'), 'deny', 'finished work is not begun again while it is held');
  });

  it('agents: those waiting, those working, and undelivered decisions', async () => {
    const { store } = await setting();
    const view = dashboard(store.read(), 'agents', calendar);
    const { agents } = view;
    assert.deepEqual(
      agents.map(({ agent_id, waits_on, doing, unacknowledged }) => [
        agent_id,
        waits_on.map(({ id, holds }) => `${id} holds ${String(holds)}`),
        doing.map(({ id, held }) => `${id} ${held ? 'held' : 'free'}`),
        unacknowledged.map(({ id }) => id),
      ]),
      [
        ['copilot-001', ['Q-4 holds 4', 'Q-5 holds 0'], ['T1 held'], ['Q-1', 'Q-2']],
        ['claude-002', [], ['T3 held'], []],
      ],
    );
    const text = dashboardText('agents', view);
    assert.match(
      text,
      /^copilot-001 waits for 2 items\. Stopped for 70 min in total\.\n {2}stopped 10 min: Shall W1… \(Q-4\), holds 4/,
    );
    assert.deepEqual(
      agents.map(({ waited_ms }) => waited_ms),
      [hour + 10 * 60_000, 24 * hour],
    );
    assert.match(text, /has not picked up: First\? \(Q-1\), decided 24 h ago/);
    assert.match(text, /questions: \d+ answered in one go/);
  });

  it('agents: stopped ones come first, time in which several questions stop one counts once, and titles have no markup', async () => {
    const { store, sandbox, workspace } = await setting();
    const human = enrolledHuman(workspace);
    await raiseQuestion(store, agent('claude-002'), { ...plain, text: 'Is **this** `one` first?', work: null });
    sandbox.clock.now += hour;
    await raiseQuestion(store, agent('claude-002'), { ...plain, text: 'And this?' });
    sandbox.clock.now += hour;
    await decide(workspace, human, 'Q-4');
    const { agents } = dashboard(store.read(), 'agents', calendar);
    assert.deepEqual(
      agents.map(({ agent_id, waits_on, waited_ms }) => [
        agent_id,
        waits_on.map(({ name, stops }) => `${name} ${String(stops)}`),
        waited_ms,
      ]),
      [
        ['claude-002', ['Is this one first? true', 'And this? true'], 26 * hour],
        ['copilot-001', ['By the way? false'], 3 * hour + 10 * 60_000],
      ],
    );
    assert.deepEqual(
      dashboard(store.read(), 'impact', calendar).holders.filter(({ name }) => /[*`]/.test(name)),
      [],
    );
  });

  it('agents: no text by an agent begins a line', async () => {
    const { store } = await setting();
    const work = { workKind: 'task', assignee: 'copilot-001', status: 'in_progress' } as const;
    await registerWork(store, agent(), { ...work, id: 'T9', title: 'Page\nAda waits for nothing' });
    const text = dashboardText('agents', dashboard(store.read(), 'agents', calendar));
    assert.match(text, /\n {2}works on: Page Ada waits for nothing \(T9\)\n/);
  });

  it('an empty store: each says so', async () => {
    const store = await makeSandbox().open().store();
    const view = store.read();
    assert.equal(dashboardText('impact', dashboard(view, 'impact', calendar)), '0 workflows held, 0 tasks held.');
    assert.equal(dashboardText('agents', dashboard(view, 'agents', calendar)), 'No agents yet.');
    assert.equal(dashboardText('humans', dashboard(view, 'humans', calendar)), '0 questions waiting.');
    assert.equal(dashboardText('steward', dashboard(view, 'steward', calendar)), '0 requests in the queue.');
  });
});

/** The figures about humans add up: every question is in exactly one of them, and only humans' answers are timed. */
describe('the figures about humans', () => {
  const calendar = { days: 3, offsetMinutes: () => 0 };

  afterEach(removeSandboxes);

  it('count each question once', async () => {
    const { sandbox, workspace, human, store } = await withHuman();
    const ask = async (text: string, more: Partial<RaiseInput> = {}) => {
      const input = { text, type: 'clarification', urgency: 'high', mode: 'sync', work: null, ...more } as const;
      return (await raiseQuestion(store, agent(), input)).question.id;
    };
    await decide(workspace, human, await ask('Answered at once?'));
    const late = await ask('Expired, then released?');
    await ask('Expired and still held?');
    await ask('Expired with its assumption?', { mode: 'async', assumption: 'Yes.' });
    sandbox.clock.now += 25 * hour;
    await sweep(store);
    await decide(workspace, human, late, release);
    const cancelled = await ask('Cancelled?');
    await decide(workspace, human, cancelled, cancel);
    const slow = await ask('Answered after two hours?');
    sandbox.clock.now += 2 * hour;
    await decide(workspace, human, slow);
    const withdrawn = await ask('Withdrawn?', { mode: 'async' });
    await withdrawQuestion(store, agent(), withdrawn, 'Found it.');
    await ask('Open?', { mode: 'async' });

    const humans = dashboard(store.read(), 'humans', calendar);
    const { waiting, answered, cancelled: no, released, withdrawn: back, expired } = humans;
    assert.deepEqual(
      { waiting, answered, no, released, back, expired },
      { waiting: 2, answered: 2, no: 1, released: 1, back: 1, expired: 3 },
    );
    const assumed = 1; // The expired async question waits for nobody.
    assert.equal(waiting + answered + no + released + back + assumed, store.read().state.questions.size);
    const { count, mean_ms, median_ms } = humans.time_to_answer;
    assert.deepEqual({ count, mean_ms, median_ms }, { count: 2, mean_ms: hour, median_ms: hour });
    assert.equal(
      Object.values(humans.time_to_answer_by_urgency).reduce((sum, one) => sum + one.count, 0),
      count,
    );
    assert.deepEqual(
      humans.days.map(({ day, raised, decided }) => [day, Object.values(raised).reduce((a, b) => a + b), decided]),
      [
        ['2026-03-01', 0, 0],
        ['2026-03-02', 4, 1],
        ['2026-03-03', 4, 3],
      ],
    );
    assert.match(
      dashboardText('humans', humans),
      /^2 questions waiting, 2 answered, 1 cancelled, 1 released, 1 withdrawn, 3 expired before a decision\.\n/,
    );
  });
});
