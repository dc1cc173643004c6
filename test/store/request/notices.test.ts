/** Requests reach the agents of their target, and outcomes those of their origin: in order, and once. */
import assert from 'node:assert/strict';
import {
  answerRequest,
  appoint,
  createAsHuman,
  shownAppointmentHash,
  shownRequestHash,
} from '../../../src/app/request/decisions.ts';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { requestDetails } from '../../../src/app/request/views.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { agent, enrolledHuman, type Human, signedBy } from '../../support/store/people.ts';
import { hour, makeSandbox, minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { callTool } from '../../support/store/callTool.ts';
import {
  type Answer,
  type CreateInput,
  createRequest,
  registerResponsibility,
} from '../../../src/app/request/requests.ts';
import { humanNoticeOf } from '../../../src/core/request/due.ts';

describe('notices of requests', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let human: Human;

  beforeEach(async () => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    human = enrolledHuman(workspace);
    await call('register_responsibility', { id: 'asker', name: 'Asker' }, 'asker-001');
    await call('register_responsibility', { id: 'doer', name: 'Doer', agents: ['doer-002'] }, 'doer-001');
  });
  afterEach(removeSandboxes);

  const call = (name: string, input: object, as: string, session = `s-${as}`) =>
    callTool(workspace, name, input, { as: agent(as, { session }) });
  const ask = (more: object = {}) =>
    call('create_request', { target: 'doer', subject: 'Rotate the keys', summary: 'Old.', ...more }, 'asker-001');
  const respond = (action: string, more: object = {}, as = 'doer-001') =>
    call('respond_to_request', { id: 'R-1', action, ...more }, as);
  /** An unrelated call. */
  const other = async (as: string, session?: string) =>
    (await call('list_questions', {}, as, session)).text.split('\n').filter((line) => line.startsWith('Also:'));
  const row = async () => requestDetails((await workspace.store()).read(), 'R-1');
  async function pass(ms: number): Promise<void> {
    sandbox.clock.now += ms;
    await sweep(await workspace.store());
  }

  it('notify each agent of the target once about waiting requests, and no other agent', async () => {
    await ask();
    await ask({ subject: 'Read the log' });
    const line =
      'Also: 2 requests wait for you: R-1 "Rotate the keys" (from asker), R-2 "Read the log" (from asker). ' +
      'holdpoint_list_items {"what":"requests"} shows them; accept, defer or reject with holdpoint_respond_to_request.';
    for (const as of ['doer-001', 'doer-002']) {
      assert.deepEqual(await other(as), [line]);
      assert.deepEqual(await other(as), []);
    }
    assert.deepEqual(await other('asker-001'), []);
    assert.deepEqual(await other('else-001'), []);
  });

  it('are offered to the next session if a session ended without acknowledging them', async () => {
    await ask();
    for (const session of ['first', 'second']) assert.equal((await other('doer-001', session)).length, 1, session);
    assert.deepEqual(await other('doer-001', 'second'), []);
    assert.deepEqual(await other('doer-001', 'third'), []);
  });

  it('omit a request that another agent has accepted', async () => {
    await ask();
    await respond('accept', {}, 'doer-002');
    assert.deepEqual(await other('doer-001'), []);
  });

  it('arrive when a request becomes available, and again when a deferred one returns', async () => {
    await ask({ available_at: new Date(sandbox.clock.now + hour).toISOString() });
    assert.deepEqual(await other('doer-001'), []);
    await pass(2 * hour);
    assert.match((await other('doer-001')).join(), /^Also: 1 request waits for you: R-1 /);
    await respond('defer', { until: new Date(sandbox.clock.now + hour).toISOString() });
    assert.deepEqual(await other('doer-001'), []);
    await pass(2 * hour);
    assert.match((await other('doer-001')).join(), /1 request waits for you/);
  });

  it('deliver the outcome to the origin, in order and once', async () => {
    await ask();
    await ask({ subject: 'Read the log' });
    await ask({ subject: 'Look away' });
    await respond('accept');
    sandbox.clock.now += minute;
    await respond('reject', { id: 'R-3', note: 'Not ours.' });
    sandbox.clock.now += minute;
    await respond('accept', { id: 'R-2' });
    sandbox.clock.now += minute;
    await respond('complete', { note: 'All are new.' });
    assert.deepEqual(await other('asker-001'), [
      'Also: R-3 "Look away" was rejected by doer, 2026-03-02 09:01 UTC: Not ours.',
      'Also: R-2 "Read the log" was accepted by doer-001 for doer, 2026-03-02 09:02 UTC. It is not done yet.',
      'Also: R-1 "Rotate the keys" was completed by doer, 2026-03-02 09:03 UTC: All are new.',
    ]);
    assert.deepEqual(await other('asker-001'), []);
    await respond('complete', { id: 'R-2', note: 'Nothing in it' });
    const { data, text } = await call('list_questions', {}, 'asker-001');
    assert.match(text, /Also: R-2 .* was completed .*: Nothing in it\.$/);
    assert.deepEqual(
      (data['also_requests'] as { id: string; notice: object }[]).map(({ id, notice }) => [
        id,
        'type' in notice && notice.type,
      ]),
      [['R-2', 'completed']],
    );
    assert.deepEqual(await other('doer-001'), [], 'the actor needs no notice');
  });

  it('deliver expiries, and withdrawals by a human on behalf of the origin', async () => {
    await ask({ due_at: new Date(sandbox.clock.now + hour).toISOString() });
    await pass(2 * hour);
    assert.match(
      (await other('asker-001')).join(),
      /R-1 "Rotate the keys" expired, .*: doer did not accept it in time\.$/,
    );
    assert.deepEqual(await other('doer-001'), [], 'it no longer waits');
    const store = await workspace.store();
    const jane = { id: 'jane', kind: 'steward', name: 'Jane', agents: ['jane-001'] } as const;
    await appoint(signedBy(store, human), jane, shownAppointmentHash(store.read().state, jane));
    const payload = { suggested_actions: [], links: [], tags: [] };
    const asked = await createAsHuman(signedBy(store, human), {
      ask: { type: 'request_for_action', payload },
      origin: 'jane',
      target: 'doer',
      subject: 'Look',
      summary: 'It fails.',
    });
    assert.match((await other('doer-001')).join(), /1 request waits for you: R-2 "Look" \(from jane\)/);
    const shown = shownRequestHash(store.read().state, asked.id) ?? '';
    await answerRequest(signedBy(store, human), asked.id, { act: 'cancel', note: 'Found it.' }, shown);
    assert.match((await other('jane-001')).join(), /R-2 "Look" was cancelled by jane, .*: Found it\.$/);
  });

  it('alert both sides to a missed deadline, each once', async () => {
    await ask({ sla_response_seconds: 600, sla_completion_seconds: 600 });
    await other('doer-001');
    await pass(11 * minute);
    assert.deepEqual(await other('asker-001'), [
      'Also: R-1 "Rotate the keys" is overdue: doer has not answered in time.',
    ]);
    assert.deepEqual(await other('doer-001'), [
      'Also: R-1 "Rotate the keys" is overdue: asker expected an answer by 2026-03-02 09:10 UTC. Accept, defer or reject it with holdpoint_respond_to_request.',
    ]);
    await respond('accept');
    await pass(11 * minute);
    assert.match(
      (await other('asker-001')).join(),
      /is overdue: doer accepted it, but has not completed it in time\.$/,
    );
    assert.match((await other('doer-001')).join(), /is overdue: asker expected it to be done by .* Complete it/);
    for (const as of ['asker-001', 'doer-001']) assert.deepEqual(await other(as), []);
  });

  it('inform the former target, the new target and the origin of a reassignment', async () => {
    const store = await workspace.store();
    await call('register_responsibility', { id: 'second', name: 'Second' }, 'second-001');
    const overdue = { action: 'reassign', reassignTo: 'second' } as const;
    const policy = { questionLifeHours: 24, onExpiry: 'expire', overdue } as const;
    await changePolicy(signedBy(store, human), policy, shownPolicyHash(store.read().state));
    await ask({ sla_completion_seconds: 60 });
    await respond('accept');
    await pass(5 * minute);
    assert.match((await other('asker-001')).join(), /was overdue and is now with second, which can accept/);
    assert.match((await other('doer-001')).join(), /is now with second\. It is no longer yours: stop working on it\.$/);
    assert.match((await other('second-001')).join(), /^Also: 1 request waits for you: R-1/);
  });

  it('are in every gate result and briefing, once each', async () => {
    await ask();
    for (let turn = 0; turn < 2; turn++) {
      const { text, data } = await call('check_gate', { files: ['a.ts'] }, 'doer-001');
      assert.match(text, /\n1 request waits for you: R-1\. holdpoint_list_items \{"what":"requests"\} shows/);
      assert.doesNotMatch(text, /Also:/);
      assert.equal(data['requests_waiting'], 1);
      const briefing = await call('get_briefing', { max_tokens: 1 }, 'doer-002');
      assert.match(briefing.text, /^1 request waits for you: R-1 "Rotate the keys" \(from asker\)\..*\n# Briefing/);
      assert.doesNotMatch(briefing.text, /Also:/);
      assert.equal(briefing.data['requests_waiting'], 1);
    }
    const { text } = await call('check_gate', {}, 'asker-001');
    assert.doesNotMatch(text, /wait/);
    await respond('accept');
    assert.doesNotMatch((await call('check_gate', {}, 'doer-002')).text, /waits for you/);
  });

  it('set acknowledged_at when an agent of the target first reads the request', async () => {
    await ask();
    await other('doer-001');
    await call('list_requests', { box: 'outbox' }, 'asker-001');
    await call('list_requests', { id: 'R-1' }, 'else-001');
    await call('list_requests', {}, 'doer-002');
    assert.equal(
      (await row())?.acknowledged_at,
      null,
      'a notice of it, a list, or reading by another agent does not count as a first touch',
    );
    sandbox.clock.now += minute;
    await call('list_requests', { id: 'R-1' }, 'doer-002');
    assert.equal((await row())?.acknowledged_at, '2026-03-02T09:01:00.000Z');
    sandbox.clock.now += minute;
    await call('list_requests', { id: 'R-1' }, 'doer-001');
    assert.equal((await row())?.acknowledged_at, '2026-03-02T09:01:00.000Z');
    assert.equal((await row())?.events.filter(({ event_type }) => event_type === 'acknowledged').length, 1);
  });

  it('cannot be acknowledged before they exist', async () => {
    await ask();
    const store = await workspace.store();
    const forged = [1, 2, 3].map((notice) => ({
      ...({ kind: 'request.noticeAcknowledged', v: 1, id: 'R-1' } as const),
      notice,
      agent: 'asker-001',
    }));
    await store.transact(agent('doer-001').actor, () => ({ records: forged, result: null }));
    await respond('reject', { note: 'No.' });
    assert.equal((await other('asker-001')).length, 1);
  });
});

