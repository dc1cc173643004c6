/**
 * The journal in several files has the same content as in one, whichever program writes, crashes, or removes a file.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { auditBytes, journalBytes } from '../../../src/app/audit/audit.ts';
import { bundleOf, checkBundle, formatBundle } from '../../../src/app/audit/bundle.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { agrees, testimony } from '../../../src/app/workspace/witness.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { raisedOf } from '../../../src/core/state/state.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { runs } from '../../support/runs.ts';
import { stopsAt, withJournalFaults, type JournalFaults } from '../../support/store/faults.ts';
import { stateFingerprint } from '../../support/store/fingerprint.ts';
import {
  encode,
  filesByHand,
  journalByHand,
  readByHand,
  writeByHand,
  type HandFile,
} from '../../support/store/handwriting.ts';
import { work } from '../../support/store/lab.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import {
  inMemory,
  makeSandbox,
  realFs,
  removeSandboxes,
  setSegments,
  type Sandbox,
} from '../../support/store/sandbox.ts';

const sync = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;
const system = { kind: 'system', id: 'holdpoint' };
const seal = { kind: 'segment.sealed', v: 1 };

async function register(store: Store, id: string): Promise<void> {
  await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
}

async function ask(store: Store, id: string): Promise<void> {
  await raiseQuestion(store, agent(), { ...sync, text: `May I do ${id}?`, work: id });
}

/** Ids of work items that count, parsed from all files by hand. */
function worksByHand({ journal }: Sandbox): string[] {
  const { lines, sound } = readByHand(journalByHand(journal));
  assert.ok(sound);
  assert.equal(new Set(lines.map(({ op }) => op)).size, lines.length, 'no act is there twice');
  const records = lines.flatMap((line) => line.records);
  return records.filter(({ kind }) => kind === 'work.registered').map(({ id }) => String(id));
}

const namesIn = ({ journal }: Sandbox) =>
  filesByHand(journal)
    .map(({ file }) => path.basename(file))
    .filter((name) => fs.existsSync(path.join(path.dirname(journal), name)));

/** Whether a new program, and one that uses the saved state, agree with the parse by hand. */
async function allAgree(sandbox: Sandbox): Promise<void> {
  const look = sandbox.open();
  const { state, problem } = look.standing();
  assert.ok(state, problem?.message);
  assert.deepEqual(
    state.seals,
    filesByHand(sandbox.journal).flatMap(({ end }) => end ?? []),
  );
  assert.deepEqual([...state.work.keys()], worksByHand(sandbox));
  const audit = await auditBytes(journalBytes(look), look.pins());
  assert.equal(stateFingerprint(audit.walk.state), stateFingerprint(state), 'the audit reads the same');
  assert.equal(stateFingerprint((await look.store()).read().state), stateFingerprint(state), 'the store does');
}

