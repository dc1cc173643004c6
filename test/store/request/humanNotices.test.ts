/** When a human is notified of a request. */
import assert from 'node:assert/strict';
import {
  answerRequest,
  appoint,
  createAsHuman,
  shownAppointmentHash,
  shownRequestHash,
  type HumanAnswer,
} from '../../../src/app/request/decisions.ts';
import { createRequest, registerResponsibility, type CreateInput } from '../../../src/app/request/requests.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { humanNoticeOf } from '../../../src/core/request/due.ts';
import { agent, signedBy, enrolledHuman } from '../../support/store/people.ts';
import { hour, makeSandbox, minute, removeSandboxes } from '../../support/store/sandbox.ts';

const ask: CreateInput['ask'] = {
  type: 'request_for_action',
  payload: { suggested_actions: [], links: [], tags: [] },
};
const asked = { ask, subject: 'Look.', summary: 'It fails.' } as const;

describe('a human is notified of a request', () => {
  afterEach(removeSandboxes);

  async function setting() {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const signer = enrolledHuman(workspace);
    const store = await workspace.store();
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
      answer: async (id: string, answer: HumanAnswer) =>
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
