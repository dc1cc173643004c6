import assert from 'node:assert/strict';
import fs from 'node:fs';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { StoreErrorCode } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { dump } from '../../support/store/dump.ts';
import { fault, type JournalFaults, withJournalFaults } from '../../support/store/faults.ts';
import { readByHand } from '../../support/store/handwriting.ts';
import { agent } from '../../support/store/people.ts';
import { inMemory, makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { walkJournal } from '../../../src/store/journal/ledger.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { ask, setStage } from '../../support/faults/stage.ts';

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
      else await assert.rejects(register(store, 'T2'), { name: 'StoreError', code });
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
    await assert.rejects(register(store, 'T2'), { name: 'StoreError', code: 'unknown-outcome' });
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
    await assert.rejects(register(store, 'T2'), { name: 'StoreError', code: 'unknown-state' });
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
});

/** A program that can see that it has lost the race for the next line writes nothing. */
describe('a program that lost the race before it wrote', () => {
  afterEach(removeSandboxes);

  it('starts over and leaves no void line', async () => {
    const sandbox = makeSandbox(inMemory);
    await setStage(sandbox.open());
    const [one, other] = [await sandbox.open().store(), await sandbox.open().store()];
    const others: Promise<unknown>[] = [];
    let runs = 0;
    await one.transact({ kind: 'agent', id: 'a-1' }, () => {
      runs++;
      // A local commit is done before its promise is returned.
      if (others.length === 0) others.push(ask(other, 'First?', null));
      return { records: [{ kind: 'agent.registered', v: 1, id: 'a-1', type: 'a', host: 'h', label: 'l' }], result: 0 };
    });
    await Promise.all(others);
    assert.equal(runs, 2);
    const walk = walkJournal({ trust: createTrust(() => []) });
    for (const _ of walk.follow(fs.readFileSync(sandbox.journal)));
    assert.equal(walk.voids, 0);
    assert.ok([...walk.state.questions.values()].some(({ raised }) => raised?.text === 'First?'));
    assert.ok(walk.state.agents.has('a-1'));
  });
});
