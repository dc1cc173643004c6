/** The editor's memory detects changes that leave no trace on the disk. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { updateCopy } from '../../support/store/updateCopy.ts';
import { diagnose, recover, shownDiagnosis } from '../../../src/app/recovery/recovery.ts';
import { agrees, isNewer, testify, testimony, type Witness } from '../../../src/app/recovery/editorKeeps.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { agent, decide, enrolledHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const question = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;

interface Scene {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly human: Human;
  readonly known: Witness;
  /** The journal and the state file before the question. */
  readonly before: { readonly journal: Buffer; readonly anchor: Buffer };
}

async function scene(): Promise<Scene> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const store = await workspace.store();
  const human = enrolledHuman(workspace);
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Title of T1' });
  await raiseQuestion(store, agent(), { ...question, text: 'Before?', work: 'T1' });
  await decide(workspace, human, 'Q-1');
  (await workspace.store()).anchor();
  const before = { journal: fs.readFileSync(sandbox.journal), anchor: fs.readFileSync(workspace.stateFile.path) };
  await raiseQuestion(await workspace.store(), agent(), { ...question, text: 'Which way?', work: 'T1' });
  (await workspace.store()).anchor();
  const known = testimony(workspace);
  assert.ok(known);
  sandbox.clock.now += minute;
  workspace.close();
  return { sandbox, workspace, human, known, before };
}

const verdict = (workspace: Workspace) => askGate(workspace, { work: 'T1' }).verdict;
const stores = ({ sandbox }: Scene) => path.join(sandbox.userFolder, 'stores');

/** Attempts of a program that can write all of the user's files. */
const attempts: Readonly<Record<string, (scene: Scene) => void>> = {
  'the deletion of the store and its state file': (made) => {
    fs.rmSync(made.sandbox.at('ws', '.holdpoint'), { recursive: true });
    fs.rmSync(stores(made), { recursive: true });
  },
  'a rollback of both to before the question': ({ sandbox, workspace, before }) => {
    fs.writeFileSync(sandbox.journal, before.journal);
    fs.writeFileSync(workspace.stateFile.path, before.anchor);
  },
  'a rolled back journal without a state file': (made) => {
    fs.writeFileSync(made.sandbox.journal, made.before.journal);
    fs.rmSync(stores(made), { recursive: true });
  },
  'a rolled back journal with the state file of another epoch': ({ sandbox, workspace, before }) => {
    fs.writeFileSync(sandbox.journal, before.journal);
    const anchor = JSON.parse(before.anchor.toString()) as object;
    const epoch = '6f1c2b34-0000-4000-8000-000000000009';
    fs.writeFileSync(workspace.stateFile.path, JSON.stringify({ ...anchor, epoch }));
  },
};

describe('the editor’s memory of a store', () => {
  afterEach(removeSandboxes);

  for (const [name, forge] of Object.entries(attempts))
    it(`detects ${name}, which nothing else does, and then all programs deny`, async () => {
      const made = await scene();
      forge(made);
      const editor = made.sandbox.open();
      assert.equal(editor.standing().problem, null, 'nothing on the disk reveals it');
      assert.equal(agrees(editor, made.known), false);
      testify(editor, made.known);
      for (const workspace of [editor, made.sandbox.open()]) {
        assert.notEqual(workspace.standing().problem, null);
        assert.equal(verdict(workspace), 'deny');
      }
      assert.ok(agrees(editor, made.known), 'once is enough');

      // A human recovers the store, and the memory follows.
      made.sandbox.clock.now += minute;
      const diagnosis = diagnose(editor, null)!;
      await recover(editor, made.human, { way: 'startAnew', shown: shownDiagnosis(diagnosis), copyFile: null });
      assert.equal(editor.standing().problem, null);
      assert.ok(agrees(editor, made.known));
      const next = testimony(editor);
      assert.ok(next && isNewer(next, made.known));
    });

  it('follows the store', async () => {
    const { sandbox, human, known } = await scene();
    const workspace = sandbox.open();
    assert.ok(agrees(workspace, known));
    assert.equal(isNewer(testimony(workspace)!, known), false);
    await decide(workspace, human, 'Q-2');
    (await workspace.store()).anchor();
    assert.ok(agrees(workspace, known));
    assert.ok(isNewer(testimony(workspace)!, known));
  });

  it('restores the content of a lost state file, and work continues', async () => {
    const made = await scene();
    fs.rmSync(stores(made), { recursive: true });
    const workspace = made.sandbox.open();
    assert.equal(agrees(workspace, made.known), false);
    testify(workspace, made.known);
    assert.equal(workspace.standing().problem, null);
    assert.equal(verdict(workspace), 'deny', 'by the question');
    assert.ok(agrees(workspace, made.known));
  });

  it('does not accept an old recovery that is written again', async () => {
    const { sandbox, human } = await scene();
    const workspace = sandbox.open();
    const copy = sandbox.at('copy.jsonl');
    updateCopy(workspace, copy);
    fs.truncateSync(sandbox.journal, 5);
    workspace.reopen();
    await recover(workspace, human, {
      way: 'restore',
      shown: shownDiagnosis(diagnose(workspace, copy)!),
      copyFile: copy,
    });
    const restored = { journal: fs.readFileSync(sandbox.journal), anchor: fs.readFileSync(workspace.stateFile.path) };
    sandbox.clock.now += minute;
    await decide(workspace, human, 'Q-2');
    await raiseQuestion(await workspace.store(), agent(), { ...question, text: 'And now?', work: 'T1' });
    (await workspace.store()).anchor();
    const known = testimony(workspace)!;
    workspace.close();
    fs.writeFileSync(sandbox.journal, restored.journal);
    fs.writeFileSync(workspace.stateFile.path, restored.anchor);
    assert.equal(agrees(sandbox.open(), known), false);
  });

  it('ignores stores that are UNKNOWN or missing', async () => {
    const { sandbox } = await scene();
    fs.truncateSync(sandbox.journal, 5);
    assert.equal(testimony(sandbox.open()), null);
    const fresh = sandbox.at('fresh');
    fs.mkdirSync(fresh);
    assert.equal(testimony(sandbox.open({ folder: fresh })), null);
  });
});
