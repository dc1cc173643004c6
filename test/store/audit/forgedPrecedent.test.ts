/** Terms of a precedent that another program wrote into the saved state. Its signature is genuine. */
import assert from 'node:assert/strict';
import { checkSavedState } from '../../../src/app/audit/checkSavedState.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { finish } from '../../../src/core/kit/finish.ts';
import type { State } from '../../../src/core/state/state.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { asked, setting } from '../../support/store/precedentSetting.ts';
import { forge } from '../../support/store/savedState.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';

/** P-1 now says that everything about src/auth is answered with Yes. */
function answerQ2(state: State): void {
  const precedent = state.precedents.get('P-1');
  const question = state.questions.get('Q-2');
  assert.ok(precedent && question);
  const { text, choices } = question.raised;
  const terms = { text, choices, globs: ['src/auth'], answer: { choices: ['Yes'], effect: 'proceed' as const } };
  state.precedents.set('P-1', { ...precedent, first: 1, set: { ...precedent.set, ...terms } });
}

describe('terms of a precedent in a forged saved state', () => {
  afterEach(removeSandboxes);

  const forged = async () => {
    const { sandbox, workspace, store, call, set } = await setting();
    await set();
    const choices = [{ label: 'Yes' }, { label: 'Not yet' }];
    await call('raise_question', asked('x', { text: 'May I rewrite the login?', holds: ['src/auth'], choices }));
    finish(store.saving(1)!);
    workspace.close();
    forge(sandbox.open(), answerQ2);
    return sandbox;
  };

  it('differ from the journal', async () => {
    assert.equal(checkSavedState((await forged()).open())?.differs, 'precedents');
  });

  it('answer no question, because they are not what was signed', async () => {
    const sandbox = await forged();
    const verdict = () => askGate(sandbox.open(), { files: ['src/auth/login.ts'] }).verdict;
    assert.equal(verdict(), 'deny');
    writeByHand(sandbox.journal, [{ kind: 'precedent.used', v: 1, id: 'Q-2', precedent: 'P-1' }]);
    assert.equal(verdict(), 'deny');
    const { state } = sandbox.open().standing();
    assert.ok(state);
    assert.equal(state.questions.get('Q-2')?.status, 'pending');
    assert.match(state.refusals.at(-1)?.why ?? '', /P-1: its content is not what was signed/);
  });
});
