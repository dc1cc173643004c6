import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { signRecord } from '../../../src/app/decision/decisions.ts';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { openCopy } from '../../../src/app/recovery/editorKeeps.ts';
import { updateCopy } from '../../support/store/updateCopy.ts';
import { diagnose, recover, shownDiagnosis, type Diagnosis, type WayOut } from '../../../src/app/recovery/recovery.ts';
import { recoveryModel } from '../../../src/ui/answer/editorForms.ts';
import type { Folders, OpenFolder } from '../../../src/ui/kit/folders.ts';
import type { SignerStanding } from '../../../src/ui/surface/standing.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Damage } from '../../../src/store/journal/problem.ts';
import { dump } from '../../support/store/dump.ts';
import { encode, readByHand, writeByHand } from '../../support/store/handwriting.ts';
import { agent, decide, makeHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const question = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;

interface Setting {
  readonly sandbox: Sandbox;
  readonly human: Human;
  /** The editor's copy: it lacks the last act, the registration of T3. */
  readonly copy: string;
}

async function used(): Promise<Setting> {
  const { sandbox, workspace, human, store } = await withHuman();
  const copy = sandbox.at('editor', 'copy.jsonl');
  for (const id of ['T1', 'T2']) await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
  await raiseQuestion(store, agent(), { ...question, text: 'Which way?', work: 'T1' });
  await raiseQuestion(store, agent(), { ...question, text: 'And then?', work: 'T2' });
  await decide(workspace, human, 'Q-2');
  updateCopy(workspace, copy);
  await registerWork(store, agent(), { id: 'T3', workKind: 'task', title: 'Title of T3' });
  workspace.close();
  return { sandbox, human, copy };
}

function flip(sandbox: Sandbox, at: number): void {
  const bytes = fs.readFileSync(sandbox.journal);
  bytes[at]! ^= 1;
  fs.writeFileSync(sandbox.journal, bytes);
  // Gates answer from the saved state as long as it is of the journal's end; without one, they read the journal.
  fs.rmSync(sandbox.at('ws', '.holdpoint', 'state.json'), { force: true });
}

const linesOf = (file: string) => readByHand(fs.readFileSync(file)).lines;

function diagnosed(workspace: Workspace, copy: string | null): Diagnosis {
  const diagnosis = diagnose(workspace, copy);
  assert.ok(diagnosis);
  return diagnosis;
}

/** Recovers the store as the form does. */
async function take(workspace: Workspace, { human, copy }: Setting, way: WayOut): Promise<void> {
  await recover(workspace, human, { way, shown: shownDiagnosis(diagnosed(workspace, copy)), copyFile: copy });
}

/** Asserts that a new program finds the store sound, with this signed act. */
async function assertAudited(sandbox: Sandbox, human: Human, action: string): Promise<Workspace> {
  const workspace = sandbox.open();
  const store = await workspace.store();
  assert.equal(store.problem, null);
  const acts = store.read().rows.all(`SELECT action, decided_by, keyid FROM decisions WHERE subject = 'journal'`);
  assert.deepEqual(acts, [{ action, decided_by: 'Ada', keyid: human.keyid }]);
  const replayed = readByHand(fs.readFileSync(sandbox.journal));
  assert.ok(replayed.lines.length > 0);
  return workspace;
}

/** Asserts that every file of the store still exists, perhaps under another name. */
function assertKept(sandbox: Sandbox, before: Buffer): void {
  const folder = path.dirname(sandbox.journal);
  const contents = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name)));
  assert.ok(
    contents.some((bytes) => bytes.subarray(0, before.length).equals(before)),
    'nothing is deleted',
  );
}

