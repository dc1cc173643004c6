/** Confirms several assumptions in one act, on the real store: all are signed as displayed, or none is. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {
  confirmAssumptions,
  confirmedAtMost,
  shownAssumptions,
  type ConfirmedAssumption,
} from '../../../src/app/decision/batch.ts';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { isTickedAtFirst } from '../../../src/core/question/shape.ts';
import { raiseQuestion, withdrawQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { undeliveredQuestions } from '../../../src/app/waiting/delivery.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { urgencies } from '../../../src/core/kit/words.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, signedBy, decide, makeHuman } from '../../support/store/people.ts';
import { hour, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const plain: RaiseInput = {
  ...{ text: 'How long?', type: 'clarification', urgency: 'medium', mode: 'async', work: null },
  assumption: '30 days',
};

async function setting() {
  const { sandbox, workspace, human: signer, store } = await withHuman();
  return { sandbox, workspace, store, signing: signedBy(store, signer) };
}

async function ask(store: Store, text: string, more: Partial<RaiseInput> = {}, by = 'copilot-001'): Promise<void> {
  await raiseQuestion(store, agent(by), { ...plain, text, ...more });
}

/** Everything that a form lists, all confirmed. */
function all(store: Store, by?: string): ConfirmedAssumption[] {
  return shownAssumptions(store.read().state, by).questions.map((one) => ({ ...one, answer: `Yes to ${one.id}` }));
}

const listed = (store: Store, by?: string) => shownAssumptions(store.read().state, by).questions.map(({ id }) => id);
const answers = (store: Store) =>
  [...store.read().state.questions.values()].map(({ resolution }) => resolution?.answer?.text);

interface Line {
  readonly records: readonly { readonly kind: string; readonly id: string; readonly envelope: { payload: string } }[];
}

