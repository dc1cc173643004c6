import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { attestAll, type Attestation } from '../../../src/app/audit/attestations.ts';
import { openAudit } from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import { changePolicy, shownPolicyHash, type Verdict } from '../../../src/app/decision/decisions.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { toolGuide } from '../../../src/core/kit/guide.ts';
import { outcomeOf } from '../../../src/tools/kit/outcome.ts';
import { readerOf } from '../../../src/tools/kit/reader.ts';
import { outcomeText } from '../../../src/tools/kit/texts.ts';
import { gateText } from '../../../src/tools/kit/gateText.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent, decide, enrolledHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { checkedInCi } from '../../support/store/repository.ts';
import { twoOfThree } from '../../support/store/quorumLab.ts';

const asked = { type: 'approval', urgency: 'high', mode: 'sync' } as const;
const agree: Verdict = { kind: 'answer', answer: { choices: ['Yes'] } };

async function setting() {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const [ada, grace, linus, bob] = ['ada', 'grace', 'linus', 'bob'].map((name) => enrolledHuman(workspace, name)) as [
    Human,
    Human,
    Human,
    Human,
  ];
  const store = await workspace.store();
  const { state } = store.read();
  const policy = { ...state.policy, quorum: { rules: [twoOfThree] } };
  assert.equal(await changePolicy(signing(workspace, ada), policy, shownPolicyHash(state)), 'decided');
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Refunds', holds: ['payments/refunds'] });
  await raiseQuestion(store, agent(), { ...asked, text: 'Refund without a limit?', work: 'T1' });
  return { sandbox, workspace, store, ada, grace, linus, bob };

  function signing(one: Workspace, signer: Human) {
    return { store, signer, newId: randomUUID, workspace: one };
  }
}

const held = (workspace: Workspace) => askGate(workspace, { files: ['payments/refunds/pay.ts'] });
const inCi = (attestations: readonly Attestation[]) => checkedInCi({ attestations, bad: [] }, { names: ['Q-1'] });

describe('a question that takes two of three people', () => {
  afterEach(removeSandboxes);

  it('tells agents, the gate and lists who has signed, and stays held', async () => {
    const { workspace, store, grace } = await setting();
    const before = questionView(store.read(), 'Q-1')!;
    assert.deepEqual(before.quorum?.rules, [{ count: 2, people: ['ada', 'grace', 'linus'] }]);
    assert.equal((await decide(workspace, grace, 'Q-1', agree)).outcome, 'kept');
    const question = questionView(store.read(), 'Q-1')!;
    const words = '2 of ada, grace, linus must decide; 1 of 2: grace approved "Yes"';
    const reader = readerOf({ workspace, session: agent() });
    assert.equal(question.quorum?.text, words);
    assert.deepEqual(outcomeOf(question, reader), {
      result: 'waiting',
      outcome: 'waiting',
      effect: null,
      approved: null,
    });
    assert.ok(outcomeText(question, reader).includes(words), outcomeText(question, reader));
    const gate = held(workspace);
    assert.equal(gate.verdict, 'deny');
    assert.ok(gateText(gate, { guide: toolGuide, asked: 'it' }).includes(words));
  });

  it('refuses before signing where a decision would not count, or is a repetition', async () => {
    const { workspace, bob, grace } = await setting();
    const size = workspace.standing().state?.nonces.size;
    await assert.rejects(decide(workspace, bob, 'Q-1', agree), /only ada, grace, linus decide this/);
    assert.equal(workspace.standing().state?.nonces.size, size);
    await decide(workspace, grace, 'Q-1', agree);
    await assert.rejects(decide(workspace, grace, 'Q-1', agree), /you have already signed this/);
  });

  it('is attested with each signature, and CI counts people', async () => {
    const { workspace, grace, linus, bob } = await setting();
    const trust = createTrust(workspace.pins);
    await decide(workspace, grace, 'Q-1', agree);
    const one = attestAll(workspace, trust);
    assert.deepEqual(
      [inCi(one).items[0]?.outcome, inCi(one).notes[0]],
      ['undecided', 'Q-1 needs 2 of ada, grace, linus, and is signed by grace so far.'],
    );
    await decide(workspace, linus, 'Q-1', agree);
    const both = attestAll(workspace, trust);
    assert.deepEqual([inCi(both).problems, inCi(both).items[0]?.outcome], [[], 'allowed']);
    const of = (name: string) => both.filter((each) => each.name === name);
    assert.equal(inCi(of('linus')).result, 'denied', 'a signature that is left out is missing');
    const posing = of('grace').map((each) => ({ ...each, name: 'bob', keyid: bob.keyid }));
    assert.equal(inCi([...of('linus'), ...posing]).result, 'denied', 'only names of the ring count');
    const twice = of('grace').map((each) => ({ ...each, name: 'linus' }));
    assert.equal(inCi([...of('grace'), ...twice]).result, 'denied', 'a key counts once');
  });

  it('is in the audit with what it still needs', async () => {
    const { workspace, grace } = await setting();
    await decide(workspace, grace, 'Q-1', agree);
    const audit = openAudit(createTrust(workspace.pins));
    const bytes = journalBytes(workspace);
    assert.ok([...audit.follow(bytes)].length > 0);
    const entry = audit.entries.find(({ kind }) => kind === 'question.answered');
    assert.equal(entry?.mark, 'verified');
    assert.match(
      entry.why ?? '',
      /needs more people: 2 of ada, grace, linus must decide; 1 of 2: grace approved "Yes"/,
    );
  });
});
