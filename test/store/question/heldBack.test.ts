/** Delayed decisions, on a real store: nothing is recorded early, nor on changed items. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { decideQuestion, obstacleOf, shownHash, type Verdict } from '../../../src/app/decision/decisions.ts';
import { raiseQuestion, withdrawQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { createHeldBack } from '../../../src/ui/answer/queue.ts';
import { agent, signedBy, decide } from '../../support/store/people.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const asked = { type: 'decision', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
const yes: Verdict = { kind: 'answer', answer: { choices: [], text: 'Yes.' } };

async function setting() {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Clean up', status: 'in_progress' });
  const ask = async (text: string, more: Partial<RaiseInput> = {}) =>
    (await raiseQuestion(store, agent(), { ...asked, text, ...more })).question.id;
  const question = (id: string) => store.read().state.questions.get(id)!;
  const shown = (id: string) => shownHash(store.read().state, question(id));
  const answers = () => fs.readFileSync(sandbox.journal, 'utf8').match(/"kind":"question\.answered"/g)?.length ?? 0;

  const outcomes: string[] = [];
  const timers: (() => void)[] = [];
  const sending: Promise<void>[] = [];
  const held = createHeldBack<{ verdict: Verdict; shown: string }>({
    now: () => sandbox.clock.now,
    later: (_, run) => {
      timers.push(run);
      return () => timers.splice(timers.indexOf(run), 1);
    },
    send: ({ key, decision }) => {
      const signing = signedBy(store, human);
      const sent = decideQuestion(signing, key, decision.verdict, decision.shown).then(({ outcome }) => {
        outcomes.push(outcome);
      });
      sending.push(sent);
      return sent;
    },
  });
  const hold = (id: string) =>
    held.hold({ act: `act ${id}`, key: id, decision: { verdict: yes, shown: shown(id) } }, 5_000);
  /** Lets the undo time of all decisions pass. */
  const pass = async () => {
    for (const run of [...timers]) run();
    await Promise.all(sending);
  };
  return { workspace, store, human, ask, shown, question, answers, held, hold, pass, outcomes };
}

describe('a delayed decision', () => {
  afterEach(removeSandboxes);
  it('is not recorded after another answer, a cancellation or a change of the question', async () => {
    const { ask, hold, workspace, human, answers, question, pass, outcomes } = await setting();
    const [answered, cancelled, changed] = [await ask('One?'), await ask('Two?'), await ask('Three?')];
    for (const id of [answered, cancelled, changed]) hold(id);
    await decide(workspace, human, answered, { kind: 'answer', answer: { choices: [], text: 'No.' } });
    await decide(workspace, human, cancelled, { kind: 'cancel', reason: 'Never mind.' });
    // Asking again adds to the hold, which the form shows.
    await ask('Three?', { holds: ['db/**'] });
    await pass();
    assert.deepEqual(outcomes, ['already', 'already', 'changed']);
    assert.equal(answers(), 1);
    assert.equal(question(answered).resolution?.answer?.text, 'No.');
    assert.equal(question(cancelled).resolution?.how, 'cancelled');
    assert.equal(question(changed).resolution, null);
  });

  it('is not recorded if the agent withdrew the question', async () => {
    const { ask, store, hold, pass, answers, outcomes } = await setting();
    const id = await ask('Is that fine?', { mode: 'async', assumption: 'yes', work: null });
    hold(id);
    await withdrawQuestion(store, agent(), id, 'Found it.');
    await pass();
    assert.deepEqual(outcomes, ['already']);
    assert.equal(answers(), 0);
  });
});

describe('a check before a decision', () => {
  afterEach(removeSandboxes);

  it('writes no record, and reports the same problem as the decision', async () => {
    const { ask, store, shown, workspace, human } = await setting();
    const id = await ask('Which?', { choices: [{ label: 'A' }, { label: 'B' }], freeText: false });
    const check = (verdict: Verdict, hash = shown(id)) => obstacleOf(store.read().state, id, verdict, hash);
    const pick = (label: string): Verdict => ({ kind: 'answer', answer: { choices: [label] } });
    const before = store.position;
    assert.equal(check(pick('A')), null);
    assert.equal(check(pick('A'), 'other'), 'changed');
    assert.throws(() => check(pick('C')), AppError);
    assert.throws(() => obstacleOf(store.read().state, 'Q-99', pick('A'), ''), AppError);
    assert.deepEqual(store.position, before);
    const hash = shown(id);
    await decide(workspace, human, id, pick('B'));
    assert.equal(check(pick('A'), hash), 'already');
  });
});
