import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decideQuestion, shownHash, type Signing, type Verdict } from '../../../src/app/decision/decisions.ts';
import { commitSigned, isPasskey, prepareSigned } from '../../../src/app/decision/passkey.ts';
import { pinPasskey, retireKeys } from '../../../src/app/keys/enrolment.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { makePasskey, type Algorithm, type Passkey } from '../../support/authenticator.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const agreed: Verdict = { kind: 'answer', answer: { choices: ['Yes'] } };
const asked = { text: 'Delete the table?', type: 'approval', urgency: 'high', mode: 'sync', work: null } as const;

async function setting(alg: Algorithm = 'ES256') {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const ada = enrolledHuman(workspace);
  const passkey = makePasskey('Ada', { alg });
  pinPasskey(workspace, passkey.pin);
  const store = await workspace.store();
  await raiseQuestion(store, agent(), asked);
  return { sandbox, workspace, store, ada, passkey };
}

/** The act of the form, for the question as it is shown now. */
async function answering(workspace: Workspace, id = 'Q-1') {
  const store = await workspace.store();
  const { state } = store.read();
  const shown = shownHash(state, state.questions.get(id)!);
  return (signing: Signing) => decideQuestion(signing, id, agreed, shown);
}

async function contextOf(workspace: Workspace, { pin }: Passkey) {
  return { store: await workspace.store(), newId: randomUUID, pin };
}

describe('a decision signed with a passkey', () => {
  afterEach(removeSandboxes);

  for (const alg of ['ES256', 'Ed25519'] as const)
    it(`counts, though agents wrote while the human signed (${alg})`, async () => {
      const { workspace, store, passkey, sandbox } = await setting(alg);
      const [act, context] = [await answering(workspace), await contextOf(workspace, passkey)];
      assert.deepEqual(workspace.pins().map(isPasskey), [false, true]);
      const prepared = await prepareSigned(context, act);
      assert.equal(store.read().state.questions.get('Q-1')?.resolution, null);
      for (let item = 0; item < 100; item += 1)
        await registerWork(store, agent(), { id: `T${String(item)}`, workKind: 'task', title: 'x'.repeat(190) });
      const assertion = passkey.assert(prepared.options.challenge);
      const outcome = await commitSigned({ ...context, prepared, assertion }, act);
      assert.equal(outcome.outcome, 'decided');
      const again = await sandbox.open().store();
      assert.equal(again.read().state.questions.get('Q-1')?.resolution?.keyid, passkey.pin.keyid);
      assert.deepEqual(again.read().state.refusals, []);
    });

  it('is refused once the question has changed, and when another decision came first', async () => {
    const { workspace, passkey, ada } = await setting();
    const [act, context] = [await answering(workspace), await contextOf(workspace, passkey)];
    const prepared = await prepareSigned(context, act);
    const assertion = passkey.assert(prepared.options.challenge);
    await decide(workspace, ada, 'Q-1', agreed);
    assert.equal((await commitSigned({ ...context, prepared, assertion }, act)).outcome, 'already');
    await assert.rejects(prepareSigned(context, act), /there is nothing left to sign/);
  });

  it('records nothing with a wrong signature, for another act, or by a passkey that was given up', async () => {
    const { workspace, store, passkey } = await setting();
    const [act, context] = [await answering(workspace), await contextOf(workspace, passkey)];
    const prepared = await prepareSigned(context, act);
    const assertion = passkey.assert(prepared.options.challenge);
    const { position } = store.position;
    const wrong = passkey.assert(prepared.options.challenge, { flags: 0x01 });
    await assert.rejects(commitSigned({ ...context, prepared, assertion: wrong }, act), /without a PIN/);
    const other = async (signing: Signing) => {
      const { state } = store.read();
      const shown = shownHash(state, state.questions.get('Q-1')!);
      return decideQuestion(signing, 'Q-1', { kind: 'cancel', reason: 'No.' }, shown);
    };
    await assert.rejects(commitSigned({ ...context, prepared, assertion }, other), /changed since you signed/);
    assert.equal(store.position.position, position);
    retireKeys(workspace, [passkey.pin.keyid], 'lost');
    await commitSigned({ ...context, prepared, assertion }, act).catch(() => null);
    assert.equal((await workspace.store()).read().state.questions.get('Q-1')?.resolution, null);
  });
});
