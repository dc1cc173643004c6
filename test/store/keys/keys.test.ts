/** Keys are replaced, lost, trusted and removed, on the real store and its key ring. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { auditBytes } from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import { shownHash, signRecord, type Unsigned, type Signer } from '../../../src/app/decision/decisions.ts';
import { enrolKey, retireKeys } from '../../../src/app/keys/enrolment.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { readPastedKey, replaceLost, rotate, takeOut, trustKey, type KeyScope } from '../../../src/app/keys/acts.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { updateCopy } from '../../support/store/updateCopy.ts';
import { diagnose, recover, shownDiagnosis } from '../../../src/app/recovery/recovery.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { journalPath } from '../../../src/store/journal/files.ts';
import { formatKeyring, parseKeyring } from '../../../src/trust/keyring.ts';
import { formatPublicKey } from '../../../src/trust/publicKeys.ts';
import { readByHand, writeByHand } from '../../support/store/handwriting.ts';
import { agent, decide, enrolledHuman, makeHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const question = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;
const shown = '0'.repeat(64);
const scope = (...workspaces: [Workspace, ...Workspace[]]): KeyScope => ({ workspaces, shown });

interface Scene {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly ada: Human;
}

/** Q-1 on T1, decided by Ada, and the pending Q-2 on T2. */
async function scene(): Promise<Scene> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const store = await workspace.store();
  for (const id of ['T1', 'T2']) {
    await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
    await raiseQuestion(store, agent(), { ...question, text: `What of ${id}?`, work: id });
  }
  const ada = enrolledHuman(workspace);
  await decide(workspace, ada, 'Q-1');
  (await workspace.store()).anchor();
  return { sandbox, workspace, ada };
}

const verdicts = (workspace: Workspace) => ['T1', 'T2'].map((work) => askGate(workspace, { work }).verdict);
const marks = (workspace: Workspace) =>
  auditBytes(journalBytes(workspace), workspace.pins()).entries.filter(({ mark }) => mark !== 'unsigned');

/** Writes an act to the journal as the holder of a key can: correctly bound and signed. */
async function writeSigned(
  workspace: Workspace,
  signer: Signer,
  record: Unsigned,
  changes: object = {},
): Promise<void> {
  const journal = journalPath(workspace.location.root);
  const { workspaceId } = await workspace.store();
  const bytes = fs.readFileSync(journal);
  const place = { workspaceId, position: { position: bytes.length - 1, head: readByHand(bytes).head } };
  const state = (await workspace.store()).read().state;
  const asked = 'id' in record ? state.questions.get(record.id) : undefined;
  const binding = { shown: asked ? shownHash(state, asked) : shown, nonce: randomUUID(), at: workspace.now() };
  const signed = signRecord({ ...place, position: { ...place.position, ...changes } }, signer, record, binding);
  writeByHand(journal, [signed]);
}

const release: Unsigned = { kind: 'question.released', v: 1, id: 'Q-2', note: 'Go on.' };