describe('recovery of a damaged store', () => {
  afterEach(removeSandboxes);

  it('is not offered while the store is sound', async () => {
    const { sandbox, human, copy } = await used();
    const workspace = sandbox.open();
    assert.equal(diagnose(workspace, copy), null);
    await assert.rejects(
      recover(workspace, human, { way: 'startAnew', shown: '', copyFile: copy }),
      (error: unknown) =>
        error instanceof AppError && error.code === 'conflict' && error.message.includes('is intact again'),
    );
    assert.equal(workspace.standing().problem, null);
  });

  describe('restore', () => {
    it('restores the copy, keeps the old files, and reports the losses', async () => {
      const setting = await used();
      const { sandbox, human, copy } = setting;
      flip(sandbox, linesOf(sandbox.journal)[2]!.at + 200);
      const damaged = fs.readFileSync(sandbox.journal);
      const other = sandbox.open();
      assert.equal(askGate(other, { work: 'T2' }).state, 'UNKNOWN');
      const workspace = sandbox.open();
      const diagnosis = diagnosed(workspace, copy);
      assert.deepEqual(diagnosis.copy, { lastAct: '2026-03-02T09:00:00.000Z', acts: 6 });
      await take(workspace, setting, 'restore');
      assertKept(sandbox, damaged);
      assert.equal(askGate(workspace, { work: 'T1' }).state, 'BLOCKED');
      assert.equal(askGate(workspace, { work: 'T2' }).state, 'CLEAR');
      assert.deepEqual(
        askGate(workspace, { work: 'T3' }).reasons.map(({ code }) => code),
        ['unknown_work'],
      );
      assert.equal(askGate(other, { work: 'T2' }).state, 'CLEAR', 'another window sees the recovery');
      await assertAudited(sandbox, human, 'journal.restored');
      await registerWork(await other.store(), agent(), { id: 'T3', workKind: 'task', title: 'Again' });
      other.close();
      assert.equal(askGate(sandbox.open(), { work: 'T3' }).state, 'CLEAR');
    });

    it('remains in effect although a program that saw more closes later', async () => {
      const setting = await used();
      const { sandbox, human, copy } = setting;
      const late = sandbox.open();
      await late.store();
      flip(sandbox, linesOf(sandbox.journal)[2]!.at + 200);
      await take(sandbox.open(), setting, 'restore');
      late.close();
      await assertAudited(sandbox, human, 'journal.restored');
      assert.equal(diagnose(sandbox.open(), copy), null);
    });

    const removed =
      (...parts: string[]) =>
      ({ at }: Sandbox) => {
        fs.rmSync(at('ws', '.holdpoint', ...parts), { recursive: true });
      };
    const cut =
      (length: number) =>
      ({ journal }: Sandbox) => {
        fs.truncateSync(journal, length);
      };
    for (const [name, spoil] of [
      ['missing', removed('journal', '00000001.jsonl')],
      ['removed with its folder', removed()],
      ['emptied', cut(0)],
      ['cut', cut(500)],
    ] as const)
      it(`works for a journal that is ${name}`, async () => {
        const setting = await used();
        const original = fs.readFileSync(setting.copy);
        spoil(setting.sandbox);
        const workspace = setting.sandbox.open();
        await take(workspace, setting, 'restore');
        await assertAudited(setting.sandbox, setting.human, 'journal.restored');
        assert.ok(fs.readFileSync(setting.sandbox.journal).subarray(0, original.length).equals(original));
        assert.equal(askGate(setting.sandbox.open(), { work: 'T1' }).state, 'BLOCKED');
      });

    function closed(name: string, spoil: (setting: Setting) => string | null, why: RegExp): void {
      it(`is unavailable without ${name}`, async () => {
        const setting = await used();
        flip(setting.sandbox, 400);
        const copy = spoil(setting);
        const workspace = setting.sandbox.open();
        const diagnosis = diagnosed(workspace, copy);
        assert.match('why' in diagnosis.copy ? diagnosis.copy.why : 'open', why);
        const before = fs.readFileSync(setting.sandbox.journal);
        await assert.rejects(
          recover(workspace, setting.human, { way: 'restore', shown: shownDiagnosis(diagnosis), copyFile: copy }),
          { name: 'AppError', code: 'bad_input' },
        );
        assert.deepEqual(fs.readFileSync(setting.sandbox.journal), before);
        assert.equal(askGate(workspace, { work: 'T2' }).state, 'UNKNOWN');
      });
    }

    closed('an editor that keeps one', () => null, /has no copy/);
    closed(
      'a copy',
      ({ copy }) => {
        fs.rmSync(copy);
        return copy;
      },
      /has no copy/,
    );
    closed(
      'a sound copy',
      ({ copy }) => {
        fs.writeFileSync(copy, fs.readFileSync(copy, 'latin1').replace('T1', 'T7'), 'latin1');
        return copy;
      },
      /is damaged too/,
    );
    closed(
      'anything in the copy',
      ({ copy }) => {
        fs.writeFileSync(copy, '');
        return copy;
      },
      /is damaged too/,
    );
  });

  describe('set aside', () => {
    async function passes(setting: Setting, workspace = setting.sandbox.open()): Promise<Workspace> {
      const before = fs.readFileSync(setting.sandbox.journal);
      await take(workspace, setting, 'setAside');
      assertKept(setting.sandbox, before);
      return workspace;
    }

    it('continues after the damaged line, in every program', async () => {
      const setting = await used();
      const { sandbox, human } = setting;
      const [, , second] = linesOf(sandbox.journal);
      flip(sandbox, second!.at + 200);
      const other = sandbox.open();
      assert.equal(askGate(other, { work: 'T3' }).problem?.code, 'damaged');
      const workspace = await passes(setting);
      for (const program of [workspace, other, sandbox.open()]) {
        assert.equal(askGate(program, { work: 'T1' }).state, 'BLOCKED');
        assert.equal(askGate(program, { work: 'T3' }).state, 'CLEAR');
        assert.deepEqual(
          askGate(program, { work: 'T2' }).reasons.map(({ code }) => code),
          ['unknown_work'],
          'what the line said is given up',
        );
      }
      await assertAudited(sandbox, human, 'journal.lineSetAside');
    });

    it('continues after foreign bytes at the end, with and without a line feed', async () => {
      for (const text of ['hello\n', '\nhello\n', 'hello']) {
        const setting = await used();
        fs.appendFileSync(setting.sandbox.journal, text);
        const workspace = setting.sandbox.open();
        assert.equal(askGate(workspace, { work: 'T3' }).state, 'UNKNOWN', JSON.stringify(text));
        await passes(setting, workspace);
        assert.equal(askGate(workspace, { work: 'T3' }).state, 'CLEAR');
        const store = await workspace.store();
        await registerWork(store, agent(), { id: 'T9', workKind: 'task', title: 'Later' });
        workspace.close();
        await assertAudited(setting.sandbox, setting.human, 'journal.lineSetAside');
      }
    });

    it('takes one act for each damaged stretch', async () => {
      const setting = await used();
      const lines = linesOf(setting.sandbox.journal);
      for (const index of [2, 4]) flip(setting.sandbox, lines[index]!.at + 200);
      const workspace = setting.sandbox.open();
      let rounds = 0;
      while (workspace.standing().problem) {
        assert.ok(++rounds <= 4, 'it terminates');
        await passes(setting, workspace);
      }
      assert.ok(rounds >= 2);
      for (const program of [workspace, setting.sandbox.open()]) {
        assert.equal(program.standing().problem, null);
        assert.equal(askGate(program, { work: 'T3' }).state, 'CLEAR');
        assert.equal(askGate(program, { work: 'T1' }).state, 'BLOCKED');
      }
    });

    it('a journal shorter than its anchor continues from what can be read, and the form lists what is missing', async () => {
      const { sandbox, human } = await used();
      const whole = fs.readFileSync(sandbox.journal);
      const kept = linesOf(sandbox.journal).at(-3)!.end;
      const bytes = whole.subarray(0, kept + 30);
      fs.writeFileSync(sandbox.journal, bytes);
      const workspace = sandbox.open();
      assert.equal(askGate(workspace, { work: 'T1' }).state, 'UNKNOWN');
      const diagnosis = diagnosed(workspace, null);
      const { problem, damage, openQuestions } = diagnosis;
      assert.equal(problem.code, 'shorter');
      assert.ok('from' in damage);
      assert.deepEqual([damage.from, damage.to], [kept, whole.length - 1]);
      assert.deepEqual(openQuestions, ['Q-1', 'Q-2']);
      const folders = { keyOf: () => 'key', all: [] } as unknown as Folders;
      const standing = { kind: 'new', suggestedName: 'Ada' } as unknown as SignerStanding;
      const form = recoveryModel(folders, { workspace } as OpenFolder, { diagnosis, standing, render: 'r' });
      assert.equal(
        form.setAside.type === 'available' && form.setAside.line,
        `Bytes ${String(kept)} to ${String(whole.length - 1)} of the journal are missing. Everything before them is kept (records ${String(linesOf(sandbox.journal).length)}, open questions 2).`,
      );
      const choice = { way: 'setAside', shown: shownDiagnosis(diagnosis), copyFile: null } as const;
      await assert.rejects(recover(workspace, makeHuman('Mallory'), choice));
      assert.equal(askGate(sandbox.open(), { work: 'T2' }).state, 'UNKNOWN', 'only a human goes on');
      await recover(workspace, human, choice);
      assertKept(sandbox, bytes);
      for (const one of [workspace, await assertAudited(sandbox, human, 'journal.lineSetAside')])
        for (const work of ['T1', 'T2']) assert.equal(askGate(one, { work }).state, 'BLOCKED', 'Q-2 is open again');
      await decide(workspace, human, 'Q-2');
      assert.equal(askGate(sandbox.open(), { work: 'T2' }).state, 'CLEAR');
    });

    it('applies only to the same bytes', async () => {
      const setting = await used();
      const { sandbox } = setting;
      const { at, end } = linesOf(sandbox.journal)[2]!;
      flip(sandbox, at + 200);
      await passes(setting);
      flip(sandbox, end - 10);
      assert.equal(askGate(sandbox.open(), { work: 'T3' }).state, 'UNKNOWN');
    });

    describe('cannot be done by agents', () => {
      /** Appends a record that names the damaged stretch correctly. */
      async function forged(name: (setting: Setting, damage: Damage, place: Place) => object): Promise<Setting> {
        const setting = await used();
        const { sandbox } = setting;
        const lines = linesOf(sandbox.journal);
        const { hash: head, end } = lines.at(-1)!;
        flip(sandbox, lines[2]!.at + 200);
        const { damage } = diagnosed(sandbox.open(), null);
        assert.ok('from' in damage);
        const whole = fs.readFileSync(sandbox.journal);
        const workspaceId = sandbox.open().stateFile.read()!.workspace;
        const record = name(setting, damage, { workspaceId, position: { position: end, head } });
        const actor = { kind: 'human', id: 'Ada' };
        const [op, time] = ['00000000-0000-4000-8000-000000000000', '2026-03-02T09:00:00.000Z'];
        fs.appendFileSync(
          sandbox.journal,
          encode({ at: whole.length, prev: head, op, time, actor, records: [record] }),
        );
        return setting;
      }

      type Place = Parameters<typeof signRecord>[0];
      const binding = {
        shown: '0'.repeat(64),
        nonce: '00000000-0000-4000-8000-000000000001',
        at: '2026-03-02T09:00:00.000Z',
      };
      const aside = (damage: Damage) => ({ kind: 'journal.lineSetAside', v: 1, ...damage }) as const;

      function check(name: string, make: Parameters<typeof forged>[0]): void {
        it(`a record ${name} changes nothing`, async () => {
          const { sandbox } = await forged(make);
          assert.equal(askGate(sandbox.open(), { work: 'T3' }).state, 'UNKNOWN');
        });
      }

      check('without a signature', (_, damage) => aside(damage));
      check('signed by an unknown key', (_, damage, place) => signRecord(place, makeHuman(), aside(damage), binding));
      check('signed for another workspace', ({ human }, damage, place) =>
        signRecord({ ...place, workspaceId: '00000000-0000-4000-8000-000000000000' }, human, aside(damage), binding),
      );
      check('signed for another stretch', ({ human }, damage, place) => {
        const other = signRecord(place, human, aside({ ...damage, from: damage.from + 1 }), binding);
        return { ...other, ...aside(damage) };
      });
      check('signed as another act', ({ human }, damage, place) => {
        const { envelope } = signRecord(place, human, { kind: 'journal.restored', v: 1, lost: 0 }, binding);
        return { ...aside(damage), envelope };
      });
      check('of a stretch that ends elsewhere', ({ human }, damage, place) =>
        signRecord(place, human, aside({ ...damage, to: damage.to + 1 }), binding),
      );

      it('but a human’s signature opens the store', async () => {
        const { sandbox } = await forged(({ human }, damage, place) =>
          signRecord(place, human, aside(damage), binding),
        );
        assert.notEqual(askGate(sandbox.open(), { work: 'T3' }).state, 'UNKNOWN');
      });
    });

    it('is unavailable if the first line is damaged', async () => {
      const { sandbox, copy } = await used();
      flip(sandbox, 200);
      const { damage } = diagnosed(sandbox.open(), copy);
      assert.match('why' in damage ? damage.why : 'open', /in the very first line/);
    });
  });

  describe('start over', () => {
    it('creates a new workspace, keeps the old journal, and invalidates old signatures', async () => {
      const setting = await used();
      const { sandbox, human } = setting;
      const before = fs.readFileSync(sandbox.journal);
      const answer = linesOf(sandbox.journal).find(({ records }) =>
        records.some(({ kind }) => kind === 'question.answered'),
      );
      flip(sandbox, 200);
      const damaged = fs.readFileSync(sandbox.journal);
      const other = sandbox.open();
      assert.equal(askGate(other, {}).state, 'UNKNOWN');
      const workspace = sandbox.open();
      await take(workspace, setting, 'startAnew');
      assertKept(sandbox, damaged);
      for (const program of [workspace, other, sandbox.open()]) {
        assert.deepEqual(
          askGate(program, { work: 'T1' }).reasons.map(({ code }) => code),
          ['unknown_work'],
        );
        assert.equal(program.standing().state?.questions.size, 0);
      }
      await assertAudited(sandbox, human, 'journal.startedAnew');
      const store = await workspace.store();
      for (const work of ['T1', 'T2']) {
        await registerWork(store, agent(), { id: work, workKind: 'task', title: work });
        await raiseQuestion(store, agent(), { ...question, text: work === 'T1' ? 'Which way?' : 'And then?', work });
      }
      writeByHand(sandbox.journal, answer!.records, { actor: answer!.actor });
      assert.equal(askGate(sandbox.open(), { work: 'T2' }).state, 'BLOCKED');
      assert.deepEqual(
        store.read().state.refusals.map(({ why }) => why),
        ['its signature was given for another workspace'],
      );
      assert.ok(before.length > 0);
    });

    it('works if all files are lost', async () => {
      const setting = await used();
      fs.rmSync(setting.sandbox.at('ws', '.holdpoint'), { recursive: true });
      const workspace = setting.sandbox.open();
      assert.deepEqual(diagnosed(workspace, null).startAnew, { loses: 0 });
      await recover(workspace, setting.human, {
        way: 'startAnew',
        shown: shownDiagnosis(diagnosed(workspace, null)),
        copyFile: null,
      });
      await assertAudited(setting.sandbox, setting.human, 'journal.startedAnew');
      fs.rmSync(setting.sandbox.journal);
      assert.equal(askGate(setting.sandbox.open(), {}).state, 'UNKNOWN', 'and is in use again');
    });
  });

  describe('is refused', () => {
    it('if the damage has changed since it was displayed', async () => {
      const { sandbox, human, copy } = await used();
      flip(sandbox, 200);
      const workspace = sandbox.open();
      const shown = shownDiagnosis(diagnosed(workspace, copy));
      fs.rmSync(sandbox.journal);
      for (const way of ['restore', 'setAside', 'startAnew'] as const)
        await assert.rejects(
          recover(workspace, human, { way, shown, copyFile: copy }),
          (error: unknown) =>
            error instanceof AppError &&
            error.code === 'conflict' &&
            error.message.includes('has changed since it was shown'),
        );
      assert.ok(!fs.existsSync(sandbox.journal));
    });

    it('if the copy has changed since it was displayed', async () => {
      const { sandbox, human, copy } = await used();
      flip(sandbox, 200);
      const workspace = sandbox.open();
      const shown = shownDiagnosis(diagnosed(workspace, copy));
      fs.truncateSync(copy, linesOf(copy)[3]!.end);
      await assert.rejects(recover(workspace, human, { way: 'restore', shown, copyFile: copy }), /has changed since/);
    });

    it('with a key that is not pinned', async () => {
      const setting = await used();
      const before = fs.readFileSync(setting.sandbox.journal);
      flip(setting.sandbox, linesOf(setting.sandbox.journal)[2]!.at + 200);
      const workspace = setting.sandbox.open();
      const stranger = { ...setting, human: makeHuman('Mallory') };
      for (const way of ['restore', 'setAside', 'startAnew'] as const)
        await assert.rejects(take(workspace, stranger, way));
      assert.equal(askGate(setting.sandbox.open(), { work: 'T2' }).state, 'UNKNOWN', 'nothing has changed');
      assert.ok(fs.readFileSync(setting.sandbox.journal).length <= before.length);
      assert.deepEqual(fs.readdirSync(path.dirname(setting.sandbox.journal)), [path.basename(setting.sandbox.journal)]);
    });

    it('with a key ring that cannot be read, and says how to add the key again', async () => {
      const setting = await used();
      flip(setting.sandbox, linesOf(setting.sandbox.journal)[2]!.at + 200);
      const workspace = setting.sandbox.open();
      const shown = diagnosed(workspace, setting.copy);
      const file = path.join(setting.sandbox.userFolder, 'keys.json');
      fs.writeFileSync(file, '{');
      await assert.rejects(take(workspace, setting, 'restore'), /keys\.json cannot be read: .*add your key again/);
      fs.renameSync(file, `${file}.aside`);
      enrolKey(workspace, setting.human.publicKey, 'Ada');
      assert.deepEqual(diagnosed(workspace, setting.copy).copy, shown.copy);
      await take(workspace, setting, 'restore');
      await assertAudited(setting.sandbox, setting.human, 'journal.restored');
    });

    for (const [name, spoil, why] of [
      [
        'a link',
        ({ sandbox }: Setting) => {
          fs.renameSync(sandbox.journal, sandbox.at('kept'));
          fs.symlinkSync(sandbox.at('kept'), sandbox.journal);
        },
        /Remove the link/,
      ],
      [
        'a lost repository',
        ({ sandbox }: Setting) => {
          fs.rmSync(sandbox.userFolder, { recursive: true });
          fs.writeFileSync(path.join(sandbox.folder, '.git'), 'gitdir: ../none');
        },
        /Repair or remove the worktree/,
      ],
    ] as const)
      it(`for ${name}, which no change to the journal repairs`, async () => {
        const setting = await used();
        spoil(setting);
        const { copy, damage, startAnew } = diagnosed(setting.sandbox.open(), setting.copy);
        for (const way of [copy, damage, startAnew]) assert.match('why' in way ? way.why : 'open', why);
      });
  });

  describe('from a line that claims a newer version', () => {
    const claim = { kind: 'format.changed', v: 1, minReader: 1_000_000, minWriter: 1_000_000 };

    it('goes back to the copy, and loses nothing that was written before the line', async () => {
      const setting = await used();
      const { sandbox, copy, human } = setting;
      const sound = sandbox.open();
      await sound.store();
      openCopy(sound, copy).update();
      sound.close();
      writeByHand(sandbox.journal, [claim]);
      const workspace = sandbox.open();
      assert.equal(workspace.standing().problem?.code, 'newer');
      assert.equal(askGate(workspace, { work: 'T1' }).state, 'UNKNOWN');
      const { damage, openQuestions } = diagnosed(workspace, copy);
      assert.deepEqual(damage, { why: 'Only a newer version of Holdpoint can read that line.' });
      assert.deepEqual(openQuestions, ['Q-1']);
      await take(workspace, setting, 'restore');
      const after = await assertAudited(sandbox, human, 'journal.restored');
      const { state } = after.standing();
      assert.deepEqual([...(state?.work.keys() ?? [])], ['T1', 'T2', 'T3']);
      assert.equal(askGate(after, { work: 'T1' }).verdict, 'deny', 'Q-1 still holds');
      after.close();
    });
  });
});

