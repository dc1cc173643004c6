/** A saved state that another program wrote, together with the record of its hash. */
import assert from 'node:assert/strict';
import { auditBytes, faultsOf } from '../../../src/app/audit/audit.ts';
import {
  journalBytes,
  isCurrentForged,
  checkSavedState,
  discardSavedState,
} from '../../../src/app/audit/savedState.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { needsVouching, vouchFor } from '../../../src/app/recovery/editorKeeps.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { loadState } from '../../../src/store/saved/snapshot.ts';
import { createTrust, isVouchedFor } from '../../../src/trust/envelope.ts';
import { filesOf, writeManagedRing } from '../../support/store/managed.ts';
import { agent, makeHuman } from '../../support/store/people.ts';
import { forge, forgeForGates, removeSaved, savedBy } from '../../support/store/savedState.ts';
import { removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const verdict = (sandbox: Sandbox) => askGate(sandbox.open(), { files: ['src/auth/login.ts'] }).verdict;

function faults(sandbox: Sandbox): string[] {
  const workspace = sandbox.open();
  return faultsOf(workspace, auditBytes(journalBytes(workspace), workspace.pins()).walk);
}

/** As `savedBy` leaves it. */
const saved = async () => (await savedBy()).sandbox;

describe('a saved state', () => {
  afterEach(removeSandboxes);

  it('that programs wrote passes the audit, also with acts after it', async () => {
    const sandbox = await saved();
    assert.deepEqual(faults(sandbox), []);
    await registerWork(await sandbox.open().store(), agent(), { id: 'T2', workKind: 'task', title: 'More' });
    assert.deepEqual(faults(sandbox), []);
  });

  it('that was forged differs from the journal, and is not used once it is discarded', async () => {
    const sandbox = await saved();
    const genuine = checkSavedState(sandbox.open());
    assert.equal(genuine?.differs, null);
    forge(sandbox.open());
    const workspace = sandbox.open();
    assert.equal(askGate(workspace, { files: ['src/auth/login.ts'] }).verdict, 'allow');
    const found = checkSavedState(workspace);
    assert.equal(found?.differs, 'questions');
    assert.notEqual(found.saved.stateHash, genuine.saved.stateHash);
    discardSavedState(workspace);
    assert.equal(askGate(workspace, { files: ['src/auth/login.ts'] }).verdict, 'deny', 'in this program');
    assert.equal(verdict(sandbox), 'deny', 'in the next');
    assert.equal(checkSavedState(sandbox.open()), null);
  });

  it('whose questions are genuine, but not what gates read of them, differs too', async () => {
    const sandbox = await saved();
    const inParts = () => askGate(sandbox.open(), { files: ['src/auth/login.ts'] }).verdict;
    assert.equal(inParts(), 'deny');
    forgeForGates(sandbox.open());
    sandbox.close();
    assert.equal(inParts(), 'allow', 'the gate cannot know');
    assert.ok(sandbox.open().standing().state?.holders.has('Q-2'));
    assert.equal(checkSavedState(sandbox.open())?.differs, null);
    assert.ok(isCurrentForged(sandbox.open()));
    assert.match(faults(sandbox).join(), /state\.json\) is not what the journal says \(what gates read of it\)/);
    discardSavedState(sandbox.open());
    assert.equal(inParts(), 'deny');
  });

  it('that is recorded and missing is not compared, so it is compared once it is there', async () => {
    const sandbox = await saved();
    removeSaved(sandbox);
    assert.equal(checkSavedState(sandbox.open()), null);
  });

  it('that was forged does not pass the audit, and is not used once it is deleted', async () => {
    const sandbox = await saved();
    assert.equal(verdict(sandbox), 'deny');
    forge(sandbox.open());
    assert.equal(verdict(sandbox), 'allow', 'the gate cannot know');
    assert.match(faults(sandbox).join(), /The saved state .* is not what the journal says \(questions\)/);
    removeSaved(sandbox);
    assert.equal(verdict(sandbox), 'deny');
    assert.deepEqual(faults(sandbox), []);
  });

  describe('where an administrator manages the keys', () => {
    async function managed() {
      const { sandbox, human } = await savedBy();
      const managedFolder = writeManagedRing(sandbox, [human.pin]).folder;
      const open = () => sandbox.open({ managedFolder, fs: filesOf() });
      return { sandbox, human, open };
    }

    /** The name of the saved state that a gate starts from; null: it reads the journal. */
    function startsFrom({ options: { fs }, location, stateFile, pins }: Workspace): string | null {
      const trust = createTrust(pins, (place) => isVouchedFor(place, pins()));
      return loadState({ fs, root: location.root, stateFile, trust })?.entry.name ?? null;
    }

    const newest = ({ stateFile }: Workspace) => stateFile.read()!.snapshot!;

    it('hides no hold when it was forged', async () => {
      const { open } = await managed();
      forge(open());
      assert.equal(askGate(open(), { files: ['src/auth/login.ts'] }).verdict, 'deny');
      const store = await open().store();
      assert.ok(store.read().state.holders.has('Q-2'), 'the database does not come from it either');
    });

    it('is used once an editor has signed it, and not otherwise', async () => {
      const { human, open } = await managed();
      const workspace = open();
      assert.equal(startsFrom(workspace), null);
      assert.ok(needsVouching(workspace));
      const found = checkSavedState(workspace);
      vouchFor(workspace, found!.saved, human);
      assert.equal(needsVouching(workspace), false);
      assert.equal(startsFrom(workspace), newest(workspace).name);
      for (const other of [{ position: 1 }, { headAt: 1 }, { head: 'a'.repeat(64) }, { keys: 'b'.repeat(64) }])
        assert.equal(isVouchedFor({ ...workspace.stateFile.read()!.vouched!, ...other }, workspace.pins()), false);
      assert.equal(isVouchedFor(newest(workspace), workspace.pins()), false, 'without a signature');
      vouchFor(workspace, found!.saved, makeHuman('Eve'));
      assert.equal(startsFrom(workspace), null, 'by a key that does not count');
      vouchFor(workspace, found!.saved, human);
      const retired = { at: '2026-03-02T00:00:00.000Z', why: 'lost', upTo: {} } as const;
      const given = workspace.stateFile.read()!.vouched!;
      assert.equal(isVouchedFor(given, [{ ...human.pin, retired }]), false, 'by a key that was given up');
    });

    it('stays in use until a newer one is signed', async () => {
      const { human, open } = await managed();
      const workspace = open();
      vouchFor(workspace, checkSavedState(workspace)!.saved, human);
      const { name } = newest(workspace);
      const store = await workspace.store();
      await registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'More' });
      store.save();
      assert.notEqual(newest(workspace).name, name);
      assert.equal(startsFrom(workspace), name);
      assert.ok(open().standing().state?.work.has('T2'), 'what came after it is read from the journal');
      vouchFor(workspace, checkSavedState(workspace)!.saved, human);
      assert.equal(startsFrom(workspace), newest(workspace).name);
    });
  });
});
