import assert from 'node:assert/strict';
import { shownHash } from '../../../src/app/decision/decisions.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { shownQuestion } from '../../../src/core/question/question.ts';
import { effectFormat } from '../../../src/core/records/format.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { locally } from '../../support/store/locally.ts';

const asked = { text: 'Which way?', type: 'clarification', urgency: 'medium', mode: 'sync', work: null } as const;
const payload = '{"ticket":"API-7","labels":["tokens"]}';

describe('the payload of a question', () => {
  afterEach(removeSandboxes);

  async function setting() {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const human = enrolledHuman(workspace);
    return { sandbox, workspace, human, store: await workspace.store() };
  }

  it('is returned unchanged, and is part of the signed content', async () => {
    const { workspace, human, store } = await setting();
    await raiseQuestion(store, agent(), { ...asked, payload });
    const { state } = store.read();
    const question = state.questions.get('Q-1')!;
    assert.deepEqual(questionView(store.read(), 'Q-1')?.payload_json, { ticket: 'API-7', labels: ['tokens'] });
    const other = { ...question, raised: { ...question.raised, payload: '{"ticket":"API-8"}' } };
    assert.notEqual(shownHash(state, question), shownHash(state, other));
    assert.equal((await decide(workspace, human, 'Q-1')).outcome, 'decided');
  });

  it('raises the format when first used; without one, format and hash stay unchanged', async () => {
    const { store } = await setting();
    const format = () => store.read().state.workspace?.minReader ?? 0;
    await raiseQuestion(store, agent(), asked);
    assert.ok(format() < effectFormat);
    const { state } = store.read();
    assert.ok(!('payload' in shownQuestion(state, state.questions.get('Q-1')!)));
    await raiseQuestion(store, agent(), { ...asked, text: 'And now?', payload });
    assert.equal(format(), effectFormat);
  });

  locally('is ignored in a workspace that admits earlier programs', async () => {
    const { sandbox, store } = await setting();
    const expiresAt = '2026-03-03T09:00:00.000Z';
    await raiseQuestion(store, agent(), { ...asked, text: 'First?' });
    const byHand = { ...asked, kind: 'question.raised', v: 1, expiresAt, payload };
    writeByHand(sandbox.journal, [{ ...byHand, id: 'Q-2' }]);
    assert.ok(!store.read().state.questions.has('Q-2'));
    await raiseQuestion(store, agent(), { ...asked, text: 'Second?', payload });
    writeByHand(sandbox.journal, [{ ...byHand, id: 'Q-3' }]);
    assert.ok(store.read().state.questions.has('Q-3'));
  });

  it('is rejected beyond its limit, and nothing is stored', async () => {
    const { store } = await setting();
    await assert.rejects(
      async () => raiseQuestion(store, agent(), { ...asked, payload: JSON.stringify({ a: 'x'.repeat(16_384) }) }),
      (error: unknown) =>
        error instanceof AppError && error.message.startsWith('payload: must be at most 16384 bytes of JSON'),
    );
    assert.equal(store.read().state.questions.size, 0);
  });
});