describe("the editor's copy", () => {
  afterEach(removeSandboxes);

  it('is kept up to date, and unchanged while the store is UNKNOWN', async () => {
    const { sandbox, copy } = await used();
    const workspace = sandbox.open();
    updateCopy(workspace, copy);
    const whole = fs.readFileSync(sandbox.journal);
    assert.deepEqual(fs.readFileSync(copy), whole);
    updateCopy(workspace, copy);
    await registerWork(await workspace.store(), agent(), { id: 'T9', workKind: 'task', title: 'x' });
    updateCopy(workspace, copy);
    assert.deepEqual(fs.readFileSync(copy), fs.readFileSync(sandbox.journal));
    fs.truncateSync(sandbox.journal, 300);
    updateCopy(workspace, copy);
    updateCopy(sandbox.open(), copy);
    assert.ok(fs.readFileSync(copy).length > whole.length);
    assert.deepEqual(fs.readdirSync(path.dirname(copy)), [path.basename(copy)]);
  });

  it('is kept beside a new one if the journal does not continue it', async () => {
    const setting = await used();
    const { sandbox, copy } = setting;
    const former = fs.readFileSync(copy);
    flip(sandbox, 200);
    const workspace = sandbox.open();
    await take(workspace, setting, 'startAnew');
    updateCopy(workspace, copy);
    assert.deepEqual(fs.readFileSync(copy), fs.readFileSync(sandbox.journal));
    const [aside] = fs.readdirSync(path.dirname(copy)).filter((name) => name.includes('.aside-'));
    assert.deepEqual(fs.readFileSync(path.join(path.dirname(copy), aside ?? '')), former);
  });

  it('is kept by several windows at once', async () => {
    const { sandbox, copy } = await used();
    const windows = [sandbox.open(), sandbox.open()].map((workspace) => ({
      workspace,
      kept: openCopy(workspace, copy),
    }));
    for (const [index, { workspace }] of [...windows, ...windows].entries()) {
      await registerWork(await workspace.store(), agent(), { id: `W${String(index)}`, workKind: 'task', title: 'x' });
      for (const { kept } of windows) kept.update();
      assert.deepEqual(fs.readFileSync(copy), fs.readFileSync(sandbox.journal));
    }
    assert.deepEqual(fs.readdirSync(path.dirname(copy)), [path.basename(copy)]);
    for (const { kept } of windows) kept.close();
  });

  it('is written again, beside the old one, if another program changed it', async () => {
    const { sandbox, copy } = await used();
    const kept = openCopy(sandbox.open(), copy);
    kept.update();
    const changed = fs.readFileSync(copy);
    changed[200]! ^= 1;
    fs.writeFileSync(copy, changed);
    kept.update();
    assert.deepEqual(fs.readFileSync(copy), fs.readFileSync(sandbox.journal));
    assert.equal(fs.readdirSync(path.dirname(copy)).filter((name) => name.includes('.aside-')).length, 1);
    kept.close();
  });

  it('is not created before the journal', () => {
    const sandbox = makeSandbox();
    updateCopy(sandbox.open(), sandbox.at('copy'));
    assert.ok(!fs.existsSync(sandbox.at('copy')));
  });
});

