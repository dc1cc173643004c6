import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { decideQuestion, shownHash, type Signing, type Verdict } from '../../../src/app/decision/decisions.ts';
import { commitSigned, isPasskey, prepareSigned } from '../../../src/app/decision/passkey.ts';
import { pinKey, retireKeys } from '../../../src/app/keys/enrolment.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { type Algorithm, makePasskey, type Passkey } from '../../support/authenticator.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { offerCode, offerPasskey, type PasskeyOffer, readPasskeyOffers } from '../../../src/app/keys/acts.ts';

const agreed: Verdict = { kind: 'answer', answer: { choices: ['Yes'] } };

const asked = { text: 'Delete the table?', type: 'approval', urgency: 'high', mode: 'sync', work: null } as const;

async function setting(alg: Algorithm = 'ES256') {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const ada = enrolledHuman(workspace);
  const passkey = makePasskey('Ada', { alg });
  pinKey(workspace, passkey.pin);
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

function offerAt(at: string, label = 'Phone'): PasskeyOffer {
  const { publicKey, passkey } = makePasskey('Ada', { label }).pin;
  return { publicKey, passkey, at };
}

const laterBy = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

describe('a passkey that a browser offers', () => {
  afterEach(removeSandboxes);

  it('is read for five minutes, with the code that its page shows', () => {
    const workspace = makeSandbox().open();
    assert.deepEqual(readPasskeyOffers(workspace), []);
    const offer = offerAt(workspace.now());
    const code = offerPasskey(workspace, offer);
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    assert.deepEqual(readPasskeyOffers(workspace).map(offerCode), [code]);
    const at = (ms: number) => readPasskeyOffers({ ...workspace, now: () => laterBy(offer.at, ms) });
    assert.equal(at(299_000).length, 1);
    assert.deepEqual([at(301_000), at(-301_000)], [[], []], 'a clock that went back does not keep it');
  });

  it('has another code than another key, credential or site', () => {
    const offer = offerAt('2026-03-02T12:00:00.000Z');
    const others: PasskeyOffer[] = [
      { ...offer, publicKey: offerAt(offer.at).publicKey },
      { ...offer, passkey: { ...offer.passkey, credentialId: 'AAAA' } },
      { ...offer, passkey: { ...offer.passkey, origin: 'http://localhost:9' } },
    ];
    assert.equal(new Set([offer, ...others].map(offerCode)).size, 4);
  });

  it('is one of the latest five, and an unreadable file offers nothing', () => {
    const workspace = makeSandbox().open();
    for (const label of ['1', '2', '3', '4', '5', '6']) offerPasskey(workspace, offerAt(workspace.now(), label));
    assert.deepEqual(
      readPasskeyOffers(workspace).map(({ passkey }) => passkey.label),
      ['2', '3', '4', '5', '6'],
    );
    writeFileSync(path.join(workspace.userFolder, 'passkeys-offered.json'), '{"v":1,"offers":[{}]}');
    assert.deepEqual(readPasskeyOffers(workspace), []);
  });
});
