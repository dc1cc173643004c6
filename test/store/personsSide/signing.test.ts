/** Decisions that the key on the person's side signs, through the whole of both sides but VS Code. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { changePolicy, decideQuestion, shownHash, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import type { Signing } from '../../../src/app/decision/decisions.ts';
import { signOnPersonsSide } from '../../../src/app/personsSide/signing.ts';
import type { ItemToSign, PersonsSideContext } from '../../../src/app/personsSide/signing.ts';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { openKey } from '../../../src/signer/key.ts';
import { createSigning } from '../../../src/signer/sign.ts';
import { agent, decide, enrolledHuman, yes } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const asked = { text: 'Delete the table?', type: 'decision', urgency: 'high', mode: 'sync', work: null } as const;

/** @param says what the person does while they see the request */
async function setting(says: (workspace: Workspace) => Promise<boolean> = () => Promise.resolve(true)) {
  const kept = new Map<string, string>();
  const key = await openKey({
    get: (name) => Promise.resolve(kept.get(name)),
    store: (name, value) => Promise.resolve(void kept.set(name, value)),
  });
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const pin = enrolKey(workspace, Buffer.from(key.publicKey, 'base64'), 'Ada');
  const store = await workspace.store();
  await raiseQuestion(store, agent(), asked);
  const requests: ItemToSign[][] = [];
  const there = createSigning({
    key: () => Promise.resolve(key),
    ask: () => says(workspace),
    clock: () => performance.now(),
  });
  const sign: PersonsSideContext['sign'] = async (items) => {
    requests.push([...items]);
    const reply = await there(JSON.parse(JSON.stringify({ v: 1, keyid: key.keyid, items })));
    if (reply.outcome === 'declined') return null;
    assert.ok(reply.outcome === 'signed', JSON.stringify(reply));
    return reply.signatures;
  };
  const { state } = store.read();
  const shown = shownHash(state, state.questions.get('Q-1')!);
  const act = (signing: Signing) => decideQuestion(signing, 'Q-1', yes, shown);
  return { sandbox, workspace, store, act, requests, context: { store, newId: randomUUID, pin, sign }, shown };
}

describe('a decision signed on the person’s side', () => {
  afterEach(removeSandboxes);

  it('counts like any other', async () => {
    const { sandbox, act, context, requests } = await setting();
    assert.equal((await signOnPersonsSide(context, act))?.outcome, 'decided');
    assert.equal(requests.length, 1);
    const { state } = (await sandbox.open().store()).read();
    assert.equal(state.questions.get('Q-1')?.resolution?.keyid, context.pin.keyid);
    assert.deepEqual(state.refusals, []);
  });

  it('counts though agents wrote while its person read', async () => {
    const writing = async (workspace: Workspace) => {
      const store = await workspace.store();
      for (const id of ['T1', 'T2']) await registerWork(store, agent(), { id, workKind: 'task', title: id });
      return true;
    };
    const { act, context, requests, store } = await setting(writing);
    assert.equal((await signOnPersonsSide(context, act))?.outcome, 'decided');
    assert.equal(requests.length, 2);
    assert.deepEqual(store.read().state.refusals, []);
  });

  it('is not recorded when its person says no', async () => {
    const { act, context, store } = await setting(() => Promise.resolve(false));
    const before = store.position;
    assert.equal(await signOnPersonsSide(context, act), null);
    assert.deepEqual(store.position, before);
  });

  it('comes too late when another decision was first', async () => {
    const { act, context } = await setting(async (workspace) => {
      await decide(workspace, enrolledHuman(workspace, 'Grace'), 'Q-1');
      return true;
    });
    assert.equal((await signOnPersonsSide(context, act))?.outcome, 'already');
  });

  it('does not count with a signature of another key', async () => {
    const { act, context, store } = await setting();
    const { context: other } = await setting();
    const sign: PersonsSideContext['sign'] = () => Promise.resolve([Buffer.alloc(64, 1).toString('base64')]);
    await assert.rejects(signOnPersonsSide({ ...context, sign }, act), { code: 'denied' });
    await assert.rejects(signOnPersonsSide({ ...context, pin: other.pin }, act), { code: 'denied' });
    assert.equal(store.read().state.questions.get('Q-1')?.resolution, null);
  });

  it('can be about the policy', async () => {
    const { context, store } = await setting();
    const { state } = store.read();
    const shown = shownPolicyHash(state);
    const policy = { ...state.policy, questionLifeHours: 5 };
    assert.equal(await signOnPersonsSide(context, (signing) => changePolicy(signing, policy, shown)), 'changed');
    assert.equal(store.read().state.policy.questionLifeHours, 5);
  });
});
