import assert from 'node:assert/strict';
import {
  answerRequest,
  appoint,
  createAsHuman,
  noteSeen,
  shownAppointmentHash,
  shownRequestHash,
  type Appointment,
} from '../../../src/app/request/decisions.ts';
import {
  createRequest,
  registerResponsibility,
  respondToRequest,
  type AgentAnswer,
  type Answer,
  type CreateInput,
} from '../../../src/app/request/requests.ts';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import {
  assistedStewards,
  listRequests,
  listResponsibilities,
  queueFigures,
  requestDetails,
  requestFacts,
} from '../../../src/app/request/views.ts';
import { searchEvents } from '../../../src/app/memory/events.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { waitingCount } from '../../../src/app/question/views.ts';
import { stewardOf } from '../../../src/core/dashboard/figures.ts';
import { breached, isHumansTurn } from '../../../src/core/request/request.ts';
import { nextRequestTime } from '../../../src/core/request/due.ts';
import { agent, signedBy, enrolledHuman } from '../../support/store/people.ts';
import { hour, makeSandbox, minute, removeSandboxes } from '../../support/store/sandbox.ts';
import type { WithHuman } from '../../support/store/withHuman.ts';
import { requestRow, requestRows } from '../../../src/store/rows/read.ts';

const plain: CreateInput['ask'] = {
  type: 'request_for_action',
  payload: { suggested_actions: [], links: [], tags: [] },
};

async function refused(act: () => Promise<unknown>, code: string, why: RegExp): Promise<void> {
  await assert.rejects(
    act,
    (error) => error instanceof AppError && error.code === code && why.test(error.message),
    `${code} ${String(why)}`,
  );
}

interface Office extends WithHuman {
  iso(inMs?: number): string;
  pass(ms: number): Promise<void>;
  ask(more?: Partial<CreateInput>, by?: string): Promise<Awaited<ReturnType<typeof createRequest>>['request']>;
  respond(id: string, answer: AgentAnswer, by?: string): ReturnType<typeof respondToRequest>;
  appoint(appointment: Appointment): Promise<void>;
  answer(id: string, answer: Answer): ReturnType<typeof answerRequest>;
  row(id: string): NonNullable<ReturnType<typeof requestDetails>>;
  events(id: string): string[];
}

/** asker and doer, each with one agent; a human and a steward once they are appointed. */
async function office(sandbox = makeSandbox()): Promise<Office> {
  const workspace = sandbox.open();
  const store = await workspace.store();
  const human = enrolledHuman(workspace);
  for (const name of ['asker', 'doer'])
    await registerResponsibility(store, agent(`${name}-001`), { id: name, kind: 'agent', name, agents: [] });
  const made: Office = {
    sandbox,
    workspace,
    store,
    human,
    iso: (inMs = 0) => new Date(sandbox.clock.now + inMs).toISOString(),
    async pass(ms) {
      sandbox.clock.now += ms;
      await sweep(store);
    },
    ask: async (more = {}, by = 'asker-001') =>
      (
        await createRequest(store, agent(by), {
          ask: plain,
          target: 'doer',
          subject: 'Look.',
          summary: 'It fails.',
          ...more,
        })
      ).request,
    respond: async (id, answer, by = 'doer-001') => respondToRequest(store, agent(by), id, answer),
    async appoint(appointment) {
      const shown = shownAppointmentHash(store.read().state, appointment);
      await appoint(signedBy(store, human), appointment, shown);
    },
    answer: async (id, answer) =>
      answerRequest(signedBy(store, human), id, answer, shownRequestHash(store.read().state, id) ?? ''),
    row(id) {
      const found = requestDetails(store.read(), id);
      assert.ok(found, id);
      return found;
    },
    events: (id) => made.row(id).events.map(({ event_type }) => event_type),
  };
  return made;
}

const accept: AgentAnswer = { act: 'accept', work: [] };