describe('keys', () => {
  afterEach(removeSandboxes);

  describe('replaced by new ones', () => {
    async function rotated() {
      const made = await scene();
      const next = makeHuman('Ada');
      const pin = enrolKey(made.workspace, next.publicKey, 'Ada');
      await rotate(scope(made.workspace), made.ada, pin);
      return { ...made, next };
    }

    it('do not change old decisions in any program', async () => {
      const { sandbox, workspace } = await rotated();
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
      assert.deepEqual(verdicts(sandbox.open()), ['allow', 'deny']);
      assert.deepEqual(
        marks(workspace).map(({ kind, mark, subject }) => [kind, mark, subject]),
        [
          ['question.answered', 'verified', 'Q-1'],
          ['key.rotated', 'verified', 'keys'],
        ],
      );
      assert.match(marks(workspace)[1]?.said ?? '', /^Ada [0-9a-f]{16}$/);
    });

    it('cannot sign any more', async () => {
      const { sandbox, workspace, ada } = await rotated();
      await writeSigned(workspace, ada, release);
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
      assert.deepEqual(verdicts(sandbox.open()), ['allow', 'deny']);
      assert.equal(marks(workspace).at(-1)?.mark, 'forged');
      assert.match(marks(workspace).at(-1)?.why ?? '', /given up/);
    });

    it('cannot sign any more, whatever position they claim', async () => {
      const { workspace, ada } = await rotated();
      await writeSigned(workspace, ada, release, { position: 1 });
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
    });

    it('cannot sign even if an earlier key ring is restored', async () => {
      const { sandbox, workspace, ada, next } = await rotated();
      const ring = path.join(sandbox.userFolder, 'keys.json');
      fs.writeFileSync(ring, formatKeyring([ada.pin, next.pin]));
      await writeSigned(workspace, ada, release);
      assert.deepEqual(verdicts(sandbox.open()), ['allow', 'deny'], 'the journal says so too');
    });

    it('cannot sign in a workspace that was closed then, nor in a later one', async () => {
      const { sandbox, ada } = await rotated();
      for (const name of ['other', 'later']) {
        const folder = sandbox.at(name);
        fs.mkdirSync(folder);
        const workspace = sandbox.open({ folder });
        const store = await workspace.store();
        await registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'Title of T2' });
        await raiseQuestion(store, agent(), { ...question, text: 'What of T1?', work: 'T2' });
        await raiseQuestion(store, agent(), { ...question, text: 'What of T2?', work: 'T2' });
        await writeSigned(workspace, ada, release);
        assert.equal(workspace.standing().state?.questions.get('Q-2')?.resolution, null);
      }
    });

    it('keep their earlier decisions in a workspace that was closed', async () => {
      const sandbox = makeSandbox();
      const elsewhere = sandbox.at('elsewhere');
      fs.mkdirSync(elsewhere);
      const other = sandbox.open({ folder: elsewhere });
      const ada = enrolledHuman(other);
      const store = await other.store();
      await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Title' });
      await raiseQuestion(store, agent(), { ...question, text: 'What?', work: 'T1' });
      await decide(other, ada, 'Q-1');
      (await other.store()).anchor();
      other.close();
      const workspace = sandbox.open();
      await registerWork(await workspace.store(), agent(), { id: 'T9', workKind: 'task', title: 'Title' });
      const next = makeHuman('Ada');
      await rotate(scope(workspace), ada, enrolKey(workspace, next.publicKey, 'Ada'));
      const again = sandbox.open({ folder: elsewhere });
      assert.equal(askGate(again, { work: 'T1' }).verdict, 'allow');
      await raiseQuestion(await again.store(), agent(), { ...question, text: 'And then?', work: 'T1' });
      await writeSigned(again, ada, release);
      assert.equal(askGate(again, { work: 'T1' }).verdict, 'deny');
    });

    it('are noticed by a running program', async () => {
      const { sandbox, workspace, ada } = await scene();
      const running = sandbox.open();
      assert.deepEqual(verdicts(running), ['allow', 'deny']);
      retireKeys(workspace, [ada.keyid], 'rotated');
      await writeSigned(workspace, ada, release);
      assert.deepEqual(verdicts(running), ['allow', 'deny']);
    });

    it('require their own signature', async () => {
      const { workspace, ada } = await scene();
      const grace = enrolledHuman(workspace, 'Grace');
      const { keyid, publicKey, name } = makeHuman('Eve').pin;
      await writeSigned(workspace, grace, { kind: 'key.rotated', v: 1, from: ada.keyid, keyid, publicKey, name });
      assert.equal(marks(workspace).at(-1)?.mark, 'forged');
      assert.equal(workspace.standing().state?.retiredKeys.size, 0);
    });

    it('cannot sign after the end of a restored, shorter journal', async () => {
      const { sandbox, workspace, ada } = await scene();
      const copy = sandbox.at('copy.jsonl');
      updateCopy(workspace, copy);
      await registerWork(await workspace.store(), agent(), { id: 'T3', workKind: 'task', title: 'x'.repeat(150) });
      (await workspace.store()).anchor();
      const next = makeHuman('Ada');
      await rotate(scope(workspace), ada, enrolKey(workspace, next.publicKey, 'Ada'));
      fs.truncateSync(sandbox.journal, 10);
      workspace.reopen();
      const diagnosis = diagnose(workspace, copy)!;
      await recover(workspace, next, { way: 'restore', shown: shownDiagnosis(diagnosis), copyFile: copy });
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
      await writeSigned(workspace, ada, release);
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
    });
  });

  describe('lost', () => {
    it('keep valid decisions, and the audit and the key ring show the loss', async () => {
      const { sandbox, workspace, ada } = await scene();
      const next = makeHuman('Ada');
      const pin = enrolKey(workspace, next.publicKey, 'Ada');
      await replaceLost(scope(workspace), next, pin, [ada.keyid]);
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
      const entry = marks(workspace).at(-1);
      assert.deepEqual([entry?.kind, entry?.mark], ['key.lost', 'verified']);
      assert.ok(entry?.said?.includes(ada.keyid.slice(0, 16)) && entry.said.includes(next.keyid.slice(0, 16)));
      const ring = parseKeyring(fs.readFileSync(path.join(sandbox.userFolder, 'keys.json'), 'utf8'));
      assert.deepEqual(
        ring.map(({ keyid, retired }) => [keyid, retired?.why]),
        [
          [ada.keyid, 'lost'],
          [next.keyid, undefined],
        ],
      );
      // A thief who finds the key cannot use it.
      await writeSigned(workspace, ada, release);
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
      await decide(workspace, next, 'Q-2');
      assert.deepEqual(verdicts(workspace), ['allow', 'allow']);
    });

    it('never come back', async () => {
      const { workspace, ada } = await scene();
      const next = makeHuman('Ada');
      await replaceLost(scope(workspace), next, enrolKey(workspace, next.publicKey, 'Ada'), [ada.keyid]);
      assert.throws(() => enrolKey(workspace, ada.publicKey, 'Ada'), /cannot be trusted again/);
      await assert.rejects(trustKey(scope(workspace), next, ada.pin, 'Ada'), /cannot be trusted again/);
    });

    it('must be keys that count', async () => {
      const { workspace, ada } = await scene();
      await assert.rejects(replaceLost(scope(workspace), ada, ada.pin, [ada.keyid, 'f'.repeat(64)]), /check again/);
    });
  });

  describe('of teammates', () => {
    it('count once trusted, including earlier decisions; after their removal, later decisions do not', async () => {
      const { sandbox, workspace, ada } = await scene();
      const bob = makeHuman('Bob');
      await writeSigned(workspace, bob, release);
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
      const running = sandbox.open();
      assert.deepEqual(verdicts(running), ['allow', 'deny']);

      const pasted = readPastedKey(formatPublicKey(bob.pin));
      assert.deepEqual([pasted.keyid, pasted.name], [bob.keyid, 'Bob']);
      await trustKey(scope(workspace), ada, pasted, 'Bob from upstairs');
      for (const one of [workspace, running, sandbox.open()]) assert.deepEqual(verdicts(one), ['allow', 'allow']);
      assert.equal(workspace.pins().find(({ keyid }) => keyid === bob.keyid)?.name, 'Bob from upstairs');

      await takeOut(scope(workspace), ada, bob.keyid, false);
      for (const one of [workspace, running, sandbox.open()]) assert.deepEqual(verdicts(one), ['allow', 'allow']);
      await raiseQuestion(await workspace.store(), agent(), { ...question, text: 'And now?', work: 'T2' });
      await writeSigned(workspace, bob, { ...release, id: 'Q-3' });
      for (const one of [workspace, running, sandbox.open()]) assert.deepEqual(verdicts(one), ['allow', 'deny']);
      assert.deepEqual(
        marks(workspace).map(({ kind, mark }) => `${kind} ${mark}`),
        [
          'question.answered verified',
          'question.released verified',
          'key.trusted verified',
          'key.retired verified',
          'question.released forged',
        ],
      );
    });

    it('that no form added are removed completely: everything they released is held again', async () => {
      const { sandbox, workspace, ada } = await scene();
      const mallory = makeHuman('Mallory');
      const ring = path.join(sandbox.userFolder, 'keys.json');
      fs.writeFileSync(ring, formatKeyring([ada.pin, mallory.pin]));
      await writeSigned(workspace, mallory, release);
      assert.deepEqual(verdicts(workspace), ['allow', 'allow'], 'docs/security.md says that this is not prevented');
      await takeOut(scope(workspace), ada, mallory.keyid, true);
      for (const one of [workspace, sandbox.open()]) assert.deepEqual(verdicts(one), ['allow', 'deny']);
    });

    it('are not trusted by a mere record', async () => {
      const { workspace, ada } = await scene();
      const eve = makeHuman('Eve');
      const { keyid, publicKey, name } = eve.pin;
      await writeSigned(workspace, ada, { kind: 'key.trusted', v: 1, keyid, publicKey, name });
      await writeSigned(workspace, eve, release);
      assert.deepEqual(verdicts(workspace), ['allow', 'deny']);
    });

    it('cannot sign their own removal', async () => {
      const { workspace, ada } = await scene();
      await assert.rejects(takeOut(scope(workspace), ada, ada.keyid, false), /cannot be removed/);
    });

    it('are rejected if the text is not a key', () => {
      for (const text of ['', 'hello', 'MCow', '{"v":1}', formatPublicKey(makeHuman().pin).slice(0, 30)])
        assert.throws(() => readPastedKey(text), /not a public key/, text);
      const two = [makeHuman(), makeHuman()].map(({ pin }) => formatPublicKey(pin)).join('\n');
      assert.throws(() => readPastedKey(two), /one key at a time/);
    });
  });

  it('invalidate a saved state that was made under other keys', async () => {
    const { sandbox, workspace, ada } = await scene();
    const bob = makeHuman('Bob');
    await writeSigned(workspace, bob, release);
    const store = await workspace.store();
    store.read();
    store.save();
    workspace.close();
    fs.writeFileSync(path.join(sandbox.userFolder, 'keys.json'), formatKeyring([ada.pin, bob.pin]));
    assert.deepEqual(verdicts(sandbox.open()), ['allow', 'allow']);
    fs.writeFileSync(path.join(sandbox.userFolder, 'keys.json'), formatKeyring([bob.pin]));
    assert.deepEqual(verdicts(sandbox.open()), ['deny', 'allow']);
  });
});