describe('a key ring', () => {
  afterEach(removeSandboxes);

  it('contains each key once, under its latest name', () => {
    const workspace = makeSandbox().open();
    const [ada, grace] = [makeHuman('Ada'), makeHuman('Grace')];
    enrolKey(workspace, ada.publicKey, 'Ada');
    enrolKey(workspace, grace.publicKey, ' Grace ');
    enrolKey(workspace, ada.publicKey, 'Ada L.');
    assert.deepEqual(
      workspace.pins().map(({ keyid, name }) => [keyid, name]),
      [
        [grace.keyid, 'Grace'],
        [ada.keyid, 'Ada L.'],
      ],
    );
  });

  it('that cannot be read makes decisions pending again, and is not overwritten', async () => {
    const { sandbox, human } = await used();
    const workspace = sandbox.open();
    const before = dump((await workspace.store()).read());
    const file = path.join(sandbox.userFolder, 'keys.json');
    const whole = fs.readFileSync(file);
    fs.writeFileSync(file, '{');
    assert.deepEqual(workspace.pins(), []);
    assert.throws(() => enrolKey(workspace, human.publicKey, 'Ada'), { name: 'AppError', code: 'conflict' });
    const other = sandbox.open();
    const gate = askGate(other, { work: 'T2' });
    assert.equal(gate.state, 'UNKNOWN', 'a decision does not count as a forgery');
    assert.match(
      gate.problem?.message ?? '',
      /keys\.json cannot be read: restore an earlier copy, or move it away and add your key again/,
    );
    fs.writeFileSync(file, whole);
    assert.deepEqual(dump((await sandbox.open().store()).read()), before);
  });

  it('rejects names that cannot be displayed', () => {
    const workspace = makeSandbox().open();
    for (const name of ['', '  ', 'x'.repeat(101), 'A\u001b[31m'])
      assert.throws(
        () => enrolKey(workspace, makeHuman().publicKey, name),
        (error: unknown) => error instanceof AppError && error.message.startsWith('name: '),
      );
    assert.deepEqual(workspace.pins(), []);
  });
});
