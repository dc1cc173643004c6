/** Recovery from UNKNOWN, and the editor's copy, for a journal of several files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { updateCopy } from '../../support/store/updateCopy.ts';
import { diagnose, recover, shownDiagnosis, type Diagnosis, type WayOut } from '../../../src/app/recovery/recovery.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { filesByHand, journalByHand, readByHand, writeByHand } from '../../support/store/handwriting.ts';
import { agent, enrolledHuman, type Human } from '../../support/store/people.ts';
import {
  inMemory,
  makeSandbox,
  realFs,
  removeSandboxes,
  setSegments,
  type Sandbox,
} from '../../support/store/sandbox.ts';

interface Setting {
  readonly sandbox: Sandbox;
  readonly human: Human;
  readonly copy: string;
}

async function register(store: Store, id: string): Promise<void> {
  await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
}

/** T0 is held; the copy has all but T9. */
async function used(): Promise<Setting> {
  const sandbox = makeSandbox(inMemory);
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  const copy = sandbox.at('editor', 'copy.jsonl');
  await register(store, 'T0');
  await raiseQuestion(store, agent(), {
    type: 'decision',
    urgency: 'medium',
    mode: 'sync',
    text: 'May I?',
    work: 'T0',
  });
  for (let number = 1; number < 9; number++) await register(store, `T${String(number)}`);
  updateCopy(workspace, copy);
  await register(store, 'T9');
  workspace.close();
  return { sandbox, human, copy };
}

const linesOf = ({ journal }: Sandbox) => readByHand(journalByHand(journal)).lines;

/** The offset of the line that registers this item. */
function lineOf(sandbox: Sandbox, id: string): number {
  return linesOf(sandbox).find(({ records }) => records.some((record) => record['id'] === id))?.at ?? assert.fail(id);
}

function flip(sandbox: Sandbox, at: number): void {
  const { file, base } = filesByHand(sandbox.journal).findLast((one) => one.base <= at) ?? assert.fail();
  const bytes = fs.readFileSync(file);
  bytes[at - base]! ^= 1;
  fs.writeFileSync(file, bytes);
}

function diagnosed({ copy }: Setting, workspace: Workspace): Diagnosis {
  return diagnose(workspace, copy) ?? assert.fail('it is sound');
}

async function take(setting: Setting, way: WayOut): Promise<Workspace> {
  const workspace = setting.sandbox.open();
  await recover(workspace, setting.human, {
    way,
    shown: shownDiagnosis(diagnosed(setting, workspace)),
    copyFile: setting.copy,
  });
  return workspace;
}

function contents(folder: string): Buffer[] {
  return fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name)));
}

async function goesOn(sandbox: Sandbox): Promise<void> {
  for (let number = 20; number < 24; number++) await register(await sandbox.open().store(), `T${String(number)}`);
  const workspace = sandbox.open();
  const { state, problem } = workspace.standing();
  assert.ok(state, problem?.message);
  assert.deepEqual(state.refusals, []);
  const folder = path.dirname(sandbox.journal);
  const files = fs.readdirSync(folder).filter((name) => /^\d{8}-\d+\.jsonl$/.test(name));
  assert.deepEqual(
    files.map((name) => Number(name.slice(9, -6))),
    state.seals,
  );
}

