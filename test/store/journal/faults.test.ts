import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { updateCopy } from '../../support/store/updateCopy.ts';
import { diagnose, recover, shownDiagnosis, type WayOut } from '../../../src/app/recovery/recovery.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { StoreError, type StoreErrorCode } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { dump } from '../../support/store/dump.ts';
import { fault, stopsAt, withJournalFaults, type JournalFaults } from '../../support/store/faults.ts';
import { encode, readByHand, writeManyByHand } from '../../support/store/handwriting.ts';
import { work } from '../../support/store/lab.ts';
import { agent, enrolledHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const question = { text: 'Which way?', type: 'clarification', urgency: 'medium', mode: 'sync' } as const;

async function register(store: Store, id: string): Promise<void> {
  await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
}

/** Ids of the work items that count, parsed from the journal by hand, and of the acts. */
function byHand(sandbox: Sandbox): { works: string[]; ops: string[] } {
  const { lines } = readByHand(fs.readFileSync(sandbox.journal));
  const records = lines.flatMap((line) => line.records);
  return {
    works: records.filter(({ kind }) => kind === 'work.registered').map(({ id }) => String(id)),
    ops: lines.map(({ op }) => op),
  };
}

describe('a disk that fails', () => {
  afterEach(removeSandboxes);

  interface Case {
    /** Behaviour of the n-th write (1 is the first once the store is in use) and the n-th sync. */
    readonly write?: (count: number, bytes: Buffer, real: (part: Buffer) => number) => number;
    readonly sync?: (count: number) => void;
    /** The result of the faulty act; null: saved. */
    readonly code: StoreErrorCode | null;
    /** Whether the journal contains its line. */
    readonly counted: boolean;
  }

  function check(name: string, { write, sync, code, counted }: Case): void {
    it(`${name}: ${code ?? 'saved'}`, async () => {
      const sandbox = makeSandbox();
      const faults: JournalFaults = {};
      const workspace = sandbox.open({ fs: withJournalFaults(faults) });
      const store = await workspace.store();
      await register(store, 'T1');
      let [writes, syncs] = [0, 0];
      if (write) faults.write = (_, bytes, real) => write(++writes, bytes, real);
      if (sync)
        faults.sync = () => {
          sync(++syncs);
        };
      if (code === null) await register(store, 'T2');
      else
        await assert.rejects(
          async () => {
            await register(store, 'T2');
          },
          (error: unknown) => error instanceof StoreError && error.code === code,
        );
      assert.deepEqual(byHand(sandbox).works, counted ? ['T1', 'T2'] : ['T1']);
      // Once the disk works again, the same program continues, and finds out whether the act was saved.
      delete faults.write;
      delete faults.sync;
      assert.equal(store.read().state.work.has('T2'), counted);
      if (!counted) await register(store, 'T2');
      await register(store, 'T3');
      const { works, ops } = byHand(sandbox);
      assert.deepEqual(works, ['T1', 'T2', 'T3'], 'nothing is there twice');
      assert.equal(new Set(ops).size, ops.length);
      const live = dump(store.read());
      workspace.close();
      assert.deepEqual(dump((await sandbox.open().store()).read()), live);
    });
  }

  const always = (code: string) => () => {
    throw fault(code);
  };
  type Write = NonNullable<Case['write']>;
  const once =
    (act: (bytes: Buffer, real: (part: Buffer) => number) => number): Write =>
    (count, bytes, real) =>
      count === 1 ? act(bytes, real) : real(bytes);

  check('is full', { write: always('ENOSPC'), code: 'disk', counted: false });
  check('is full for once', { write: once(always('ENOSPC')), code: 'disk', counted: false });
  check('is over its quota', { write: always('EDQUOT'), code: 'disk', counted: false });
  check('fails', { write: always('EIO'), code: 'disk', counted: false });
  check('writes half a line, once', {
    write: once((bytes, real) => real(bytes.subarray(0, bytes.length >> 1))),
    code: null,
    counted: true,
  });
  check('writes all but the last line feed, once', {
    write: once((bytes, real) => real(bytes.subarray(0, -1))),
    code: null,
    counted: true,
  });
  check('writes one byte, once', {
    write: once((bytes, real) => real(bytes.subarray(0, 1))),
    code: null,
    counted: true,
  });
  check('writes half a line each time', {
    write: (_, bytes, real) => real(bytes.subarray(0, bytes.length >> 1)),
    code: 'unknown-outcome',
    counted: false,
  });
  check('writes half a line, then is full', {
    write: (count, bytes, real) => (count === 1 ? real(bytes.subarray(0, 50)) : always('ENOSPC')()),
    code: 'disk',
    counted: false,
  });
  check('writes everything but reports a failure', {
    write: once((bytes, real) => {
      real(bytes);
      throw fault('EIO');
    }),
    code: null,
    counted: true,
  });
  check('writes half and reports a failure', {
    write: once((bytes, real) => {
      real(bytes.subarray(0, 60));
      throw fault('EIO');
    }),
    code: null,
    counted: true,
  });
  check('fails to confirm once', {
    sync: (count) => {
      if (count === 1) throw fault('EIO');
    },
    code: null,
    counted: true,
  });
  check('never confirms', { sync: always('EIO'), code: 'unknown-outcome', counted: true });

  it('saves both lines when another program writes in between', async () => {
    const sandbox = makeSandbox();
    const faults: JournalFaults = {};
    const store = await sandbox.open({ fs: withJournalFaults(faults) }).store();
    const other = await sandbox.open().store();
    await register(store, 'T1');
    let writes = 0;
    faults.write = (_, bytes, real) => {
      if (++writes <= 4) void register(other, `O${String(writes)}`);
      return real(bytes);
    };
    await register(store, 'T2');
    assert.equal(writes, 5);
    assert.deepEqual(byHand(sandbox).works, ['T1', 'O1', 'O2', 'O3', 'O4', 'T2']);
    assert.deepEqual(dump(store.read()), dump(other.read()));
  });

  it('is not synced again for a line that another program’s snapshot already covers', async () => {
    const sandbox = makeSandbox();
    const faults: JournalFaults = {};
    const store = await sandbox.open({ fs: withJournalFaults(faults) }).store();
    await register(store, 'T1');
    const other = sandbox.open();
    const others = await other.store();
    faults.sync = () => {
      delete faults.sync;
      writeManyByHand(
        sandbox.journal,
        Array.from({ length: 510 }, (_, index) => ({ records: [work(`H${String(index)}`)] })),
      );
      others.read();
      other.close();
      throw fault('EIO');
    };
    await register(store, 'T2');
    assert.ok(fs.readdirSync(path.dirname(path.dirname(sandbox.journal))).some((name) => name.endsWith('.sqlite')));
    assert.deepEqual(
      byHand(sandbox).works.filter((id) => !id.startsWith('H')),
      ['T1', 'T2'],
    );
  });

  it('that loses the journal during a write leaves the outcome unknown', async () => {
    const sandbox = makeSandbox();
    const faults: JournalFaults = {};
    const workspace = sandbox.open({ fs: withJournalFaults(faults) });
    const store = await workspace.store();
    await register(store, 'T1');
    faults.write = (_, bytes, real) => {
      const written = real(bytes);
      fs.renameSync(sandbox.journal, sandbox.at('gone'));
      return written;
    };
    await assert.rejects(
      async () => {
        await register(store, 'T2');
      },
      (error: unknown) => error instanceof StoreError && error.code === 'unknown-outcome',
    );
    assert.equal(askGate(workspace, {}).state, 'UNKNOWN');
    assert.equal(askGate(sandbox.open(), {}).state, 'UNKNOWN');
  });

  it('that loses the journal after another program won the race reports that nothing was saved', async () => {
    const sandbox = makeSandbox();
    const faults: JournalFaults = {};
    const store = await sandbox.open({ fs: withJournalFaults(faults) }).store();
    const other = await sandbox.open().store();
    await register(store, 'T1');
    faults.write = (_, bytes, real) => {
      void register(other, 'O1');
      const written = real(bytes);
      fs.renameSync(sandbox.journal, sandbox.at('gone'));
      return written;
    };
    await assert.rejects(
      async () => {
        await register(store, 'T2');
      },
      (error: unknown) => error instanceof StoreError && error.code === 'unknown-state',
    );
    fs.renameSync(sandbox.at('gone'), sandbox.journal);
    assert.deepEqual(byHand(sandbox).works, ['T1', 'O1']);
  });

  it('an act too large for a line is refused, and nothing is written', async () => {
    const sandbox = makeSandbox();
    const store = await sandbox.open().store();
    await register(store, 'T1');
    const before = fs.readFileSync(sandbox.journal);
    const many = Array.from({ length: 100 }, (_, index) => `${String(index)}${'x'.repeat(9_990)}`);
    const large = {
      ...question,
      work: null,
      alternatives: many,
      background: 'é'.repeat(10_000),
      context: '漢'.repeat(10_000),
      impact: '漢'.repeat(10_000),
    };
    await assert.rejects(async () => raiseQuestion(store, agent(), large), /too large for one record/);
    assert.deepEqual(fs.readFileSync(sandbox.journal), before);
    assert.equal(store.read().state.questions.size, 0);
    await register(store, 'T2');
  });

  describe('at any moment', () => {
    /** Runs an act that is stopped at its first, second, … modifying call, until it completes. */
    async function everywhere(
      begin: () => Promise<Sandbox>,
      act: (sandbox: Sandbox, files: FileSystem) => Promise<void>,
      inspect: (sandbox: Sandbox, done: boolean) => Promise<void>,
    ): Promise<number> {
      for (let at = 1; ; at++) {
        const sandbox = await begin();
        const { fs: files, calls } = stopsAt(at);
        let done = true;
        await act(sandbox, files).catch(() => {
          done = false;
        });
        await inspect(sandbox, done);
        if (calls() < at) return at;
      }
    }

    it('of first use: acknowledged acts are present, others can be retried', async () => {
      const steps = await everywhere(
        () => Promise.resolve(makeSandbox()),
        async (sandbox, files) => {
          await raiseQuestion(await sandbox.open({ fs: files }).store(), agent(), { ...question, work: null });
        },
        async (sandbox, done) => {
          const other = sandbox.open();
          const { state } = askGate(other, { session: 'unknown' });
          if (done) assert.equal(state, 'BLOCKED');
          else assert.notEqual(state, 'UNKNOWN');
          await raiseQuestion(await other.store(), agent(), { ...question, work: null });
          assert.equal((await other.store()).read().state.questions.size, 1, 'once');
          assert.equal(askGate(sandbox.open(), { session: 'unknown' }).state, 'BLOCKED');
          if (!done) return;
          fs.rmSync(sandbox.journal);
          assert.equal(
            askGate(sandbox.open(), { session: 'unknown' }).state,
            'UNKNOWN',
            'known from the first acknowledgement on',
          );
        },
      );
      assert.ok(steps > 10, String(steps));
    }).timeout(60_000);

    it('of a snapshot: the next program finds everything', async () => {
      const steps = await everywhere(
        async () => {
          const sandbox = makeSandbox();
          const workspace = sandbox.open();
          await register(await workspace.store(), 'T1');
          workspace.close();
          writeManyByHand(
            sandbox.journal,
            Array.from({ length: 520 }, (_, index) => ({ records: [work(`H${String(index)}`)] })),
          );
          return sandbox;
        },
        async (sandbox, files) => {
          const workspace = sandbox.open({ fs: files });
          (await workspace.store()).read();
          workspace.close();
        },
        async (sandbox) => {
          assert.equal((await sandbox.open().store()).read().state.work.size, 521);
          assert.equal(askGate(sandbox.open(), { work: 'H519' }).state, 'CLEAR');
        },
      );
      assert.ok(steps > 8, String(steps));
    }).timeout(60_000);

    for (const way of ['restore', 'startAnew', 'setAside'] as const)
      it(`of the recovery "${way}": completed and signed, or still UNKNOWN with nothing lost`, async () => {
        let human: Human;
        let damaged: Buffer;
        const steps = await everywhere(
          async () => {
            const sandbox = makeSandbox();
            const workspace = sandbox.open();
            human = enrolledHuman(workspace);
            const store = await workspace.store();
            await register(store, 'T1');
            await raiseQuestion(store, agent(), { ...question, work: 'T1' });
            updateCopy(workspace, sandbox.at('copy'));
            await register(store, 'T2');
            await register(store, 'T3');
            workspace.close();
            damaged = fs.readFileSync(sandbox.journal);
            damaged[readByHand(damaged).lines[3]!.at + 150]! ^= 1;
            fs.writeFileSync(sandbox.journal, damaged);
            return sandbox;
          },
          (sandbox, files) => takeWay(sandbox, files, human, way),
          async (sandbox, done) => {
            const folder = path.dirname(sandbox.journal);
            assert.ok(
              fs
                .readdirSync(folder)
                .some((name) => fs.readFileSync(path.join(folder, name)).subarray(0, damaged.length).equals(damaged)),
              'nothing is lost',
            );
            let workspace = sandbox.open();
            // A gate answers from the saved state, which the damage did not reach; whoever opens the journal sees it.
            if (diagnose(workspace, sandbox.at('copy'))) {
              assert.ok(!done);
              await takeWay(sandbox, fs, human, way);
              workspace = sandbox.open();
            }
            assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
            const { lines } = readByHand(fs.readFileSync(sandbox.journal));
            const kinds = way === 'setAside' ? [] : lines.flatMap(({ records }) => records.map(({ kind }) => kind));
            if (way !== 'setAside')
              assert.ok(kinds.includes(way === 'restore' ? 'journal.restored' : 'journal.startedAnew'));
            await register(await workspace.store(), 'T9');
            assert.deepEqual((await workspace.store()).read().state.refusals, []);
          },
        );
        assert.ok(steps > 3, String(steps));
      }).timeout(60_000);

    async function takeWay(sandbox: Sandbox, files: FileSystem, human: Human, way: WayOut): Promise<void> {
      const workspace = sandbox.open({ fs: files });
      const diagnosis = diagnose(workspace, sandbox.at('copy'));
      assert.ok(diagnosis);
      await recover(workspace, human, { way, shown: shownDiagnosis(diagnosis), copyFile: sandbox.at('copy') });
    }
  });
});

describe('a small disk', () => {
  let mounted: string | null = null;

  /** Only root on Linux can mount; elsewhere the injected faults above cover this. */
  function mount(folder: string): boolean {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', folder], { stdio: 'pipe' });
      mounted = folder;
      return true;
    } catch {
      return false;
    }
  }

  afterEach(() => {
    if (mounted !== null) execFileSync('umount', ['-l', mounted], { stdio: 'pipe' });
    mounted = null;
    removeSandboxes();
  });

  it('that is full loses nothing acknowledged, and continues once there is room', async function () {
    const sandbox = makeSandbox();
    if (!mount(sandbox.folder)) return this.skip();
    const workspace = sandbox.open();
    const store = await workspace.store();
    const saved: string[] = [];
    const fill = async () => {
      for (let number = saved.length; ; number++) {
        await register(store, `T${String(number)}`);
        saved.push(`T${String(number)}`);
      }
    };
    await assert.rejects(
      fill,
      (error: unknown) => error instanceof StoreError && ['disk', 'unknown-outcome'].includes(error.code),
    );
    assert.ok(saved.length > 50, String(saved.length));
    assert.deepEqual(byHand(sandbox).works, saved);
    assert.equal(askGate(sandbox.open(), { work: 'T0' }).state, 'CLEAR');
    await assert.rejects(
      async () => raiseQuestion(store, agent(), { ...question, work: 'T0', context: 'x'.repeat(9_000) }),
      StoreError,
    );
    execFileSync('mount', ['-o', 'remount,size=1m', sandbox.folder], { stdio: 'pipe' });
    const next = `T${String(saved.length)}`;
    if (!store.read().state.work.has(next)) await register(store, next);
    await raiseQuestion(store, agent(), { ...question, work: 'T0' });
    assert.deepEqual(byHand(sandbox).works, [...saved, next]);
    assert.equal(askGate(sandbox.open(), { work: 'T0' }).state, 'BLOCKED');
    const live = dump(store.read());
    workspace.close();
    assert.deepEqual(dump((await sandbox.open().store()).read()), live);
  });

  it('that is full at first use reports it, and creates no store', async function () {
    const sandbox = makeSandbox();
    if (!mount(sandbox.folder)) return this.skip();
    fs.writeFileSync(path.join(sandbox.folder, 'filler'), Buffer.alloc(1 << 20).subarray(0, 80 << 10));
    for (let index = 0; ; index++)
      try {
        fs.writeFileSync(path.join(sandbox.folder, `filler${String(index)}`), Buffer.alloc(4096));
      } catch {
        break;
      }
    const store = await sandbox.open().store();
    await assert.rejects(
      async () => {
        await register(store, 'T1');
      },
      (error: unknown) => error instanceof StoreError && error.code === 'disk' && /ENOSPC|no space/.test(error.message),
    );
    assert.notEqual(askGate(sandbox.open(), {}).state, 'UNKNOWN');
    fs.rmSync(path.join(sandbox.folder, 'filler'));
    await register(store, 'T1');
    assert.equal(askGate(sandbox.open(), { work: 'T1' }).state, 'CLEAR');
  });
});

it('all programs skip a torn line of a crashed program', async () => {
  const sandbox = makeSandbox();
  const store = await sandbox.open().store();
  await register(store, 'T1');
  const line = encode({ torn: 'x'.repeat(60) });
  for (const length of [1, 2, 5, 40, 75, 100, line.length - 2]) {
    fs.appendFileSync(sandbox.journal, line.subarray(0, length));
    assert.equal(askGate(sandbox.open(), { work: 'T1' }).state, 'CLEAR');
    await register(store, `T-${String(length)}`);
    assert.equal(askGate(sandbox.open(), { work: `T-${String(length)}` }).state, 'CLEAR');
  }
  removeSandboxes();
});