describe('waiting for a request', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;

  beforeEach(async () => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    await call('register_responsibility', { id: 'asker', name: 'Asker' }, 'asker-001');
    await call('register_responsibility', { id: 'doer', name: 'Doer' }, 'doer-001');
    for (const subject of ['One', 'Two'])
      await call('create_request', { target: 'doer', subject, summary: 'x', sla_response_seconds: 60 }, 'asker-001');
  });
  afterEach(removeSandboxes);

  const call = (name: string, input: object, as: string, waitMs = 0) =>
    callTool(workspace, name, input, { as, waitMs });
  const wait = (input: object = {}, as = 'asker-001', waitMs = 0) => call('await_request', input, as, waitMs);
  const respond = (id: string, action: string, more: object = {}) =>
    call('respond_to_request', { id, action, note: 'So.', ...more }, 'doer-001');

  it('continues while the request is open, accepted or deferred', async () => {
    for (const action of [null, 'accept']) {
      if (action !== null) await respond('R-1', action);
      const { data, text } = await wait({ id: 'R-1' });
      assert.deepEqual([data['result'], data['approved']], ['waiting', null]);
      assert.match(text, /To wait: holdpoint_await_answer \{"id":"R-1"\}\.$/m);
      assert.doesNotMatch(text, /Also:/, 'once is enough');
    }
    await respond('R-2', 'defer', { until: new Date(sandbox.clock.now + hour).toISOString() });
    assert.equal((await wait({ id: 'R-2' })).data['outcome'], 'deferred');
  });

  it('ends with the outcome, which counts as delivered', async () => {
    const waiting = wait({ id: 'R-1' }, 'asker-001', 60_000);
    await respond('R-1', 'accept');
    await respond('R-1', 'complete');
    const { data, text } = await waiting;
    assert.deepEqual([data['result'], data['outcome']], ['proceed', 'completed']);
    assert.match(text, /^R-1 "One" was completed by doer, .*: So\.$/);
    const next = await call('check_gate', {}, 'asker-001');
    assert.doesNotMatch(next.text, /R-1/);
  });

  it('ends without an approval for a rejection or expiry, and with an error for an unknown request', async () => {
    await respond('R-1', 'reject');
    assert.deepEqual((await wait({ id: 'R-1' })).data['result'], 'refused');
    await call('respond_to_request', { id: 'R-2', action: 'cancel', note: 'x' }, 'asker-001');
    assert.deepEqual((await wait({ id: 'R-2' })).data['result'], 'refused');
    const due_at = new Date(sandbox.clock.now + minute).toISOString();
    await call('create_request', { target: 'doer', subject: 'Three', summary: 'x', due_at }, 'asker-001');
    sandbox.clock.now += hour;
    assert.deepEqual((await wait({ id: 'R-3' })).data['result'], 'expired', 'the wait itself lets time pass');
    assert.equal((await wait({ id: 'R-9' })).status, 'error');
    assert.match((await wait({}, 'doer-001')).text, /^You have no open requests/);
  });

  it('without an id ends with the first outcome, and with a rejection before others', async () => {
    await respond('R-1', 'accept');
    await respond('R-1', 'complete');
    await respond('R-2', 'reject');
    const { data, text } = await wait();
    assert.equal(data['result'], 'refused');
    assert.match(text, /R-1 .* completed.*\n.*R-2 .* rejected/);
    assert.match((await wait()).text, /no open requests/);
  });

  it('ends once when a deadline is missed', async () => {
    sandbox.clock.now += hour;
    const { data, text } = await wait({ id: 'R-1' }, 'asker-001', 60_000);
    assert.equal(data['result'], 'waiting');
    assert.match(text, /Also: R-1 "One" is overdue: doer has not answered in time\./);
    const again = wait({ id: 'R-1' }, 'asker-001', 60_000);
    await respond('R-1', 'reject');
    assert.equal((await again).data['result'], 'refused');
  });
});

