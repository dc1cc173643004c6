import assert from 'node:assert/strict';
import { revokeAnswer, shownAnswerHash } from '../../../src/app/decision/decisions.ts';
import { reusesOf } from '../../../src/ui/answer/question.ts';
import { raiseQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { relationshipsOf, registerWork } from '../../../src/app/work/work.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent, signedBy, cancel, decide } from '../../support/store/people.ts';
import { hour, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const asked: RaiseInput = { text: 'Which way?', type: 'decision', urgency: 'medium', mode: 'sync', work: 'T1' };

/** T1 and T2 in W1, T2 after T1; Q-1 on T1 was answered. */
async function setting() {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, agent(), { id: 'W1', workKind: 'workflow', title: 'Release' });
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'One', workflow: 'W1' });
  await registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'Two', dependsOn: ['T1'] });
  await raiseQuestion(store, agent(), { ...asked, files: [{ path: 'src/a.ts' }] });
  await decide(workspace, human, 'Q-1');
  const revoke = async (id: string, shownOf = id) => {
    const { state } = store.read();
    const question = state.questions.get(shownOf);
    const shown = question ? shownAnswerHash(state, question) : '';
    return revokeAnswer(signedBy(store, human), { id, reason: 'It has changed.', shown });
  };
  return { sandbox, workspace, human, store, revoke };
}

describe('an answer', () => {
  afterEach(removeSandboxes);

  it('is reused when an agent asks the same, and a human sees which agents received it', async () => {
    const { store, sandbox } = await setting();
    const again = await raiseQuestion(store, agent('claude-002'), { ...asked, text: 'which  WAY?' });
    assert.deepEqual([again.earlier, again.already, again.question.id], [true, false, 'Q-1']);
    sandbox.clock.now += hour;
    await raiseQuestion(store, agent('codex-003'), asked);
    const reuses = reusesOf(store.read(), 'Q-1').map(({ agent_id, reused_at }) => [agent_id, reused_at]);
    assert.deepEqual(reuses, [
      ['codex-003', '2026-03-02T10:00:00.000Z'],
      ['claude-002', '2026-03-02T09:00:00.000Z'],
    ]);
    assert.equal(store.read().state.questions.size, 1);
  });

  it('that no longer applies is asked again, and the new question holds', async () => {
    const { store } = await setting();
    const { question, earlier } = await raiseQuestion(store, agent(), { ...asked, reopenReason: 'The API is gone.' });
    assert.deepEqual([earlier, question.id, question.holding], [false, 'Q-2', true]);
    assert.equal(store.read().state.questions.get('Q-2')?.raised?.reopens, 'Q-1');
  });
  it('is revoked only if it exists and is unchanged since displayed', async () => {
    const { store, revoke, workspace, human } = await setting();
    await raiseQuestion(store, agent(), { ...asked, text: 'Other?' });
    await assert.rejects(async () => revoke('Q-2'), /has no answer to revoke/);
    await assert.rejects(async () => revoke('Q-1', 'Q-2'), /has changed since it was shown/);
    await assert.rejects(async () => revoke('Q-9'), { name: 'AppError', code: 'not_found' });
    await decide(workspace, human, 'Q-2', cancel);
    await assert.rejects(async () => revoke('Q-2'), /has no answer to revoke/);
  });
});

describe('what is connected', () => {
  afterEach(removeSandboxes);

  async function check(id: string, type: Parameters<typeof relationshipsOf>[2], expected: string[]): Promise<void> {
    const { store } = await setting();
    const found = relationshipsOf(store.read(), id, type);
    assert.deepEqual(
      found
        .map((row) => `${row.direction} ${String(row.distance)} ${row.from_id} ${row.relationship_type} ${row.to_id}`)
        .sort(),
      expected,
    );
  }

  it('with a question: the work it stops and the files it names', () =>
    check('Q-1', undefined, ['out 1 Q-1 blocks T1', 'out 1 Q-1 references src/a.ts']));
  it('with work: its dependencies and its dependants, step by step', () =>
    check('T2', undefined, ['out 1 T2 depends_on T1']));
  it('with work that others wait for', () => check('T1', undefined, ['in 1 Q-1 blocks T1', 'in 1 T2 depends_on T1']));
  it('by one kind of relation', () => check('T1', 'depends_on', ['in 1 T2 depends_on T1']));
  it('with a file', () => check('src/a.ts', undefined, ['in 1 Q-1 references src/a.ts']));
  it('with nothing', () => check('W1', undefined, []));

  it('with an unknown item is an error', async () => {
    await assert.rejects(check('T9', undefined, []), { name: 'AppError', code: 'not_found' });
  });

  it('in circles terminates', async () => {
    const { store, sandbox } = await setting();
    // Only hand-written records can form a circle: a question may name a file that is called like another question.
    writeByHand(
      sandbox.journal,
      [2, 3].map((number) => ({
        kind: 'question.raised',
        v: 1,
        id: `Q-${String(number)}`,
        text: `No ${String(number)}`,
        type: 'decision',
        urgency: 'low',
        mode: 'sync',
        work: null,
        files: [{ path: `Q-${String(5 - number)}` }],
        expiresAt: '2026-03-03T09:00:00.000Z',
      })),
    );
    assert.ok(relationshipsOf(store.read(), 'Q-2').length > 0);
  });
});
