import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { attestAll, formatAttestation, readAttestation } from '../../../src/app/audit/attestations.ts';
import { auditBytes } from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import {
  changePolicy,
  decideQuestion,
  releasableQuestions,
  shownHash,
  shownPolicyHash,
  signRecord,
  type Signing,
  type Unsigned,
  type Verdict,
  type Signer,
} from '../../../src/app/decision/decisions.ts';
import { commitSigned, prepareSigned } from '../../../src/app/decision/passkey.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { pinKey } from '../../../src/app/keys/enrolment.ts';
import {
  addPasskey,
  confirmPasskey,
  giveUpPasskey,
  listedPasskeys,
  renamePasskey,
} from '../../../src/app/keys/acts.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { decideRfc, shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { toolGuide } from '../../../src/core/kit/guide.ts';
import type { RuleConditions } from '../../../src/core/records/policy.ts';
import { readerOf } from '../../../src/tools/kit/reader.ts';
import { outcomeText } from '../../../src/tools/kit/texts.ts';
import { gateText } from '../../../src/tools/kit/gateText.ts';
import { withoutEnvelope } from '../../../src/core/records/decision.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { formatPublicKey, parsePublicKeys } from '../../../src/trust/publicKeys.ts';
import { makePasskey, type Passkey } from '../../support/authenticator.ts';
import { agent, signedBy, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const agreed: Verdict = { kind: 'answer', answer: { choices: ['Yes'] } };
const approval = { kind: 'approve', conditions: [], constraints: [] } as const;
const shown = '0'.repeat(64);

async function setting(rules: readonly RuleConditions[] = [{ urgencies: ['critical'] }]) {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const ada = enrolledHuman(workspace);
  const phone = makePasskey();
  const scope = { workspaces: [workspace], shown } as const;
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Refunds', holds: ['payments'] });
  assert.equal(await addPasskey(scope, ada, phone.pin), 'added');
  const signing: Signing = signedBy(store, ada);
  if (rules.length > 0) await changePolicy(signing, policyWith(rules), shownPolicyHash(store.read().state));
  const asking = { text: 'Drop the table?', type: 'approval', urgency: 'critical', mode: 'sync', work: 'T1' } as const;
  await raiseQuestion(store, agent(), asking);
  return { sandbox, workspace, store, ada, phone, scope, signing };

  function policyWith(passkeyRules: readonly RuleConditions[]) {
    return { ...store.read().state.policy, passkeys: { rules: passkeyRules } };
  }
}
type Setting = Awaited<ReturnType<typeof setting>>;

async function withPasskey<T>(
  { store }: Setting,
  { pin, assert: sign }: Passkey,
  act: (signing: Signing) => Promise<T>,
) {
  const context = { store, newId: randomUUID, pin };
  const prepared = await prepareSigned(context, act);
  return commitSigned({ ...context, prepared, assertion: sign(prepared.options.challenge) }, act);
}

const answering = ({ store }: Setting, id = 'Q-1') => {
  const { state } = store.read();
  const seen = shownHash(state, state.questions.get(id)!);
  return (signing: Signing) => decideQuestion(signing, id, agreed, seen);
};

const settingPolicy = ({ store }: Setting, rules: readonly RuleConditions[]) => {
  const { state } = store.read();
  const policy = { ...state.policy, passkeys: { rules } };
  return (signing: Signing) => changePolicy(signing, policy, shownPolicyHash(state));
};

/** As a program would that has the signer's key and leaves out the checks before signing. */
async function force({ store }: Setting, signer: Signer, record: Unsigned, seen: string): Promise<string> {
  const act = store.transact({ kind: 'human', id: signer.name }, ({ now }) => ({
    records: [signRecord(store, signer, record, { shown: seen, nonce: randomUUID(), at: now })],
    result: '',
  }));
  return act.catch((error: unknown) => String(error));
}

const held = ({ workspace }: Setting) => askGate(workspace, { files: ['payments/refund.ts'] });
const asks = /the policy asks for a passkey/;

describe('a policy that asks for a passkey', () => {
  afterEach(removeSandboxes);

  it('takes a passkey that this workspace knows', async () => {
    const { signing, store, workspace } = await setting([]);
    const other = makeSandbox().open();
    const ada = enrolledHuman(other);
    const unknown = await other.store();
    await registerWork(unknown, agent(), { id: 'T1', workKind: 'task', title: 'x' });
    const { state } = unknown.read();
    const policy = { ...state.policy, passkeys: { rules: [{}] } };
    const change = changePolicy(signedBy(unknown, ada), policy, shownPolicyHash(state));
    await assert.rejects(change, /add a passkey to this workspace first/);
    assert.equal(await changePolicy(signing, policy, shownPolicyHash(store.read().state)), 'decided');
    assert.deepEqual(workspace.standing().state?.policy.passkeys, { rules: [{}] });
  });

  it('refuses the editor’s key before it signs, and in the fold when a program leaves that out', async () => {
    const all = await setting();
    const { store, workspace, ada } = all;
    await assert.rejects(decide(workspace, ada, 'Q-1', agreed), asks);
    const { state } = store.read();
    const seen = shownHash(state, state.questions.get('Q-1')!);
    const answer = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { choices: ['Yes'] } } satisfies Unsigned;
    assert.match(await force(all, ada, answer, seen), asks);
    const release = { kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' } as const;
    assert.match(await force(all, ada, release, seen), asks);
    assert.equal(store.read().state.questions.get('Q-1')?.resolution, null);
    assert.equal(held(all).verdict, 'deny');
    assert.deepEqual(releasableQuestions(store.read().state, agent().actor.id), []);
  });

  it('is met by a passkey, here and in a store that is opened again', async () => {
    const all = await setting();
    assert.equal((await withPasskey(all, all.phone, answering(all))).outcome, 'decided');
    assert.equal(held(all).verdict, 'allow');
    const again = await all.sandbox.open().store();
    assert.equal(again.read().state.questions.get('Q-1')?.resolution?.passkey, true);
  });

  it('says so to agents and at the gate', async () => {
    const all = await setting();
    const question = questionView(all.store.read(), 'Q-1')!;
    assert.equal(question.needs_passkey, true);
    assert.match(
      outcomeText(question, readerOf({ workspace: all.workspace, session: agent() })),
      /Under the policy, a person must sign the decision with a passkey\./,
    );
    assert.match(gateText(held(all), { guide: toolGuide, asked: 'it' }), /must sign the decision with a passkey/);
  });

  it('leaves other questions alone', async () => {
    const all = await setting();
    await raiseQuestion(all.store, agent(), {
      text: 'Blue?',
      type: 'approval',
      urgency: 'low',
      mode: 'sync',
      work: 'T1',
    });
    assert.equal((await decide(all.workspace, all.ada, 'Q-2', agreed)).outcome, 'decided');
    assert.equal(questionView(all.store.read(), 'Q-2')?.needs_passkey, false);
  });

  it('covers by a glob what holds a file there, by itself or by its work, and nothing else', async () => {
    const all = await setting([{ globs: ['payments/**'] }]);
    const ask = (text: string, more: object) =>
      raiseQuestion(all.store, agent(), {
        ...{ text, type: 'approval', urgency: 'low', mode: 'sync', work: null, ...more },
      });
    await ask('One file?', { holds: ['payments/refund.ts'] });
    await ask('The folder itself?', { holds: ['payments'] });
    await ask('Elsewhere?', { holds: ['paymentsOfOthers/refund.ts'] });
    const needs = ['Q-1', 'Q-2', 'Q-3', 'Q-4'].map((id) => questionView(all.store.read(), id)?.needs_passkey);
    assert.deepEqual(needs, [true, true, true, false]);
    for (const id of ['Q-1', 'Q-2', 'Q-3']) await assert.rejects(decide(all.workspace, all.ada, id, agreed), asks);
    assert.equal((await decide(all.workspace, all.ada, 'Q-4', agreed)).outcome, 'decided');
  });

  for (const [what, rules] of [
    ['removed', []],
    ['narrowed', [{ urgencies: ['critical'], types: ['approval'] }]],
  ] satisfies [string, RuleConditions[]][])
    it(`is ${what} by a passkey only`, async () => {
      const all = await setting();
      const changing = settingPolicy(all, rules);
      await assert.rejects(changing(all.signing), asks);
      const { state } = all.store.read();
      const policy = {
        questionLifeHours: 24,
        onExpiry: 'expire',
        passkeys: { rules },
      };
      const why = await force(
        all,
        all.ada,
        { kind: 'policy.changed', v: 1, ...policy } as Unsigned,
        shownPolicyHash(state),
      );
      assert.match(why, asks);
      assert.deepEqual(all.store.read().state.policy.passkeys, { rules: [{ urgencies: ['critical'] }] });
      assert.equal(await withPasskey(all, all.phone, settingPolicy(all, rules)), 'decided');
      assert.deepEqual(all.store.read().state.policy.passkeys, { rules });
    });

  it('is tightened by the editor’s key, unless it covers everything', async () => {
    const all = await setting();
    assert.equal(await settingPolicy(all, [{ urgencies: ['critical'] }, {}])(all.signing), 'decided');
    await assert.rejects(settingPolicy(all, [{ urgencies: ['critical'] }, {}, { globs: ['src'] }])(all.signing), asks);
  });

  it('counts no passkey that a program pinned, or that only the editor’s key added', async () => {
    const all = await setting();
    const { store, workspace, ada, scope } = all;
    const planted = makePasskey('Ada', { label: 'Planted' });
    pinKey(workspace, planted.pin);
    const answer = answering(all);
    await assert.rejects(withPasskey(all, planted, answer), /this one was not added to this workspace/);
    const { keyid, publicKey, name, passkey } = planted.pin;
    const added = { kind: 'key.passkeyAdded', v: 1, keyid, publicKey, name, passkey } as const;
    assert.match(await force(all, ada, added, shown), asks);
    assert.equal(await addPasskey(scope, ada, planted.pin), 'waiting');
    assert.deepEqual(
      listedPasskeys(workspace.pins(), store.read().state).map(({ label, counts }) => [label, counts]),
      [
        ['Phone', true],
        ['Planted', false],
      ],
    );
    await assert.rejects(withPasskey(all, planted, answer), /this one was not added to this workspace/);
  });

  it('counts a passkey that another one confirmed, until it is given up', async () => {
    const all = await setting();
    const { workspace, store, ada, scope } = all;
    const laptop = makePasskey('Ada', { alg: 'Ed25519', label: 'Laptop' });
    assert.equal(await addPasskey(scope, ada, laptop.pin), 'waiting');
    await withPasskey(all, all.phone, (signing) => confirmPasskey(signing, laptop.pin, shown));
    await renamePasskey(scope, ada, { keyid: laptop.pin.keyid, label: 'Old laptop' });
    await giveUpPasskey(scope, ada, { keyid: all.phone.pin.keyid, why: 'lost' });
    assert.deepEqual(
      listedPasskeys(workspace.pins(), store.read().state).map(({ label, counts, retired }) => [
        label,
        counts,
        retired?.why,
      ]),
      [
        ['Phone', false, 'lost'],
        ['Old laptop', true, undefined],
      ],
    );
    await assert.rejects(withPasskey(all, all.phone, answering(all)));
    assert.equal((await withPasskey(all, laptop, answering(all))).outcome, 'decided');
  });

  it('is in the audit and in attestations, for strangers with the keys alone', async () => {
    const all = await setting();
    const { workspace, ada, phone } = all;
    await withPasskey(all, phone, answering(all));
    const keys = workspace.pins().map(formatPublicKey).join('\n');
    const audit = auditBytes(journalBytes(workspace), parsePublicKeys(keys));
    const entry = audit.entries.find(({ kind }) => kind === 'question.answered');
    assert.deepEqual([entry?.mark, entry?.who, entry?.signed_with], ['verified', 'Ada', 'passkey']);
    const added = audit.entries.find(({ kind }) => kind === 'key.passkeyAdded');
    assert.match(added?.said ?? '', /^Ada: Phone, http:\/\/localhost:4747 /);
    assert.equal(added?.signed_with, 'key');
    const withoutIt = auditBytes(journalBytes(workspace), [ada.pin]);
    assert.equal(withoutIt.entries.find(({ kind }) => kind === 'question.answered')?.mark, 'forged');

    const trust = createTrust(() => parsePublicKeys(keys));
    const [attested] = attestAll(workspace, trust).filter(({ record }) => record.kind === 'question.answered');
    assert.ok(attested?.shown?.['passkey']);
    const file = formatAttestation(attested);
    assert.ok('decision' in readAttestation(file.name, file.text, trust));
    // The same decision, signed with the editor's key.
    const place = { workspaceId: attested.decision.workspace, position: attested.decision };
    const record = signRecord(place, ada, withoutEnvelope(attested.record) as Unsigned, attested.decision);
    const { payload } = record.envelope;
    const decision = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as typeof attested.decision;
    const posing = formatAttestation({ ...attested, record, decision });
    const refused = readAttestation(posing.name, posing.text, trust);
    assert.deepEqual(refused, { why: 'is not signed with a passkey, which the policy asked for' });
  });

  it('covers RFCs', async () => {
    const all = await setting([{ types: ['rfc'] }]);
    const { store, ada } = all;
    await proposeRfc(store, agent(), {
      ...{ title: 'Tokens', workflows: [], tasks: ['T1'], holds: [], contexts: [], submit: true },
      ...{ problem: 'p', proposal: 'q' },
    });
    const approving = () => {
      const { state } = store.read();
      const seen = shownRfcHash(state, state.rfcs.get('RFC-1')!);
      return (signing: Signing) => decideRfc(signing, 'RFC-1', approval, seen);
    };
    await assert.rejects(approving()(signedBy(store, ada)), asks);
    const { outcome, rfc } = await withPasskey(all, all.phone, approving());
    assert.deepEqual([outcome, rfc.status], ['decided', 'approved']);
    assert.deepEqual(store.read().state.refusals, []);
  });
});