/** When a human is notified of a request. */
const ask: CreateInput['ask'] = {
  type: 'request_for_action',
  payload: { suggested_actions: [], links: [], tags: [] },
};

const asked = { ask, subject: 'Look.', summary: 'It fails.' } as const;

describe('a human is notified of a request', () => {
  afterEach(removeSandboxes);

  async function setting() {
    const { sandbox, human: signer, store } = await withHuman();
    const signing = signedBy(store, signer);
    for (const id of ['asker', 'doer'])
      await registerResponsibility(store, agent(`${id}-001`), { id, kind: 'agent', name: id, agents: [] });
    for (const one of [
      { id: 'boss', kind: 'human', name: 'Boss', agents: [] },
      { id: 'jane', kind: 'steward', name: 'Jane', agents: ['jane-001'] },
    ] as const)
      await appoint(signing, one, shownAppointmentHash(store.read().state, one));
    return {
      request: async (target: string, more: Partial<CreateInput> = {}) =>
        (await createRequest(store, agent('asker-001'), { ...asked, target, ...more })).request.id,
      signing,
      answer: async (id: string, answer: Answer) =>
        answerRequest(signing, id, answer, shownRequestHash(store.read().state, id) ?? ''),
      async pass(ms: number) {
        sandbox.clock.now += ms;
        await sweep(store);
      },
      iso: (ms: number) => new Date(sandbox.clock.now + ms).toISOString(),
      notice(id: string) {
        const { state } = store.read();
        const request = state.requests.get(id);
        return request ? humanNoticeOf(state, request) : null;
      },
    };
  }

  it('as it comes, and again when its agreed time has passed', async () => {
    const { request, notice, pass, answer } = await setting();
    const id = await request('boss', { responseSeconds: 60 });
    const first = notice(id);
    assert.equal(first?.kind, 'new');
    await pass(minute + 1);
    assert.equal(notice(id)?.kind, 'response');
    assert.notEqual(notice(id)?.name, first.name);
    await answer(id, { act: 'accept' });
    assert.equal(notice(id), null);
  });

  it('once it is available, and as it comes back after it was deferred', async () => {
    const { request, notice, pass, answer, iso } = await setting();
    const id = await request('boss', { availableAt: iso(hour) });
    assert.equal(notice(id), null);
    await pass(hour);
    const first = notice(id);
    assert.equal(first?.kind, 'new');
    await answer(id, { act: 'defer', until: iso(hour) });
    assert.equal(notice(id), null);
    await pass(hour);
    assert.equal(notice(id)?.kind, 'new');
    assert.notEqual(notice(id)?.name, first.name);
  });

  it('not of what goes to agents, and not of their own', async () => {
    const { request, notice, pass, signing } = await setting();
    const ofSteward = await request('jane', { responseSeconds: 60 });
    assert.deepEqual([notice(await request('doer')), notice(ofSteward)], [null, null]);
    const own = (await createAsHuman(signing, { ...asked, origin: 'boss', target: 'doer', responseSeconds: 60 })).id;
    assert.equal(notice(own), null);
    await pass(minute + 1);
    assert.deepEqual([notice(ofSteward)?.kind, notice(own)?.kind], ['response', 'response']);
  });
});
