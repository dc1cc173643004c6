/** Sharing a real store, and the user-level file that says where a workspace is shared. */
import { besideStateFile, knownStores } from '../../../src/store/journal/stateFile.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { auditBytes } from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import { requireDecided } from '../../../src/app/decision/decisions.ts';
import { shownSharingHash } from '../../../src/app/team/decisions.ts';
import {
  readSharedFile,
  removeSharedFiles,
  writeSharedFile,
  type SharedFile,
} from '../../../src/app/workspace/sharedFile.ts';
import { signedBy, enrolledHuman, makeHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, type Sandbox } from '../../support/store/sandbox.ts';

const content: SharedFile = {
  v: 1,
  workspace: randomUUID(),
  name: 'payments',
  roots: [makeHuman().pin.publicKey],
  joinedAt: '2026-03-02T12:00:00.000Z',
};

const sharedAs = (root: string) => ({ kind: 'store.shared' as const, v: 1 as const, name: 'payments', roots: [root] });
const unshared = { kind: 'store.unshared', v: 1 } as const;

describe('sharing a store', () => {
  let box: Sandbox;
  beforeEach(() => {
    box = makeSandbox();
  });
  afterEach(() => {
    box.remove();
  });

  it('is a signed act, which the next program finds in the saved state as well', async () => {
    const workspace = box.open();
    const ada = enrolledHuman(workspace);
    const store = await workspace.store();
    const signing = signedBy(store, ada);
    const shown = shownSharingHash(store.read().state);
    await requireDecided(signing, sharedAs(ada.pin.publicKey), shown);
    const shared = { name: 'payments', roots: [ada.pin.publicKey], at: workspace.now(), by: 'Ada' };
    assert.deepEqual(store.read().state.shared, shared);
    store.save();
    box.close();
    const next = box.open();
    assert.deepEqual((await next.store()).read().state.shared, shared);
    assert.equal(next.standing().problem?.code, 'disconnected', 'this user has not joined it');
  });

  it('refuses what was not shown, and a second time', async () => {
    const workspace = box.open();
    const ada = enrolledHuman(workspace);
    const store = await workspace.store();
    const signing = signedBy(store, ada);
    const shown = shownSharingHash(store.read().state);
    const as = sharedAs(ada.pin.publicKey);
    await assert.rejects(requireDecided(signing, unshared, shown), { code: 'conflict' });
    await assert.rejects(requireDecided(signing, { ...as, name: 'Not a name' }, shown), { code: 'bad_input' });
    await requireDecided(signing, as, shown);
    await assert.rejects(requireDecided(signing, as, shown), { code: 'conflict' });
    await assert.rejects(requireDecided(signing, as, shownSharingHash(store.read().state)), { code: 'conflict' });
    await requireDecided(signing, unshared, shownSharingHash(store.read().state));
    assert.equal(store.read().state.shared, null);
    const { entries } = auditBytes(journalBytes(workspace), [ada.pin]);
    const told = entries.filter(({ kind }) => kind.startsWith('store.'));
    assert.deepEqual(
      told.map(({ kind, mark, subject, who, said }) => [kind, mark, subject, who, said]),
      [
        ['store.shared', 'verified', 'journal', 'Ada', 'payments'],
        ['store.unshared', 'verified', 'journal', 'Ada', null],
      ],
    );
  });
});

describe('the file that says where a workspace is shared', () => {
  let box: Sandbox;
  let files: { fs: typeof realFs; stateFile: string; newId: () => string };
  beforeEach(() => {
    box = makeSandbox();
    files = { fs: realFs, stateFile: box.open().stateFile.path, newId: randomUUID };
  });
  afterEach(() => {
    box.remove();
  });

  it('is kept beside the state file, for this user only, and is not taken for one', () => {
    assert.equal(readSharedFile(realFs, files.stateFile), null);
    writeSharedFile(files, content);
    assert.deepEqual(readSharedFile(realFs, files.stateFile), content);
    const file = besideStateFile(files.stateFile, 'shared');
    assert.equal(path.dirname(file), path.dirname(files.stateFile));
    assert.equal(fs.statSync(file).mode & 0o077, 0);
    assert.deepEqual(knownStores(realFs, box.userFolder), { anchors: [], unreadable: [] });
    removeSharedFiles(files);
    assert.equal(readSharedFile(realFs, files.stateFile), null);
  });

  it('is never half right: what cannot be read is an error, not a workspace of this machine alone', () => {
    const wrong: object[] = [
      { ...content, v: 2 },
      { ...content, roots: [] },
      { ...content, roots: ['MCow'] },
      { ...content, url: 'postgresql://ada:secret@db' },
      { ...content, name: 'Payments' },
    ];
    writeSharedFile(files, content);
    const file = besideStateFile(files.stateFile, 'shared');
    for (const text of [...wrong.map((one) => JSON.stringify(one)), '', '{', 'null']) {
      fs.writeFileSync(file, text);
      assert.throws(() => readSharedFile(realFs, files.stateFile), /cannot be read: join the team again/, text);
    }
    for (const one of wrong)
      assert.throws(() => {
        writeSharedFile(files, one as SharedFile);
      });
    fs.rmSync(file);
    fs.mkdirSync(file);
    assert.throws(() => readSharedFile(realFs, files.stateFile), /cannot be read/);
  });
});