/** T0 is held, T9 is free, in files of about two acts each. */
async function used(more: { snapshot?: boolean } = {}): Promise<Sandbox> {
  const sandbox = makeSandbox(inMemory);
  const workspace = sandbox.open();
  const store = await workspace.store();
  await register(store, 'T0');
  await ask(store, 'T0');
  for (let number = 1; number < 10; number++) await register(store, `T${String(number)}`);
  if (more.snapshot === true) store.save();
  workspace.close();
  return sandbox;
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

  it('starts a new file once one is long, readable by its user only', async () => {
    const sandbox = await used();
    const files = filesByHand(sandbox.journal);
    assert.ok(files.length > 4, String(files.length));
    for (const { file, end } of files.slice(0, -1)) {
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      assert.ok(end);
    }
    await allAgree(sandbox);
    assert.equal(askGate(sandbox.open(), { work: 'T0' }).state, 'BLOCKED');
    assert.equal(askGate(sandbox.open(), { work: 'T9' }).state, 'CLEAR');
  });

  it('has the same content as in one file', async () => {
    const act = fc.oneof(
      fc.record({ does: fc.constant('register' as const), id: fc.nat({ max: 8 }) }),
      fc.record({ does: fc.constant('ask' as const), id: fc.nat({ max: 8 }), text: fc.nat({ max: 3 }) }),
    );
    const acts = fc.array(act, { minLength: 1, maxLength: 25 });
    const play = async (limit: number | null, all: (typeof act extends fc.Arbitrary<infer T> ? T : never)[]) => {
      setSegments(limit);
      const sandbox = makeSandbox(inMemory);
      let ids = 0;
      const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
      const workspace = sandbox.open({ newId });
      const store = await workspace.store();
      for (const one of all)
        try {
          const id = `T${String(one.id)}`;
          if (one.does === 'register') await register(store, id);
          else await raiseQuestion(store, agent(), { ...sync, text: `Question ${String(one.text)}?`, work: id });
        } catch (error) {
          assert.ok(error instanceof Error && 'code' in error, String(error));
        }
      await allAgree(sandbox);
      const { state } = workspace.standing();
      assert.ok(state);
      // Seals move the lines, and are part of the chain of hashes.
      const questions = new Map([...state.questions].map(([id, question]) => [id, { ...question, line: null }]));
      const result = stateFingerprint({ ...state, questions, workspace: null, seals: [] });
      sandbox.remove();
      return result;
    };
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 4_000 }), async (all, limit) => {
        assert.equal(await play(limit, all), await play(null, all));
      }),
      { numRuns: runs(25) },
    );
  }).timeout(60_000);

  it('is audited and exported as one, and checked without the store', async () => {
    const sandbox = await used();
    const workspace = sandbox.open();
    const human = enrolledHuman(workspace);
    await decide(workspace, human, 'Q-1');
    const { state } = workspace.standing();
    assert.ok(state);
    const closed = state.questions.get('Q-1')!;
    assert.equal(closed.raised, null);
    assert.match(raisedOf(state, closed).text, /\?$/, 'read from an earlier file');
    const bytes = journalBytes(workspace);
    assert.deepEqual(bytes, journalByHand(sandbox.journal));
    const audit = await auditBytes(bytes, workspace.pins());
    const content = bundleOf(audit, bytes, { exportedAt: workspace.now(), pins: workspace.pins() });
    const { summary } = await checkBundle(formatBundle({ ...content, seal: null }, bytes), [human.pin]);
    assert.deepEqual(summary.faults, []);
    assert.equal(summary.decisions, 1);
  });

  it('that ends with a seal is remembered by a witness', async () => {
    setSegments(1);
    const sandbox = await used();
    const workspace = sandbox.open();
    await workspace.store();
    const known = testimony(workspace);
    assert.ok(known);
    assert.equal(known.position, filesByHand(sandbox.journal).at(-1)?.base);
    assert.ok(agrees(workspace, known));
    const last = filesByHand(sandbox.journal).at(-1)?.file ?? '';
    fs.rmSync(last);
    assert.ok(agrees(sandbox.open(), known), 'the next file need not be there');
    assert.ok(!agrees(sandbox.open(), { ...known, head: 'f'.repeat(64) }));
  });

  it('is read only from the end of the saved state', async () => {
    const sandbox = await used({ snapshot: true });
    const files = filesByHand(sandbox.journal);
    const read = new Map<number, string>();
    const seen = new Set<string>();
    const counting: FileSystem = {
      ...realFs,
      openSync: ((file: string, flags: string, mode?: number) => {
        const descriptor = fs.openSync(file, flags, mode);
        read.set(descriptor, file);
        return descriptor;
      }) as typeof fs.openSync,
      readSync: ((descriptor: number, bytes: Buffer, offset: number, length: number, position: number) => {
        seen.add(read.get(descriptor) ?? '');
        return fs.readSync(descriptor, bytes, offset, length, position);
      }) as typeof fs.readSync,
    };
    assert.equal(askGate(sandbox.open({ fs: counting }), { work: 'T0' }).state, 'BLOCKED');
    for (const { file } of files.slice(0, -2)) assert.ok(!seen.has(file), file);
  });

  describe('with one file', () => {
    type Spoil = (file: HandFile, files: readonly HandFile[]) => void;
    /** @param alwaysFound whether programs that started from a saved state, or had read the file, also notice */
    function check(name: string, alwaysFound: boolean, spoil: Spoil): void {
      it(`${name}: UNKNOWN or unchanged`, async () => {
        for (const snapshot of [false, true])
          for (let index = 0; ; index++) {
            const sandbox = await used({ snapshot });
            const files = filesByHand(sandbox.journal).filter(({ end }) => end !== null);
            const file = files[index];
            if (!file) break;
            const same = stateFingerprint(sandbox.open().standing().state ?? assert.fail());
            const [live, store] = [sandbox.open(), sandbox.open()];
            live.standing();
            await store.store();
            const where = `${path.basename(file.file)} ${snapshot ? 'with' : 'without'} a saved state`;
            spoil(file, files);
            for (const workspace of [sandbox.open(), live, store, sandbox.open()]) {
              assert.equal(askGate(workspace, { work: 'T0' }).verdict, 'deny', where);
              const { state } = workspace.standing();
              const reads = !snapshot && workspace !== live && workspace !== store;
              if (reads || alwaysFound) assert.equal(state, null, where);
              if (state) assert.equal(stateFingerprint(state), same, where);
            }
            sandbox.remove();
          }
      }).timeout(60_000);
    }

    const lengthOf = ({ base, end }: HandFile) => (end ?? 0) - base;
    const put = (make: (file: string) => void) => (one: HandFile) => {
      fs.rmSync(one.file);
      make(one.file);
    };
    const cut = (length: (one: HandFile) => number) => (one: HandFile) => {
      fs.truncateSync(one.file, length(one));
    };
    check(
      'missing',
      true,
      put(() => undefined),
    );
    check(
      'emptied',
      true,
      cut(() => 0),
    );
    check(
      'shorter by a byte',
      true,
      cut((one) => lengthOf(one) - 1),
    );
    check('a link to itself elsewhere', true, ({ file }) => {
      fs.renameSync(file, `${file}.moved`);
      fs.symlinkSync(`${file}.moved`, file);
    });
    check('a folder', true, put(fs.mkdirSync));
    check(
      'a pipe',
      true,
      put((file) => execFileSync('mkfifo', [file])),
    );
    check('full of zeros', false, ({ file }) => {
      fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size));
    });
    check('replaced by its neighbour', false, ({ file }, files) => {
      const other = files.find((one) => one.file !== file && lengthOf(one) > 0)?.file ?? '';
      fs.renameSync(file, `${file}.moved`);
      fs.renameSync(other, file);
      fs.renameSync(`${file}.moved`, other);
    });
    check('with the last bit of its seal flipped', false, (one) => {
      const bytes = fs.readFileSync(one.file);
      bytes[lengthOf(one) - 1]! ^= 1;
      fs.writeFileSync(one.file, bytes);
    });
  });

  describe('that an agent writes by hand', () => {
    it('may be sealed by it: the next program continues, and holds stay', async () => {
      setSegments(null);
      const sandbox = await used();
      const live = sandbox.open();
      const store = await live.store();
      writeByHand(sandbox.journal, [work('T10'), seal, seal, work('T11')], { actor: system });
      assert.equal(askGate(sandbox.open(), { work: 'T0' }).state, 'BLOCKED');
      assert.deepEqual(namesIn(sandbox), ['00000001.jsonl'], 'asking makes nothing');
      await register(store, 'T12');
      assert.equal(namesIn(sandbox).length, 2);
      await register(await sandbox.open().store(), 'T13');
      await allAgree(sandbox);
      assert.deepEqual(worksByHand(sandbox).slice(-4), ['T10', 'T11', 'T12', 'T13']);
      assert.equal(askGate(live, { work: 'T0' }).state, 'BLOCKED');
    });

    it('ignores what follows a seal', async () => {
      const sandbox = await used();
      const [first] = filesByHand(sandbox.journal);
      assert.ok(first?.end);
      const { head } = readByHand(fs.readFileSync(first.file).subarray(0, first.end));
      const line = (at: number) => {
        const actor = { kind: 'agent', id: 'claude-002' };
        const records = [work('T66')];
        return encode({ at, prev: head, op: randomUUID(), time: '2026-03-02T09:00:00.000Z', actor, records });
      };
      const live = sandbox.open();
      live.standing();
      fs.appendFileSync(first.file, line(fs.statSync(first.file).size));
      fs.appendFileSync(first.file, line(first.end));
      fs.appendFileSync(first.file, 'no line at all');
      for (const workspace of [live, sandbox.open()]) {
        assert.equal(workspace.standing().problem, null);
        assert.equal(askGate(workspace, { work: 'T66' }).verdict, 'deny', 'the id is unknown');
        assert.equal(askGate(workspace, { work: 'T0' }).state, 'BLOCKED');
      }
      await allAgree(sandbox);
    });

    it('ignores extra files', async () => {
      const sandbox = await used();
      const files = filesByHand(sandbox.journal);
      const folder = path.dirname(sandbox.journal);
      const whole = journalByHand(sandbox.journal);
      const { lines, head } = readByHand(whole);
      const [{ base } = assert.fail()] = files.slice(-1);
      const actor = { kind: 'agent', id: 'claude-002' };
      const line = (at: number, prev: string) =>
        encode({ at, prev, op: randomUUID(), time: '2026-03-02T09:00:00.000Z', actor, records: [work('T66')] });
      const number = (value: number) => String(value).padStart(8, '0');
      fs.writeFileSync(path.join(folder, `${number(99)}-${String(whole.length)}.jsonl`), line(whole.length, head));
      fs.writeFileSync(path.join(folder, `${number(files.length + 1)}-${String(whole.length)}.jsonl`), 'x');
      fs.writeFileSync(path.join(folder, `${number(2)}-${String(base)}.jsonl`), line(base, lines[1]?.hash ?? ''));
      fs.writeFileSync(path.join(folder, `${number(2)}-1.jsonl`), 'x');
      const workspace = sandbox.open();
      await register(await workspace.store(), 'T10');
      assert.equal(askGate(workspace, { work: 'T66' }).verdict, 'deny');
      assert.equal(askGate(sandbox.open(), { work: 'T0' }).state, 'BLOCKED');
      assert.ok(!worksByHand(sandbox).includes('T66'));
    });

    const holding = (content: string) => (file: string) => {
      fs.writeFileSync(file, content, { mode: 0o600 });
    };
    const ahead: readonly [name: string, unknown: boolean, make: (file: string) => void][] = [
      ['an empty file', false, holding('')],
      ['a torn line', false, holding('\n12')],
      ['what is no line', true, holding('hello')],
      ['a link', true, (file) => fs.symlinkSync('/dev/null', file)],
      ['a folder', true, fs.mkdirSync],
    ];
    for (const [name, unknown, make] of ahead)
      it(`has ${name} in place of the next file: ${unknown ? 'UNKNOWN' : 'continues in it'}`, async () => {
        setSegments(null);
        const sandbox = await used();
        const live = sandbox.open();
        const store = await live.store();
        writeByHand(sandbox.journal, [seal]);
        make(filesByHand(sandbox.journal).at(-1)?.file ?? '');
        for (const workspace of [live, sandbox.open()]) {
          assert.equal(askGate(workspace, { work: 'T0' }).verdict, 'deny');
          assert.equal(askGate(workspace, { work: 'T9' }).state, unknown ? 'UNKNOWN' : 'CLEAR');
        }
        if (unknown)
          await assert.rejects(async () => {
            await register(store, 'T10');
          }, StoreError);
        else {
          await register(store, 'T10');
          await allAgree(sandbox);
        }
      });

    it('is sealed often, but not without limit', async () => {
      setSegments(null);
      const sandbox = await used();
      writeByHand(sandbox.journal, [seal]);
      let { head } = readByHand(journalByHand(sandbox.journal));
      let [{ base, file } = assert.fail()] = filesByHand(sandbox.journal).slice(-1);
      for (let number = 2; number < 260; number++) {
        const body = { at: base, prev: head, op: randomUUID(), time: '2026-03-02T09:00:00.000Z', actor: system };
        const line = encode({ ...body, records: [seal] });
        // Those beyond the limit are ignored.
        fs.appendFileSync(file, line, { mode: 0o600 });
        head = readByHand(line, base, head).head;
        base += number < 251 ? line.length - 1 : line.length;
        if (number < 251)
          file = path.join(path.dirname(file), `${String(number + 1).padStart(8, '0')}-${String(base)}.jsonl`);
      }
      const { state } = sandbox.open().standing();
      assert.equal(state?.seals.length, 250);
      setSegments(1);
      await register(await sandbox.open().store(), 'T10');
      assert.equal(askGate(sandbox.open(), { work: 'T0' }).state, 'BLOCKED');
    }).timeout(60_000);
  });

  describe('that another program seals', () => {
    /** Two programs; `other` acts around the first's own write to the journal. */
    async function two(): Promise<{
      sandbox: Sandbox;
      faults: JournalFaults;
      store: Store;
      other: Store;
      mine: Workspace;
    }> {
      setSegments(null);
      const sandbox = makeSandbox(inMemory);
      const faults: JournalFaults = {};
      const mine = sandbox.open({ fs: withJournalFaults(faults), segmentBytes: 1_000_000 });
      const store = await mine.store();
      await register(store, 'T0');
      const other = await sandbox.open({ segmentBytes: 1 }).store();
      return { sandbox, faults, store, other, mine };
    }

    function once(faults: JournalFaults, act: (write: () => number) => number): void {
      faults.write = (_, bytes, real) => {
        delete faults.write;
        return act(() => real(bytes));
      };
    }

    it('just before a line is written saves the line in the next file, and ignores its bytes after the seal', async () => {
      const { sandbox, faults, store, other } = await two();
      once(faults, (write) => {
        void register(other, 'O1');
        return write();
      });
      await register(store, 'T1');
      assert.deepEqual(worksByHand(sandbox), ['T0', 'O1', 'T1']);
      const [first, second] = filesByHand(sandbox.journal);
      assert.ok(first?.end && fs.readFileSync(first.file, 'utf8').slice(first.end).includes('T1'));
      assert.ok(second && fs.readFileSync(second.file, 'utf8').includes('T1'));
      await allAgree(sandbox);
    });

    it('repeatedly before a line is written, while the writer is several files behind', async () => {
      const { sandbox, faults, store, other } = await two();
      once(faults, (write) => {
        for (let number = 1; number < 5; number++) void register(other, `O${String(number)}`);
        return write();
      });
      await register(store, 'T1');
      assert.deepEqual(worksByHand(sandbox), ['T0', 'O1', 'O2', 'O3', 'O4', 'T1']);
      await allAgree(sandbox);
    });

    it('with a seal exactly where the line was to be written', async () => {
      const { sandbox, faults, store } = await two();
      once(faults, (write) => {
        writeByHand(sandbox.journal, [seal]);
        return write();
      });
      await register(store, 'T1');
      assert.deepEqual(worksByHand(sandbox), ['T0', 'T1']);
      assert.equal(filesByHand(sandbox.journal).length, 2);
      await allAgree(sandbox);
    });

    it('between a write and its check: the line precedes the seal and is acknowledged once', async () => {
      const { sandbox, faults, store, other } = await two();
      once(faults, (write) => {
        const written = write();
        void register(other, 'O1');
        void register(other, 'O2');
        return written;
      });
      await register(store, 'T1');
      assert.deepEqual(worksByHand(sandbox), ['T0', 'T1', 'O1', 'O2']);
      await register(store, 'T2');
      await allAgree(sandbox);
    });

    it('between a write and its check, which then fails: the line is recognised as saved', async () => {
      const { sandbox, faults, store, other } = await two();
      once(faults, (write) => {
        write();
        void register(other, 'O1');
        throw new Error('the disk says nothing');
      });
      await register(store, 'T1');
      assert.deepEqual(worksByHand(sandbox), ['T0', 'T1', 'O1']);
      await allAgree(sandbox);
    });

    it('at the same moment is sealed once', async () => {
      setSegments(1_000);
      const sandbox = makeSandbox(inMemory);
      const faults: JournalFaults = {};
      const store = await sandbox.open({ fs: withJournalFaults(faults) }).store();
      await register(store, 'T0');
      assert.equal(filesByHand(sandbox.journal).length, 1);
      const other = await sandbox.open().store();
      let seals = 0;
      faults.write = (_, bytes, real) => {
        if (bytes.includes('segment.sealed') && ++seals === 1) void register(other, 'O1');
        return real(bytes);
      };
      await register(store, 'T1');
      assert.equal(seals, 1, 'and is not tried again');
      const kinds = readByHand(fs.readFileSync(sandbox.journal)).lines.flatMap(({ records }) => records);
      assert.equal(kinds.filter(({ kind }) => kind === 'segment.sealed').length, 1);
      assert.deepEqual(worksByHand(sandbox), ['T0', 'T1', 'O1']);
      await register(store, 'T2');
      await allAgree(sandbox);
    });

    it('without flushing: nothing is written to the next file before the seal and the file’s name are durable', async () => {
      const { sandbox, store } = await two();
      writeByHand(sandbox.journal, [seal]);
      const calls: string[] = [];
      const open = new Map<number, string>();
      const name = (descriptor: number) => open.get(descriptor) ?? '';
      const noting: FileSystem = {
        ...realFs,
        openSync: ((file: string, flags: string, mode?: number) => {
          const descriptor = fs.openSync(file, flags, mode);
          open.set(descriptor, path.basename(file));
          return descriptor;
        }) as typeof fs.openSync,
        writeSync: ((descriptor: number, bytes: Buffer, offset: number, length: number) => {
          if (name(descriptor).endsWith('.jsonl')) calls.push(`write ${name(descriptor)}`);
          return fs.writeSync(descriptor, bytes, offset, length);
        }) as typeof fs.writeSync,
        fsyncSync(descriptor) {
          calls.push(`flush ${name(descriptor)}`);
          fs.fsyncSync(descriptor);
        },
        fdatasyncSync(descriptor) {
          calls.push(`flush ${name(descriptor)}`);
          fs.fdatasyncSync(descriptor);
        },
      };
      // One creates the next file, one finds it: both flush what precedes their line.
      for (const id of ['T1', 'T2']) {
        const workspace = sandbox.open({ fs: noting });
        calls.length = 0;
        const next = await workspace.store();
        await register(next, id);
        const second = filesByHand(sandbox.journal)[1]?.file ?? '';
        const written = calls.indexOf(`write ${path.basename(second)}`);
        assert.ok(written > 0, calls.join());
        for (const flushed of ['flush 00000001.jsonl', 'flush journal'])
          assert.ok(calls.slice(0, written).includes(flushed), `${flushed}: ${calls.join()}`);
        workspace.close();
        fs.rmSync(path.join(sandbox.userFolder, 'stores'), { recursive: true });
      }
      await register(store, 'T3');
      await allAgree(sandbox);
    });
  });

  it('whose program crashes while sealing continues, with everything acknowledged', async () => {
    setSegments(1);
    let steps = 0;
    for (let at = 1; ; at++) {
      const sandbox = makeSandbox(inMemory);
      const workspace = sandbox.open();
      const store = await workspace.store();
      await register(store, 'T0');
      await ask(store, 'T0');
      workspace.close();
      const { fs: files, calls } = stopsAt(at);
      const dying = await sandbox.open({ fs: files }).store();
      const said: string[] = [];
      try {
        for (const id of ['T1', 'T2']) {
          await register(dying, id);
          said.push(id);
        }
      } catch (error) {
        assert.ok(error instanceof StoreError, String(error));
      }
      const next = sandbox.open();
      assert.equal(askGate(next, { work: 'T0' }).state, 'BLOCKED');
      const works = worksByHand(sandbox);
      for (const id of said) assert.ok(works.includes(id), `${id} at ${String(at)}`);
      await register(await next.store(), 'T9');
      await allAgree(sandbox);
      sandbox.remove();
      steps++;
      if (calls() < at) break;
    }
    assert.ok(steps > 10, String(steps));
  }).timeout(60_000);
});
