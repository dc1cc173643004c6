/** A human's precedent answers questions of its class when they are raised; each use is named, and can be taken back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { shownAnswerHash } from '../../../src/app/decision/decisions.ts';
import {
  canBecomePrecedent,
  endPrecedent,
  previewPrecedent,
  proposedEdits,
  setPrecedent,
  takeBackUse,
} from '../../../src/app/decision/precedents.ts';
import { listPrecedents } from '../../../src/app/question/precedents.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { decide } from '../../support/store/people.ts';
import { asked, setting } from '../../support/store/precedentSetting.ts';
import { hour, removeSandboxes } from '../../support/store/sandbox.ts';

describe('precedents', () => {
  afterEach(removeSandboxes);

  it('are drafted from the words of the answered question', async () => {
    const { store, workspace, call } = await setting();
    const { state } = store.read();
    assert.deepEqual(proposedEdits(state, state.questions.get('Q-1')!, workspace.now()), {
      text: 'Add dependency `{name: word}`?',
      more: {},
      work: ['W1'],
      globs: ['app/package.json'],
      until: '2026-04-01T23:59:59.999Z',
      uses: 20,
    });
    await call('raise_question', asked('vue'));
    assert.deepEqual(
      [...store.read().state.questions.values()].map(canBecomePrecedent),
      [true, false],
      'an open question has no answer',
    );
  });

  it('answer at once, in the result of the call that asks, and are named there', async () => {
    const { call, set, isHeld, store } = await setting();
    assert.equal(await set(), 'P-1');
    const { status, text, data } = await call('raise_question', asked('vue'));
    assert.equal(status, 'ok');
    assert.match(
      text,
      /^Q-2 answered by the precedent P-1 that Ada signed 2026-03-02 09:00 UTC, 2026-03-02 09:00 UTC: "Add it"\. Continue with Clean up \(T1\)\./,
    );
    assert.deepEqual([data['result'], data['outcome']], ['proceed', 'answered']);
    const view = questionView(store.read(), 'Q-2')!;
    assert.deepEqual(view.precedent, { id: 'P-1', signed_at: '2026-03-02T09:00:00.000Z' });
    assert.deepEqual([view.resolution, view.answered_by, view.holding], ['answered', 'Ada', false]);
    assert.equal(isHeld(), false);
    assert.equal(questionView(store.read(), 'Q-1')!.precedent, null);
  });

  it('leave all other questions to a human', async () => {
    const { call, set, isHeld } = await setting();
    await set();
    for (const more of [{ context: 'It runs a script.' }, { holds: ['app/secret'] }, { urgency: 'critical' }]) {
      const { text } = await call(
        'raise_question',
        asked('vue', { ...more, text: `Add dependency \`${randomUUID()}\`?` }),
      );
      assert.match(text, /is still waiting/);
    }
    assert.ok(isHeld());
  });

  it('show what they would have answered before they are signed, and are signed over that', async () => {
    const { call, store, workspace, signing, human } = await setting();
    await call('raise_question', asked('vue'));
    await decide(workspace, human, 'Q-2', { kind: 'answer', answer: { choices: ['Leave it'] } });
    await call('raise_question', asked('lodash', { text: 'Why is the sky blue?' }));
    const { state } = store.read();
    const edits = proposedEdits(state, state.questions.get('Q-1')!, workspace.now());
    const { earlier, shown } = previewPrecedent(state, 'Q-1', edits, workspace.now());
    assert.deepEqual(
      earlier.map(({ id, resolution }) => [id, resolution?.answer?.choices]),
      [
        ['Q-2', ['Leave it']],
        ['Q-1', ['Add it']],
      ],
    );
    await call('raise_question', asked('jquery'));
    const setting1 = { from: 'Q-1', edits, shown: shown! };
    await assert.rejects(setPrecedent(signing, setting1), /have changed since they were shown/);
    const wrong = { ...edits, text: 'Add {x: word}?' };
    assert.match(previewPrecedent(state, 'Q-1', wrong, workspace.now()).problem!, /at least 8 letters/);
    await assert.rejects(setPrecedent(signing, { ...setting1, edits: wrong }), /at least 8 letters/);
    assert.equal(store.read().state.precedents.size, 0);
  });

  it('are limited in number and time', async () => {
    const { sandbox, call, set, store, workspace } = await setting();
    await set({ uses: 1 });
    await call('raise_question', asked('vue'));
    assert.match((await call('raise_question', asked('lodash'))).text, /Q-3 is still waiting/);
    assert.equal(listPrecedents(store.read())[0]!.status, 'used_up');
    await set({ until: new Date(sandbox.clock.now + hour).toISOString() });
    sandbox.clock.now += 2 * hour;
    assert.match((await call('raise_question', asked('jquery'))).text, /Q-4 is still waiting/);
    sandbox.clock.now -= 2 * hour;
    assert.match(
      (await call('raise_question', asked('angular'))).text,
      /Q-5 is still waiting/,
      'a clock that is set back',
    );
    assert.equal(listPrecedents(store.read())[0]!.status, 'expired');
    assert.ok(workspace.now() < store.read().state.precedents.get('P-2')!.set.until);
  });

  it('can be ended, and a use taken back: its agent waits again and receives the human’s answer', async () => {
    const { call, set, isHeld, store, workspace, human, signing } = await setting();
    await set();
    await call('raise_question', asked('vue'));
    await call('check_gate', { work_id: 'T1' });
    const { state } = store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-2')!);
    await assert.rejects(takeBackUse(signing, { id: 'Q-2', reason: 'No.', shown: 'f'.repeat(64) }), /has changed/);
    await assert.rejects(takeBackUse(signing, { id: 'Q-1', reason: 'No.', shown }), /not answered by a precedent/);
    await takeBackUse(signing, { id: 'Q-2', reason: 'Not this one.', shown });
    assert.ok(isHeld());
    assert.match((await call('await_answer', { id: 'Q-2', wait_seconds: 0 })).text, /Q-2 is still waiting/);
    assert.match(
      (await call('raise_question', asked('vue'))).text,
      /You asked this before: it is Q-2.*is still waiting/,
    );
    await decide(workspace, human, 'Q-2', { kind: 'answer', answer: { choices: ['Leave it'] } });
    assert.match((await call('await_answer', {})).text, /Q-2 answered by Ada.*"Leave it"/);
    assert.equal(listPrecedents(store.read())[0]!.uses[0]!.taken_back_by, 'Ada');
    await endPrecedent(signing, 'P-1', 'Enough.');
    await assert.rejects(endPrecedent(signing, 'P-1', 'Again.'), /no longer in force/);
    assert.match((await call('raise_question', asked('lodash'))).text, /Q-3 is still waiting/);
  });

  it('keep a use while the same question is open: its agent may have asked it again', async () => {
    const { call, set, store, workspace, signing, human } = await setting();
    await set();
    await call('raise_question', asked('vue'));
    await endPrecedent(signing, 'P-1', 'Enough.');
    assert.match((await call('raise_question', asked('vue'))).text, /Q-3 is still waiting/);
    const { state } = store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-2')!);
    await assert.rejects(
      takeBackUse(signing, { id: 'Q-2', reason: 'Not this one.', shown }),
      /Q-3 is still open and asks the same: decide or cancel Q-3 first/,
    );
    await decide(workspace, human, 'Q-3', { kind: 'answer', answer: { choices: ['Leave it'] } });
    await takeBackUse(signing, { id: 'Q-2', reason: 'Not this one.', shown });
    assert.equal(store.read().state.questions.get('Q-2')?.status, 'pending');
  });

  it('are the same after the journal is read again, and from a saved state', async () => {
    const { sandbox, call, set, store, workspace } = await setting();
    await set({ uses: 2 });
    await call('raise_question', asked('vue'));
    const before = listPrecedents(store.read());
    const saving = store.saving(0);
    while (saving && !saving.next().done);
    workspace.close();
    const again = sandbox.open();
    const reopened = await again.store();
    assert.deepEqual(listPrecedents(reopened.read()), before);
    assert.equal(questionView(reopened.read(), 'Q-2')!.precedent!.id, 'P-1');
  });
});