describe('assumptions', () => {
  afterEach(removeSandboxes);

  it('are confirmed in one line of the journal, each by its own answer, signed for its question', async () => {
    const { sandbox, store, signing } = await setting();
    await ask(store, 'One?');
    await ask(store, 'Two?', {}, 'claude-002');
    await ask(store, 'Three?');
    const confirmed = all(store);
    const lines = () =>
      fs
        .readFileSync(sandbox.journal, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
    const before = lines().length;
    assert.deepEqual(await confirmAssumptions(signing, confirmed), { outcome: 'answered' });
    assert.equal(lines().length, before + 1);
    const { records } = JSON.parse((lines().at(-1) ?? '').replace(/^[^{]*/, '')) as Line;
    const signed = records.map(({ envelope }) => {
      const text = Buffer.from(envelope.payload, 'base64').toString('utf8');
      return JSON.parse(text) as { subject: string; shown: string; nonce: string; action: string };
    });
    assert.deepEqual(
      signed.map(({ subject, shown, action }) => [subject, shown, action]),
      confirmed.map(({ id, shown }) => [id, shown, 'question.answered']),
    );
    assert.equal(new Set(signed.map(({ nonce }) => nonce)).size, 3);
    for (const { id } of confirmed) {
      const { answer, answered_by, effect, recipient } = questionView(store.read(), id)!;
      assert.deepEqual([answer, answered_by, effect], [{ choices: [], text: `Yes to ${id}` }, 'Ada', 'proceed']);
      assert.ok(
        undeliveredQuestions(store.read(), recipient).some((one) => one.id === id),
        'its agent gets it',
      );
    }
    assert.deepEqual([listed(store), store.read().state.refusals], [[], []]);
  });

  it('are listed for one agent or all: only open async ones that a yes can answer', async () => {
    const { sandbox, store } = await setting();
    await ask(store, 'Q-1, to be listed?');
    await ask(store, 'Q-2, of another agent?', {}, 'claude-002');
    await ask(store, 'Q-3, which stops?', { mode: 'sync' });
    await ask(store, 'Q-4, without an assumption?', { assumption: undefined });
    await ask(store, 'Q-5, where only choices count?', {
      choices: [{ label: 'A', recommended: false }],
      freeText: false,
    });
    await ask(store, 'Q-6, where words count as well?', {
      choices: [{ label: 'A', recommended: false }],
      freeText: true,
    });
    await ask(store, 'Q-7, an approval, which always stops?', { type: 'approval' });
    await ask(store, 'Q-8, withdrawn?');
    await withdrawQuestion(store, agent(), 'Q-8', 'Found it.');
    assert.deepEqual(listed(store), ['Q-1', 'Q-2', 'Q-6']);
    assert.deepEqual(listed(store, 'claude-002'), ['Q-2']);
    sandbox.clock.now += 73 * hour;
    await sweep(store);
    assert.deepEqual(listed(store), [], 'expired ones can no longer be answered');
  });

  const meanwhile: Record<string, (setup: Awaited<ReturnType<typeof setting>>) => unknown> = {
    'was answered': ({ workspace, signing }) => decide(workspace, signing.signer, 'Q-2'),
    'was withdrawn': async ({ store }) => withdrawQuestion(store, agent(), 'Q-2', 'Found it.'),
    'was asked again as one that stops': async ({ store }) => {
      await ask(store, 'Two?', { mode: 'sync' });
    },
    'holds more files': async ({ store }) => {
      await ask(store, 'Two?', { holds: ['src/**'] });
    },
  };
  for (const [what, happens] of Object.entries(meanwhile)) {
    it(`are not confirmed if one ${what} since it was displayed; the others can be, once displayed again`, async () => {
      const setup = await setting();
      const { sandbox, store, signing } = setup;
      for (const text of ['One?', 'Two?', 'Three?']) await ask(store, text);
      const confirmed = all(store);
      await happens(setup);
      const before = fs.readFileSync(sandbox.journal);
      assert.deepEqual(await confirmAssumptions(signing, confirmed), { outcome: 'changed', ids: ['Q-2'] });
      assert.deepEqual(fs.readFileSync(sandbox.journal), before, 'nothing is signed');
      assert.deepEqual(await confirmAssumptions(signing, all(store)), { outcome: 'answered' });
      assert.deepEqual([answers(store)[0], answers(store)[2]], ['Yes to Q-1', 'Yes to Q-3']);
    });
  }

  it('are not confirmed if one does not exist, or with the hash of another question', async () => {
    const { store, signing } = await setting();
    await ask(store, 'One?');
    await ask(store, 'Two?');
    const [one, two] = all(store);
    assert.deepEqual(await confirmAssumptions(signing, [{ ...one!, id: 'Q-9' }]), { outcome: 'changed', ids: ['Q-9'] });
    assert.deepEqual(await confirmAssumptions(signing, [one!, { ...two!, shown: one!.shown }]), {
      outcome: 'changed',
      ids: ['Q-2'],
    });
    assert.deepEqual(answers(store), [undefined, undefined]);
  });

  it('are ticked in advance as the signed policy says, and never critical ones', async () => {
    const { store, signing } = await setting();
    const ticked = () => urgencies.filter((urgency) => isTickedAtFirst(store.read().state, { urgency }));
    assert.deepEqual([...ticked()].sort(), ['high', 'low', 'medium']);
    for (const [upTo, expected] of [
      ['none', []],
      ['low', ['low']],
      ['medium', ['low', 'medium']],
      ['high', ['high', 'low', 'medium']],
    ] as const) {
      const { state } = store.read();
      await changePolicy(signing, { ...state.policy, assumptions: { tickedUpTo: upTo } }, shownPolicyHash(state));
      assert.deepEqual([...ticked()].sort(), expected);
    }
    const { state } = store.read();
    await changePolicy(signing, { questionLifeHours: 5, onExpiry: 'expire' }, shownPolicyHash(state));
    assert.equal(store.read().state.policy.assumptions?.tickedUpTo, 'high', 'what a form does not name stays');
  });

  it('are not confirmed with a key that is not pinned', async () => {
    const { store, signing } = await setting();
    await ask(store, 'One?');
    await assert.rejects(
      async () => confirmAssumptions({ ...signing, signer: makeHuman('Mallory') }, all(store)),
      StoreError,
    );
    assert.deepEqual(answers(store), [undefined]);
  });

  it('fit into one line, as many as a form lists, with the longest answers', async () => {
    const { store, signing } = await setting();
    for (let n = 0; n < confirmedAtMost; n++)
      await ask(store, `Number ${String(n)}?`, { urgency: urgencies[n % 3]! }, `agent-${String(n % 20)}`);
    // Twice the longest text that the form repeats, in the characters with most bytes.
    const longest = all(store).map((one) => ({ ...one, answer: '\u{10FFFF}'.repeat(200) }));
    assert.equal(longest.length, confirmedAtMost);
    assert.deepEqual(await confirmAssumptions(signing, longest), { outcome: 'answered' });
  });
});
