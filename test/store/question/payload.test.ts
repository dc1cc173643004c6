import assert from 'node:assert/strict';
import { shownHash } from '../../../src/app/decision/decisions.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { shownQuestion } from '../../../src/core/question/question.ts';
import { agent, decide } from '../../support/store/people.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const asked = { text: 'Which way?', type: 'clarification', urgency: 'medium', mode: 'sync', work: null } as const;
const payload = '{"ticket":"API-7","labels":["tokens"]}';

describe('the payload of a question', () => {
  afterEach(removeSandboxes);

  async function setting() {
    return withHuman();
  }

  it('is returned unchanged, and is part of the signed content', async () => {
    const { workspace, human, store } = await setting();
    await raiseQuestion(store, agent(), { ...asked, payload });
    const { state } = store.read();
    const question = state.questions.get('Q-1')!;
    assert.deepEqual(questionView(store.read(), 'Q-1')?.payload_json, { ticket: 'API-7', labels: ['tokens'] });
    const other = { ...question, raised: { ...question.raised!, payload: '{"ticket":"API-8"}' } };
    assert.notEqual(shownHash(state, question), shownHash(state, other));
    assert.equal((await decide(workspace, human, 'Q-1')).outcome, 'decided');
  });

  it('is absent from what is shown and signed where there is none', async () => {
    const { store } = await setting();
    await raiseQuestion(store, agent(), asked);
    const { state } = store.read();
    assert.ok(!('payload' in shownQuestion(state, state.questions.get('Q-1')!)));
  });
});
