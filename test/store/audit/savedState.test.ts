/** A saved state that another program wrote, together with the record of its hash. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { auditBytes, faultsOf, journalBytes } from '../../../src/app/audit/audit.ts';
import { checkSavedState, discardSavedState } from '../../../src/app/audit/checkSavedState.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { finish } from '../../../src/store/journal/files.ts';
import { formatState } from '../../../src/store/saved/state.ts';
import { sha256 } from '../../../src/trust/canonical.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

/** Q-1 answered and Q-2 open, which holds src/auth; the state is saved. */
async function saved(): Promise<Sandbox> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'API tokens' });
  const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
  await raiseQuestion(store, agent(), { ...asked, text: 'Drop the table?' });
  await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { choices: ['No'] } });
  await raiseQuestion(store, agent(), { ...asked, text: 'Rotate the keys?', holds: ['src/auth/**'] });
  finish(store.saving(1)!);
  workspace.close();
  return sandbox;
}

const verdict = (sandbox: Sandbox) => askGate(sandbox.open(), { files: ['src/auth/login.ts'] }).verdict;

function faults(sandbox: Sandbox): string[] {
  const workspace = sandbox.open();
  return faultsOf(workspace, auditBytes(journalBytes(workspace), workspace.pins()).walk);
}

/** Writes what any program of the user can write. */
function forge(workspace: Workspace): void {
  const { state } = workspace.standing();
  const anchor = workspace.stateFile.read();
  assert.ok(state && anchor?.snapshot);
  state.questions.delete('Q-2');
  state.holders.delete('Q-2');
  const content = [...formatState(state)].join('');
  fs.writeFileSync(`${workspace.location.root}/.holdpoint/${anchor.snapshot.name}.json`, content);
  const snapshot = { ...anchor.snapshot, stateHash: sha256(content) };
  const text = fs.readFileSync(workspace.stateFile.path, 'utf8');
  fs.writeFileSync(workspace.stateFile.path, text.replace(anchor.snapshot.stateHash, snapshot.stateHash));
}

describe('a saved state', () => {
  afterEach(removeSandboxes);

  it('that programs wrote passes the audit, also with acts after it', async () => {
    const sandbox = await saved();
    assert.deepEqual(faults(sandbox), []);
    await registerWork(await sandbox.open().store(), agent(), { id: 'T2', workKind: 'task', title: 'More' });
    assert.deepEqual(faults(sandbox), []);
  });

  const turn = () => Promise.resolve();

  it('that was forged differs from the journal, and is not used once it is discarded', async () => {
    const sandbox = await saved();
    const genuine = await checkSavedState(sandbox.open(), turn);
    assert.equal(genuine?.differs, null);
    forge(sandbox.open());
    const workspace = sandbox.open();
    assert.equal(askGate(workspace, { files: ['src/auth/login.ts'] }).verdict, 'allow');
    const found = await checkSavedState(workspace, turn);
    assert.equal(found?.differs, 'questions');
    assert.notEqual(found.saved.stateHash, genuine.saved.stateHash);
    discardSavedState(workspace);
    assert.equal(askGate(workspace, { files: ['src/auth/login.ts'] }).verdict, 'deny', 'in this program');
    assert.equal(verdict(sandbox), 'deny', 'in the next');
    assert.equal(await checkSavedState(sandbox.open(), turn), null);
  });

  it('that is recorded and missing is not compared, so it is compared once it is there', async () => {
    const sandbox = await saved();
    const folder = sandbox.at('ws', '.holdpoint');
    for (const name of fs.readdirSync(folder)) if (name.startsWith('holdpoint-')) fs.rmSync(`${folder}/${name}`);
    assert.equal(await checkSavedState(sandbox.open(), turn), null);
  });

  it('that was forged does not pass the audit, and is not used once it is deleted', async () => {
    const sandbox = await saved();
    assert.equal(verdict(sandbox), 'deny');
    forge(sandbox.open());
    assert.equal(verdict(sandbox), 'allow', 'the gate cannot know');
    assert.match(faults(sandbox).join(), /The saved state .* is not what the journal says \(questions\)/);
    const folder = sandbox.at('ws', '.holdpoint');
    for (const name of fs.readdirSync(folder)) if (name.startsWith('holdpoint-')) fs.rmSync(`${folder}/${name}`);
    assert.equal(verdict(sandbox), 'deny');
    assert.deepEqual(faults(sandbox), []);
  });
});