describe('requests in the store', () => {
  let o: Office;
  beforeEach(async () => {
    o = await office();
  });
  afterEach(removeSandboxes);

  const boss: Appointment = { id: 'boss', kind: 'human', name: 'The boss', agents: [] };
  const jane: Appointment = { id: 'jane@dadmode', kind: 'steward', name: 'Jane', agents: ['jane-001'] };

  it('have every column of the canonical schema, and their history', async () => {
    const request = await o.ask({
      mandate: 'asker.monthly',
      bodyPath: 'docs/why.md',
      priority: 5,
      responseSeconds: 60,
      completionSeconds: 120,
      dueAt: o.iso(hour),
      idempotencyKey: 'once',
      sourceContext: 'mandate_run:asker.monthly@2026-03-02',
      ask: { type: 'request_for_action', payload: { suggested_actions: ['Read it.'], links: [], tags: ['login'] } },
    });
    const { workspaceId } = o.store;
    const now = '2026-03-02T09:00:00.000Z';
    assert.deepEqual(request, {
      id: 'R-1',
      type: 'request_for_action',
      origin_responsibility_id: 'asker',
      target_responsibility_id: 'doer',
      origin_mandate_id: 'asker.monthly',
      subject: 'Look.',
      summary: 'It fails.',
      body_md_path: 'docs/why.md',
      workspace_id: workspaceId,
      status: 'pending',
      payload_json: null,
      priority: 5,
      sla_response_seconds: 60,
      sla_completion_seconds: 120,
      acknowledged_at: null,
      created_at: now,
      available_at: now,
      due_at: '2026-03-02T10:00:00.000Z',
      processed_at: null,
      closed_at: null,
      idempotency_key: 'once',
      attempts: 0,
      last_error: null,
      authored_by: 'ai',
      author_agent_id: 'asker-001',
      source_context: 'mandate_run:asker.monthly@2026-03-02',
      accepted_at: null,
      accepted_by: null,
      responded_at: null,
      response: null,
      note: null,
      escalated_at: null,
      payload: { suggested_actions: ['Read it.'], links: [], tags: ['login'] },
      steps: [],
      sla_due_at: '2026-03-02T09:01:00.000Z',
      overdue: false,
      work: [],
      events: [
        {
          id: 1,
          event_type: 'created',
          old_status: null,
          new_status: 'created',
          note: null,
          created_at: now,
          created_by: 'ai',
          created_agent_id: 'asker-001',
        },
        {
          id: 2,
          event_type: 'released',
          old_status: 'created',
          new_status: 'pending',
          note: null,
          created_at: now,
          created_by: 'ai',
          created_agent_id: 'asker-001',
        },
      ],
    });
  });

  it('wait until they are available, and are resumed and expired by time', async () => {
    await o.ask({ availableAt: o.iso(hour), dueAt: o.iso(3 * hour) });
    assert.equal(o.row('R-1').status, 'created');
    await refused(async () => o.respond('R-1', accept), 'conflict', /R-1 is created: it can only become pending/);
    assert.deepEqual(nextRequestTime(o.store.read().state.requests.values(), o.iso()), o.iso(hour));
    await o.pass(hour);
    assert.equal(o.row('R-1').status, 'pending');
    await o.respond('R-1', { act: 'defer', until: o.iso(hour), note: 'Later.' });
    assert.equal(o.row('R-1').available_at, o.iso(hour));
    await o.pass(hour);
    assert.equal(o.row('R-1').status, 'pending');
    await o.pass(hour);
    assert.deepEqual(
      [o.row('R-1').status, o.row('R-1').closed_at, o.row('R-1').processed_at],
      ['expired', o.iso(), null],
    );
    assert.deepEqual(o.events('R-1'), ['created', 'refused', 'released', 'deferred', 'resumed', 'expired']);
    assert.equal(nextRequestTime(o.store.read().state.requests.values(), o.iso()), null);
    assert.deepEqual(await sweep(o.store), []);
  });

  it('never take over existing work: if a work id is in use, all of it is refused', async () => {
    await o.ask();
    const work = [{ id: 't-1', title: 'One', kind: 'task' }] as const;
    await o.respond('R-1', { act: 'accept', work });
    await o.ask();
    await refused(async () => o.respond('R-2', { act: 'accept', work }), 'bad_input', /t-1 is already registered/);
    assert.equal(o.row('R-2').status, 'pending');
  });

  it('are remembered when they are accepted, deferred or rejected', async () => {
    for (let count = 0; count < 4; count++) await o.ask();
    await o.respond('R-1', accept);
    await o.respond('R-2', { act: 'defer', until: o.iso(hour), note: 'Later.\nMuch later.' });
    await o.respond('R-3', { act: 'reject', note: 'Not ours.' });
    await o.respond('R-4', { act: 'cancel', note: 'Never mind.' }, 'asker-001');
    const { events } = searchEvents(o.store.read(), {});
    assert.deepEqual(events.map(({ text, type, author }) => [text, type, author]).reverse(), [
      ['R-1 "Look." (asker to doer) was accepted by doer-001.', 'decision', 'doer-001'],
      [`R-2 "Look." (asker to doer) was deferred until ${o.iso(hour)} by doer-001: Later.…`, 'decision', 'doer-001'],
      ['R-3 "Look." (asker to doer) was rejected by doer-001: Not ours.', 'decision', 'doer-001'],
    ]);
  });

  /** Events with their id, status and reason for closing. */
  const kept = () =>
    searchEvents(o.store.read(), {})
      .events.map(({ id, status, resolved_reason: why }) => `${id} ${status} ${why ?? ''}`)
      .sort();

  it('close the events about earlier answers after later acts', async () => {
    for (let count = 0; count < 4; count++) await o.ask({ dueAt: o.iso(3 * hour) });
    await o.respond('R-1', { act: 'defer', until: o.iso(hour) });
    await o.respond('R-2', { act: 'defer', until: o.iso(hour) });
    await o.respond('R-3', accept);
    await o.respond('R-4', { act: 'reject', note: 'Not ours.' });
    assert.deepEqual(kept(), ['E-1 active ', 'E-2 active ', 'E-3 active ', 'E-4 active ']);
    await o.pass(hour);
    assert.deepEqual(kept().slice(0, 2), [
      'E-1 resolved R-1 was offered again.',
      'E-2 resolved R-2 was offered again.',
    ]);
    await o.respond('R-1', accept);
    await o.respond('R-1', { act: 'complete', note: 'Done.' });
    await o.pass(3 * hour);
    assert.deepEqual(kept(), [
      'E-1 resolved R-1 was offered again.',
      'E-2 resolved R-2 was offered again.',
      'E-3 active ',
      // A refusal is the outcome, so it stays active.
      'E-4 active ',
      'E-5 resolved R-1 was completed.',
    ]);
    assert.deepEqual(o.store.read().state.refusals, []);
  });

  it('for a human close events with the signature, or propose that if an agent or time ends them', async () => {
    await o.appoint(boss);
    await o.ask({ target: 'boss' });
    await o.ask({ target: 'boss' });
    await o.answer('R-1', { act: 'accept' });
    await o.answer('R-2', { act: 'defer', until: o.iso(hour) });
    await o.answer('R-1', { act: 'complete', note: 'Done.' });
    await o.pass(hour);
    await o.respond('R-2', { act: 'cancel', note: 'Never mind.' }, 'asker-001');
    assert.deepEqual(kept(), ['E-1 resolved R-1 was completed.', 'E-2 active ']);
    const { state } = o.store.read();
    assert.deepEqual([state.proposals.get('E-2')?.reason, state.refusals], ['R-2 was offered again.', []]);
  });

  it('time the response to a deferred request from when it was available', async () => {
    await o.ask();
    await o.pass(2 * minute);
    await o.respond('R-1', { act: 'defer', until: o.iso(hour), note: 'Later.' });
    assert.equal(queueFigures(o.store.read())[0]?.response_seconds, 120);
  });

  const policy = async (action: 'alert' | 'escalate' | 'reassign', reassignTo?: string) => {
    const { state } = o.store.read();
    const overdue = { action, ...(reassignTo === undefined ? {} : { reassignTo }) };
    await changePolicy(signedBy(o.store, o.human), { ...state.policy, overdue }, shownPolicyHash(state));
  };

  it('are escalated when overdue, if the policy says so', async () => {
    await policy('escalate');
    await o.ask({ completionSeconds: 60 });
    await o.respond('R-1', accept);
    await o.pass(hour);
    await o.pass(hour);
    assert.deepEqual(o.events('R-1').slice(3), ['sla_completion_breached', 'escalated']);
    assert.deepEqual(
      [o.row('R-1').priority, o.row('R-1').escalated_at, o.row('R-1').status],
      [0, o.iso(-hour), 'accepted'],
    );
  });

  it('are reassigned when overdue, once, to the target in the policy', async () => {
    await o.appoint(jane);
    await policy('reassign', 'jane@dadmode');
    await o.ask({ completionSeconds: 60 });
    await o.respond('R-1', accept);
    await o.pass(hour);
    assert.deepEqual(o.events('R-1').slice(3), ['sla_completion_breached', 'reassigned']);
    assert.deepEqual(kept(), ['E-1 resolved R-1 was offered to another assignee.']);
    await refused(
      async () => o.respond('R-1', { act: 'complete', note: 'x' }),
      'denied',
      /only its target jane@dadmode/,
    );
    const { status, accepted_at, accepted_by, acknowledged_at, available_at } = o.row('R-1');
    assert.deepEqual(
      [status, accepted_at, accepted_by, acknowledged_at, available_at],
      ['pending', null, null, null, o.iso()],
      'the new target has not accepted anything',
    );
    const claimable = listRequests(o.store.read(), { box: 'claimable', of: ['jane@dadmode'], limit: 5 });
    assert.deepEqual(
      claimable.requests.map(({ id }) => id),
      ['R-1'],
    );
    await refused(
      async () => o.respond('R-1', { act: 'complete', note: 'x' }, 'jane-001'),
      'conflict',
      /R-1 is pending/,
    );
    await o.pass(hour);
    assert.deepEqual(o.events('R-1').slice(6), ['refused'], 'without a deadline, nothing becomes overdue');
    await o.respond('R-1', accept, 'jane-001');
    assert.equal(o.row('R-1').accepted_by, 'jane-001');
    await o.pass(hour);
    await o.pass(hour);
    // It cannot be reassigned to its current target, so it is escalated.
    assert.deepEqual(o.events('R-1').slice(7), ['accepted', 'sla_completion_breached', 'escalated']);
    await o.respond('R-1', { act: 'complete', note: 'Done.' }, 'jane-001');
    assert.equal(o.row('R-1').status, 'completed');
  });

  it('count each breach for who had the request then', async () => {
    await o.appoint(jane);
    await policy('reassign', 'jane@dadmode');
    await o.ask({ completionSeconds: 60 });
    await o.respond('R-1', accept);
    await o.pass(hour);
    const breaches = () =>
      queueFigures(o.store.read()).map(({ target_responsibility_id: target, depth, breaches: count }) => [
        target,
        depth,
        count,
      ]);
    assert.deepEqual(breaches(), [
      ['jane@dadmode', 1, 0],
      ['doer', 0, 1],
    ]);
    await o.respond('R-1', accept, 'jane-001');
    await o.pass(hour);
    assert.deepEqual(breaches(), [
      ['jane@dadmode', 1, 1],
      ['doer', 0, 1],
    ]);
    const { completion_breaches, by_target } = stewardOf(requestFacts(o.store.read()), o.iso(), {
      ...{ days: 1, offsetMinutes: () => 0 },
    });
    assert.deepEqual([completion_breaches, by_target.length], [2, 2]);
  });
  it('are escalated instead of reassigned after their expiry date, because an offer would expire immediately', async () => {
    await o.appoint(jane);
    await policy('reassign', 'jane@dadmode');
    await o.ask({ completionSeconds: 60, dueAt: o.iso(hour / 2) });
    await o.respond('R-1', accept);
    await o.pass(hour);
    assert.deepEqual(o.events('R-1').slice(-2), ['sla_completion_breached', 'escalated']);
  });
  it('for a human are answered by a human, and remembered under the human’s name', async () => {
    await o.appoint(boss);
    await o.ask({ target: 'boss' });
    await refused(async () => o.respond('R-1', accept), 'denied', /a human: it is answered in a form/);
    await noteSeen(o.store, o.human, 'R-1');
    await noteSeen(o.store, o.human, 'R-1');
    assert.deepEqual(o.events('R-1').slice(2), ['refused', 'acknowledged']);
    const { outcome, request } = await o.answer('R-1', { act: 'accept', note: 'I will.' });
    assert.deepEqual(
      [outcome, request.status, request.accepted_by, request.events.at(-1)?.created_by],
      ['done', 'accepted', 'Ada', 'Ada'],
    );
    const [remembered] = searchEvents(o.store.read(), {}).events;
    assert.deepEqual(
      [remembered?.text, remembered?.author, remembered?.author_kind],
      ['R-1 "Look." (asker to boss) was accepted by Ada: I will.', 'Ada', 'human'],
    );
    assert.equal((await o.answer('R-1', { act: 'accept' })).outcome, 'already');
    assert.equal((await o.answer('R-1', { act: 'complete', note: 'Done.' })).request.status, 'completed');
    assert.deepEqual(o.store.read().state.refusals, []);
  });

  it('to agents cannot be answered by a human, nor can changed ones', async () => {
    await o.ask();
    await refused(async () => o.answer('R-1', { act: 'accept' }), 'denied', /only its target doer/);
    await o.appoint(boss);
    await o.ask({ target: 'boss', dueAt: o.iso(hour) });
    const shown = '0'.repeat(64);
    assert.equal((await answerRequest(signedBy(o.store, o.human), 'R-2', { act: 'accept' }, shown)).outcome, 'changed');
    await refused(async () => o.answer('R-2', { act: 'defer', until: o.iso(2 * hour) }), 'bad_input', /is due/);
    await refused(async () => o.answer('R-9', { act: 'accept' }), 'not_found', /no request R-9/);
    await o.pass(hour);
    assert.equal((await answerRequest(signedBy(o.store, o.human), 'R-2', { act: 'accept' }, shown)).outcome, 'already');
  });

  it('of a human are created and withdrawn in a form', async () => {
    await o.appoint(boss);
    const asked = await createAsHuman(signedBy(o.store, o.human), {
      origin: 'boss',
      target: 'doer',
      subject: ' Look. ',
      summary: 'Please.',
      ask: plain,
    });
    assert.deepEqual([asked.authored_by, asked.author_agent_id, asked.subject], ['human', null, 'Look.']);
    await refused(async () => o.ask({ origin: 'boss', target: 'asker' }), 'denied', /asker-001 does not act for boss/);
    assert.equal((await o.answer('R-1', { act: 'cancel', note: 'Never mind.' })).request.status, 'cancelled');
    assert.deepEqual(o.store.read().state.refusals, []);
  });

  it('to a steward go to a human once its agents miss the deadline', async () => {
    await o.appoint(jane);
    await o.appoint(boss);
    await o.ask({ target: 'jane@dadmode', responseSeconds: 60, completionSeconds: 60 });
    const wanted = () => {
      const { state } = o.store.read();
      const request = state.requests.get('R-1');
      assert.ok(request);
      return [isHumansTurn(state, request), breached(request), waitingCount(state)];
    };
    assert.deepEqual(wanted(), [false, null, 0]);
    await o.pass(minute + 1);
    assert.deepEqual(wanted(), [true, 'response', 1]);
    await o.respond('R-1', accept, 'jane-001');
    assert.deepEqual(wanted(), [false, null, 0]);
    await o.pass(minute + 1);
    assert.deepEqual(wanted(), [true, 'completion', 1]);
    assert.equal((await o.answer('R-1', { act: 'complete', note: 'I did it.' })).outcome, 'done');
    assert.equal(waitingCount(o.store.read().state), 0);
    await o.ask({ responseSeconds: 60 });
    await o.pass(minute + 1);
    assert.equal(waitingCount(o.store.read().state), 0, 'an agent sees only its own');
    assert.deepEqual(assistedStewards(o.store.read()), ['jane@dadmode']);
  });

  it('are selected in order, up to the limit', async () => {
    await o.ask({ priority: 200 });
    await o.pass(minute);
    await o.ask();
    await o.ask();
    await o.pass(minute);
    await o.ask({ priority: 1 });
    await o.ask({ availableAt: o.iso(hour), priority: 0 });
    const claimable = (limit: number) =>
      listRequests(o.store.read(), { box: 'claimable', of: ['doer'], limit }).requests.map(({ id }) => id);
    assert.deepEqual(claimable(10), ['R-4', 'R-2', 'R-3', 'R-1']);
    assert.deepEqual(claimable(2), ['R-4', 'R-2']);
    await o.respond('R-4', accept);
    assert.deepEqual(claimable(2), ['R-2', 'R-3']);
    const box = (of: string, kind: 'inbox' | 'outbox') =>
      listRequests(o.store.read(), { box: kind, of: [of], limit: 3 });
    assert.deepEqual([box('doer', 'inbox').total, box('doer', 'inbox').requests.length], [5, 3]);
    assert.deepEqual([box('doer', 'outbox').total, box('asker', 'outbox').total], [0, 5]);
  });
});

