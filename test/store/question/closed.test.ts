/** A closed question is a header in the state; what it said is read from its line of the journal. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { revokeAnswer, shownAnswerHash, type Unsigned } from '../../../src/app/decision/decisions.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { sha256 } from '../../../src/trust/canonical.ts';
import { dump } from '../../support/store/dump.ts';
import { makeLab, question } from '../../support/store/lab.ts';
import { agent, signedBy, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { removeSaved, savedFiles } from '../../support/store/savedState.ts';

const text = 'Which way to the harbour?';
const frame = /\n\d+ [0-9a-f]{64} (.*harbour.*)\n/;

/** Q-1, answered with a yes; the state is saved. */
async function answered() {
  const sandbox = makeSandbox();
  const first = sandbox.open();
  const human = enrolledHuman(first);
  const asked = { type: 'decision', urgency: 'medium', mode: 'sync', work: null } as const;
  await raiseQuestion(await first.store(), agent(), { ...asked, text });
  await decide(first, human, 'Q-1');
  (await first.store()).save();
  first.close();
  const revoke = async (workspace: Workspace) => {
    const store = await workspace.store();
    const { state } = store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-1')!);
    return revokeAnswer(signedBy(store, human), { id: 'Q-1', reason: 'It has changed.', shown });
  };
  return { sandbox, human, revoke };
}

describe('a closed question', () => {
  afterEach(removeSandboxes);

  it('is shown and revoked as it was asked, from a saved state that has no text of it', async () => {
    const { sandbox, revoke } = await answered();
    const states = savedFiles(sandbox).filter((file) => file.endsWith('.json'));
    assert.equal(states.length, 2);
    for (const file of states) assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /"text":"Which way/);
    const workspace = sandbox.open();
    assert.equal(workspace.standing().state?.questions.get('Q-1')?.raised, null);
    assert.equal(questionView((await workspace.store()).read(), 'Q-1')?.text, text);
    assert.equal((await revoke(workspace)).revoked?.reason, 'It has changed.');
    const live = dump((await workspace.store()).read());
    sandbox.close();
    removeSaved(sandbox);
    assert.deepEqual(dump((await sandbox.open().store()).read()), live);
  });

  it('is not shown, nor is its answer revoked, where its line is no longer what it was', async () => {
    const { sandbox, revoke } = await answered();
    const written = fs.readFileSync(sandbox.journal, 'utf8');
    const [line = '', body = ''] = frame.exec(written) ?? [];
    const other = body.replace('harbour', 'airport');
    fs.writeFileSync(sandbox.journal, written.replace(line, `\n${String(other.length)} ${sha256(other)} ${other}\n`));
    const workspace = sandbox.open();
    const { state } = workspace.standing();
    assert.ok(state?.questions.has('Q-1'), 'the saved state is used');
    const view = (await workspace.store()).read();
    assert.throws(() => questionView(view, 'Q-1'), /is not where it was/);
    await assert.rejects(revoke(workspace), /is not where it was/);
  });

  it('keeps its text where its line has another record with its id', () => {
    const lab = makeLab();
    lab.write([
      { ...question(1), work: 'gone', text: 'Another?' },
      { ...question(1), work: null },
    ]);
    const record: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { choices: [], text: 'Go on.' } };
    lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
    const { status, line, raised } = lab.state.questions.get('Q-1')!;
    assert.deepEqual([status, line, raised?.work], ['answered', null, null]);
  });
});