describe('a journal of several files', () => {
  let before: number | null;
  beforeEach(() => {
    before = setSegments(700);
  });
  afterEach(() => {
    setSegments(before);
    removeSandboxes();
  });

  for (const [name, id] of [
    ['in its second file', 'T2'],
    ['in one in the middle', 'T4'],
    ['in the one before the last', 'T8'],
  ] as const)
    it(`damaged ${name} continues after the damage once a human signs for that`, async () => {
      const setting = await used();
      const { sandbox } = setting;
      const at = lineOf(sandbox, id);
      flip(sandbox, at + 150);
      const other = sandbox.open();
      // A gate answers from the saved state, which the damage did not reach; whoever opens the journal sees it.
      assert.ok(diagnose(other, setting.copy));
      await take(setting, 'setAside');
      for (const workspace of [other, sandbox.open()]) {
        assert.equal(workspace.standing().problem, null);
        assert.equal(askGate(workspace, { work: id }).verdict, 'deny', 'the id is unknown again');
        assert.equal(askGate(workspace, { work: 'T9' }).state, 'CLEAR');
        assert.equal(askGate(workspace, { work: 'T0' }).verdict, 'deny');
      }
      await goesOn(sandbox);
    });

  it('damaged in a seal cannot be passed, because the next file follows; the copy can be restored', async () => {
    const setting = await used();
    const { sandbox } = setting;
    const sealed = linesOf(sandbox).find(({ records }) => records.some(({ kind }) => kind === 'segment.sealed'));
    flip(sandbox, (sealed?.end ?? 0) - 20);
    const damaged = contents(path.dirname(sandbox.journal));
    const { damage, copy } = diagnosed(setting, sandbox.open());
    assert.match('why' in damage ? damage.why : '', /include the end of a journal file/);
    assert.ok('acts' in copy);
    const live = sandbox.open();
    live.standing();
    await assert.rejects(take(setting, 'setAside'), /include the end of a journal file/);
    const workspace = await take(setting, 'restore');
    assert.equal(askGate(workspace, { work: 'T0' }).state, 'BLOCKED');
    assert.equal(askGate(live, { work: 'T0' }).state, 'BLOCKED');
    assert.equal(askGate(workspace, { work: 'T8' }).state, 'CLEAR');
    assert.equal(askGate(workspace, { work: 'T9' }).verdict, 'deny', 'the copy had not seen it');
    const now = contents(path.dirname(sandbox.journal));
    for (const file of damaged)
      assert.ok(
        now.some((other) => other.equals(file)),
        'nothing is deleted',
      );
    assert.ok(linesOf(sandbox).some(({ records }) => records.some(({ kind }) => kind === 'journal.restored')));
    await goesOn(sandbox);
  });

  it('that lost a file can be started over, without remains of the old one', async () => {
    const setting = await used();
    const { sandbox } = setting;
    const [, second] = filesByHand(sandbox.journal);
    fs.rmSync(second?.file ?? '');
    const workspace = await take(setting, 'startAnew');
    assert.equal(workspace.standing().problem, null);
    assert.equal(filesByHand(sandbox.journal).length, 1);
    const names = fs.readdirSync(path.dirname(sandbox.journal)).filter((name) => name.endsWith('.jsonl'));
    assert.deepEqual(names, ['00000001.jsonl']);
    await goesOn(sandbox);
  });

  it('whose seal is damaged before its next file exists: continued by a human there, no program uses the seal', async () => {
    setSegments(null);
    const setting = await used();
    const { sandbox } = setting;
    const live = sandbox.open();
    const store = await live.store();
    writeByHand(sandbox.journal, [{ kind: 'segment.sealed', v: 1 }]);
    assert.equal(askGate(live, { work: 'T9' }).state, 'CLEAR');
    const { size } = fs.statSync(sandbox.journal);
    const bytes = fs.readFileSync(sandbox.journal);
    bytes[size - 20]! ^= 1;
    fs.writeFileSync(sandbox.journal, bytes);
    const saved = fs.readFileSync(live.stateFile.path);
    await assert.rejects(async () => {
      await register(store, 'T10');
    }, StoreError);
    assert.equal(askGate(live, { work: 'T9' }).state, 'UNKNOWN');
    // It informed the others; otherwise a human could continue, and it still would not.
    fs.writeFileSync(live.stateFile.path, saved);
    const mended = await take(setting, 'setAside');
    await register(await mended.store(), 'T11');
    for (const workspace of [mended, sandbox.open()]) {
      assert.equal(askGate(workspace, { work: 'T11' }).state, 'CLEAR');
      assert.equal(askGate(workspace, { work: 'T0' }).state, 'BLOCKED');
    }
    assert.equal(askGate(live, { work: 'T11' }).state, 'CLEAR', 'after reopening, it reads what the others read');
    assert.equal(filesByHand(sandbox.journal).length, 1);
  });

  it('is copied file by file, skipping unchanged files', async () => {
    const { sandbox, copy } = await used();
    let written: string[] = [];
    const noting: FileSystem = {
      ...realFs,
      renameSync: (from, to) => {
        written.push(path.basename(String(to)));
        fs.renameSync(from, to);
      },
    };
    const workspace = sandbox.open({ fs: noting });
    const store = await workspace.store();
    updateCopy(workspace, copy);
    const files = filesByHand(sandbox.journal);
    assert.deepEqual(
      fs.readdirSync(path.dirname(copy)).sort(),
      files.map(({ file }, index) => (index === 0 ? 'copy.jsonl' : `copy.${path.basename(file)}`)).sort(),
    );
    written = [];
    updateCopy(workspace, copy);
    assert.equal(written.length, 0);
    for (const id of ['T10', 'T11', 'T12']) await register(store, id);
    written = [];
    updateCopy(workspace, copy);
    assert.ok(written.length > 0 && !written.includes('copy.jsonl'), written.join());
    assert.deepEqual(journalByHand(copyAsJournal(copy)), journalByHand(sandbox.journal));

    function copyAsJournal(first: string): string {
      const folder = sandbox.at('looked-at');
      fs.mkdirSync(folder);
      for (const name of fs.readdirSync(path.dirname(first)))
        fs.copyFileSync(
          path.join(path.dirname(first), name),
          path.join(folder, name === 'copy.jsonl' ? '00000001.jsonl' : name.replace('copy.', '')),
        );
      return path.join(folder, '00000001.jsonl');
    }
  });

  it('is copied again if the copy lost a file, and the old copy is kept', async () => {
    const { sandbox, copy } = await used();
    const workspace = sandbox.open();
    const [, second] = fs.readdirSync(path.dirname(copy)).sort();
    fs.rmSync(path.join(path.dirname(copy), second ?? ''));
    updateCopy(workspace, copy);
    const names = fs.readdirSync(path.dirname(copy));
    assert.ok(names.some((name) => name.includes('.aside-')));
    assert.equal(names.filter((name) => name.endsWith('.jsonl')).length, filesByHand(sandbox.journal).length);
  });
});