describe('two workspaces with the same responsibilities', () => {
  afterEach(removeSandboxes);

  it("never see each other's rows", async () => {
    const [one, two] = [await office(), await office()];
    assert.notEqual(one.store.workspaceId, two.store.workspaceId);
    await one.ask({ subject: 'Of one.', idempotencyKey: 'k' });
    await two.ask({ subject: 'Of two.', idempotencyKey: 'k' });
    for (const [o, mine] of [
      [one, 'Of one.'],
      [two, 'Of two.'],
    ] as const) {
      const view = o.store.read();
      for (const box of ['inbox', 'claimable', 'all'] as const)
        assert.deepEqual(
          listRequests(view, { box, of: ['doer'], limit: 10 }).requests.map(({ subject }) => subject),
          [mine],
        );
      const own = o.store.workspaceId ?? '';
      for (const asked of [one.store.workspaceId ?? '', two.store.workspaceId ?? '']) {
        const expected = asked === own ? 1 : 0;
        assert.equal(requestRows(view.rows, asked, {}, { limit: 10 }).total, expected);
        assert.equal(requestRow(view.rows, asked, 'R-1') === undefined, expected === 0);
      }
      assert.equal(new Set(listResponsibilities(view).map(({ workspace_id }) => workspace_id)).size, 1);
    }
  });
});
