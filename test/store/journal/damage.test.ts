import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Standing, Workspace } from '../../../src/app/workspace/workspace.ts';
import type { ProblemCode } from '../../../src/store/journal/problem.ts';
import { runs } from '../../support/runs.ts';
import {
  encode,
  journalByHand,
  readByHand,
  writeByHand,
  writeManyByHand,
  zeros,
} from '../../support/store/handwriting.ts';
import { work } from '../../support/store/lab.ts';
import { agent, decide } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const question = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;

interface Used {
  readonly sandbox: Sandbox;
  readonly bytes: Buffer;
  readonly standing: Standing;
}

/** T1 and `src/secret` are held, Q-1 is answered; the journal also has a lost line and a torn one. */
async function used(): Promise<Used> {
  const { sandbox, workspace, human, store } = await withHuman();
  for (const id of ['T1', 'T2', 'T3'])
    await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
  await raiseQuestion(store, agent(), { ...question, text: 'Which way?', work: 'T2' });
  await decide(workspace, human, 'Q-1');
  const size = journalByHand(sandbox.journal).length;
  fs.appendFileSync(
    sandbox.journal,
    encode({
      at: size - 100,
      prev: zeros,
      op: '00000000-0000-4000-8000-000000000000',
      time: '2026-03-02T09:00:00.000Z',
      actor: { kind: 'agent', id: 'claude-002' },
      records: [{ kind: 'lost' }],
    }),
  );
  await raiseQuestion(store, agent(), {
    ...question,
    text: 'May I?',
    work: 'T1',
    holds: ['src/secret'],
    context: 'x'.repeat(1_500),
  });
  fs.appendFileSync(sandbox.journal, encode({ torn: 'x'.repeat(50) }).subarray(0, 100));
  await registerWork(store, agent(), { id: 'T4', workKind: 'task', title: 'Title of T4', dependsOn: ['T1'] });
  for (const id of ['T5', 'T6']) await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
  workspace.close();
  const look = sandbox.open();
  const standing = look.standing();
  look.close();
  return { sandbox, bytes: journalByHand(sandbox.journal), standing };
}

/** Everything denied before is still denied. */
function assertDenies(workspace: Workspace): void {
  assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
  assert.equal(askGate(workspace, { work: 'T4' }).verdict, 'deny');
  assert.equal(askGate(workspace, { files: ['src/secret/a.ts'] }).verdict, 'deny');
}

/** Opens the journal with these bytes: it must be unchanged or UNKNOWN. Returns which. */
function look({ sandbox, standing: expected }: Used, bytes: Buffer, what: string): 'same' | 'unknown' {
  fs.writeFileSync(sandbox.journal, bytes);
  const workspace = sandbox.open();
  try {
    const standing = workspace.standing();
    assertDenies(workspace);
    if (standing.problem) return 'unknown';
    if (!isDeepStrictEqual(standing.state, expected.state)) assert.deepEqual(standing.state, expected.state, what);
    return 'same';
  } finally {
    workspace.close();
  }
}

describe('a damaged store', () => {
  afterEach(removeSandboxes);

  it('with overwritten, moved or repeated bytes is unchanged or UNKNOWN', async () => {
    const store = await used();
    const { bytes } = store;
    const offset = fc.nat({ max: bytes.length });
    const change = fc.oneof(
      fc.record({ at: offset, put: fc.uint8Array({ minLength: 1, maxLength: 40 }), over: fc.nat({ max: 40 }) }),
      fc.record({ from: offset, to: offset, at: offset, move: fc.boolean() }),
    );
    fc.assert(
      fc.property(change, (edit) => {
        let edited: Buffer;
        if ('put' in edit)
          edited = Buffer.concat([bytes.subarray(0, edit.at), edit.put, bytes.subarray(edit.at + edit.over)]);
        else {
          const [from, to] = [Math.min(edit.from, edit.to), Math.max(edit.from, edit.to)];
          const rest = edit.move ? Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]) : bytes;
          edited = Buffer.concat([rest.subarray(0, edit.at), bytes.subarray(from, to), rest.subarray(edit.at)]);
        }
        look(store, edited, JSON.stringify(edit));
      }),
      { numRuns: runs(1_000) },
    );
  }).timeout(240_000);

  it('with whole lines removed or reordered is UNKNOWN', async () => {
    const store = await used();
    const { bytes } = store;
    const { lines } = readByHand(bytes);
    for (const { at, end } of lines)
      assert.equal(
        look(store, Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]), 'without a line'),
        'unknown',
      );
    // Rewritten as a valid chain without the holding question: only the anchor reveals it.
    const kept = lines.filter(({ records }) => records.every((record) => record['id'] !== 'Q-2'));
    let rewritten: Buffer = Buffer.alloc(0);
    for (const { op, time, actor, records } of kept)
      rewritten = Buffer.concat([
        rewritten,
        encode({ at: rewritten.length, prev: readByHand(rewritten).head, op, time, actor, records }),
      ]);
    assert.ok(readByHand(rewritten).sound);
    assert.equal(look(store, rewritten, 'rewritten'), 'unknown');
    const filled = Buffer.concat([rewritten, Buffer.alloc(bytes.length)]).subarray(0, bytes.length);
    assert.equal(look(store, filled, 'rewritten and filled up'), 'unknown');
  });

  describe('after first use', () => {
    function check(name: string, code: ProblemCode, spoil: (sandbox: Sandbox) => void): void {
      it(`${name}: ${code}`, async () => {
        const { sandbox } = await used();
        const open = [sandbox.open(), sandbox.open()];
        await open[0]!.store();
        for (const workspace of open) assert.equal(askGate(workspace, { work: 'T5' }).state, 'CLEAR');
        spoil(sandbox);
        for (const workspace of [...open, sandbox.open()]) {
          const answer = askGate(workspace, { work: 'T5' });
          assert.deepEqual([answer.verdict, answer.state], ['deny', 'UNKNOWN']);
          assert.equal(answer.problem?.code, code);
          assertDenies(workspace);
          await assert.rejects(
            async () => raiseQuestion(await workspace.store(), agent(), { ...question, text: 'And now?', work: null }),
            { name: 'StoreError', code: 'unknown-state' },
          );
        }
      });
    }

    type Named = (sandbox: Sandbox) => string;
    const journal: Named = (sandbox) => sandbox.journal;
    const holdpoint: Named = ({ at }) => at('ws', '.holdpoint');
    const elsewhere: Named = ({ at }) => at('elsewhere');
    /** Removes it, and puts this there. */
    const replaced = (named: Named, put: (file: string) => void) => (sandbox: Sandbox) => {
      fs.rmSync(named(sandbox), { recursive: true });
      put(named(sandbox));
    };
    const linked = (named: Named) => (sandbox: Sandbox) => {
      fs.renameSync(named(sandbox), elsewhere(sandbox));
      fs.symlinkSync(elsewhere(sandbox), named(sandbox));
    };
    const cut = (length: (file: string) => number) => (sandbox: Sandbox) => {
      fs.truncateSync(sandbox.journal, length(sandbox.journal));
    };
    const written = (record: object, more?: { prev: string }) => (sandbox: Sandbox) => {
      writeByHand(sandbox.journal, [record], more);
    };
    const file = (content: string | Buffer) => (name: string) => {
      fs.writeFileSync(name, content);
    };
    const nothing = () => undefined;
    const newer = { kind: 'format.changed', v: 1, minReader: 99, minWriter: 99 };
    check('the journal is missing', 'missing', replaced(journal, nothing));
    check('the store is missing', 'missing', replaced(holdpoint, nothing));
    check(
      'the journal is emptied',
      'shorter',
      cut(() => 0),
    );
    check('the journal is another, empty file', 'shorter', replaced(journal, file('')));
    check(
      'the journal is truncated',
      'shorter',
      cut((name) => readByHand(fs.readFileSync(name)).lines[3]!.end),
    );
    check('the journal is another one of the same length', 'forked', (sandbox) => {
      const { length } = fs.readFileSync(sandbox.journal);
      fs.rmSync(sandbox.journal);
      writeOther(sandbox.journal, length);
    });
    check('the journal is another file of the same size', 'damaged', (sandbox) => {
      const { length } = fs.readFileSync(sandbox.journal);
      replaced(journal, file(Buffer.alloc(length)))(sandbox);
    });
    const shorter = (name: string) => {
      writeOther(name, 0);
    };
    check('the journal is another one, shorter', 'shorter', replaced(journal, shorter));
    check('the journal is a folder', 'unsafe', replaced(journal, fs.mkdirSync));
    check('the journal is a link to itself elsewhere', 'unsafe', linked(journal));
    check('the store is a link to itself elsewhere', 'unsafe', linked(holdpoint));
    check(
      'its folder of journals is a link',
      'unsafe',
      linked((sandbox) => path.dirname(sandbox.journal)),
    );
    check('the store is a file', 'unsafe', replaced(holdpoint, file('')));
    check('foreign bytes were appended', 'damaged', (sandbox) => {
      fs.appendFileSync(sandbox.journal, 'released\n');
    });
    const other = { prev: 'f'.repeat(64) };
    check('a line with another predecessor was appended', 'forked', written({ kind: 'x' }, other));
    check('a newer program wrote to it', 'newer', written(newer));

    function writeOther(journal: string, length: number): void {
      const records = [
        {
          kind: 'workspace.created',
          v: 1,
          workspace: '00000000-0000-4000-8000-000000000000',
          minReader: 1,
          minWriter: 1,
        },
      ];
      fs.writeFileSync(
        journal,
        encode({
          at: 0,
          prev: zeros,
          op: '00000000-0000-4000-8000-000000000000',
          time: '2026-03-02T09:00:00.000Z',
          actor: { kind: 'agent', id: 'copilot-001' },
          records,
        }),
      );
      while (fs.statSync(journal).size < length)
        writeByHand(journal, [
          { kind: 'agent.registered', v: 1, id: 'claude-002', type: 'claude', host: 'x', label: 'x' },
        ]);
    }

    it('a line cut out of the journal is damage without the anchor, too, and nothing behind it is ignored', async () => {
      const { sandbox, bytes } = await used();
      const { stateFile } = sandbox.open();
      const { lines } = readByHand(bytes);
      for (const [index, { at, end }] of lines.entries()) {
        if (index === lines.length - 1) continue;
        fs.rmSync(stateFile.path, { force: true });
        fs.writeFileSync(sandbox.journal, Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]));
        const workspace = sandbox.open();
        const { verdict, problem } = askGate(workspace, { work: 'T2' });
        assert.deepEqual([verdict, problem?.code], ['deny', 'damaged'], `line ${String(index)}`);
        workspace.close();
      }
    });

    it('the same file is trusted again once restored', async () => {
      const { sandbox } = await used();
      const workspace = sandbox.open();
      await workspace.store();
      fs.renameSync(sandbox.journal, elsewhere(sandbox));
      assert.equal(askGate(workspace, { work: 'T5' }).state, 'UNKNOWN');
      fs.renameSync(elsewhere(sandbox), sandbox.journal);
      assert.equal(askGate(workspace, { work: 'T5' }).state, 'CLEAR');
      assert.equal(askGate(workspace, { work: 'T1' }).state, 'BLOCKED');
    });

    it('all programs miss a truncated line that only one of them saw', async () => {
      const { sandbox } = await used();
      const { length } = fs.readFileSync(sandbox.journal);
      const witness = sandbox.open();
      assert.equal(askGate(witness, { work: 'T5' }).state, 'CLEAR');
      // Written without updating the user-level file, like a program killed right after the write.
      writeByHand(sandbox.journal, [
        {
          kind: 'question.raised',
          v: 1,
          id: 'Q-3',
          text: 'Stop?',
          ...question,
          work: 'T5',
          expiresAt: '2026-03-03T09:00:00.000Z',
        },
      ]);
      assert.equal(askGate(witness, { work: 'T5' }).state, 'BLOCKED');
      fs.truncateSync(sandbox.journal, length);
      assert.equal(askGate(witness, { work: 'T5' }).state, 'UNKNOWN');
      assert.equal(askGate(sandbox.open(), { work: 'T5' }).state, 'UNKNOWN');
    });

    it('a program that cannot inform the others still misses a truncated line itself', async () => {
      const { sandbox } = await used();
      const { length } = fs.readFileSync(sandbox.journal);
      let full = false;
      const openSync = ((file: string, flags: string, mode?: number) => {
        if (full && flags !== 'r') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        return fs.openSync(file, flags, mode);
      }) as typeof fs.openSync;
      const witness = sandbox.open({ fs: { ...fs, openSync } });
      assert.equal(askGate(witness, { work: 'T5' }).state, 'CLEAR');
      writeByHand(sandbox.journal, [{ ...work('T9') }]);
      assert.equal(askGate(witness, { work: 'T9' }).state, 'CLEAR');
      full = true;
      fs.truncateSync(sandbox.journal, length);
      for (let asked = 0; asked < 3; asked++) assert.equal(askGate(witness, { work: 'T5' }).state, 'UNKNOWN');
    });

    it('a program that saw less does not move the anchor back', async () => {
      const { sandbox } = await used();
      const { length } = fs.readFileSync(sandbox.journal);
      const early = sandbox.open();
      await early.store();
      const other = sandbox.open();
      await registerWork(await other.store(), agent(), { id: 'T9', workKind: 'task', title: 'x' });
      other.close();
      early.close();
      fs.truncateSync(sandbox.journal, length);
      assert.equal(askGate(sandbox.open(), { work: 'T5' }).state, 'UNKNOWN');
    });
    it('a user-level file that cannot be read denies', async () => {
      const { sandbox } = await used();
      const file = sandbox.open().stateFile.path;
      for (const text of ['', 'null', '{}', '{"v":2}', fs.readFileSync(file, 'utf8').slice(0, -5)]) {
        fs.writeFileSync(file, text);
        const { state, problem } = askGate(sandbox.open(), { work: 'T5' });
        assert.deepEqual([state, problem?.code], ['UNKNOWN', 'unreadable']);
      }
    });
  });

  describe('before first use', () => {
    it('without a store: CLEAR, and asking writes nothing', () => {
      const sandbox = makeSandbox();
      assert.equal(askGate(sandbox.open(), { files: ['a'] }).state, 'CLEAR');
      assert.deepEqual(fs.readdirSync(sandbox.folder), []);
      assert.ok(!fs.existsSync(sandbox.userFolder));
    });

    it('a store is not created where a link leads elsewhere', async () => {
      const sandbox = makeSandbox();
      fs.mkdirSync(sandbox.at('elsewhere'));
      const early = await sandbox.open().store();
      fs.symlinkSync(sandbox.at('elsewhere'), sandbox.at('ws', '.holdpoint'));
      assert.equal(askGate(sandbox.open(), {}).state, 'UNKNOWN');
      await assert.rejects(async () => registerWork(early, agent(), { id: 'T1', workKind: 'task', title: 'x' }), {
        name: 'StoreError',
        code: 'unknown-state',
      });
      assert.deepEqual(fs.readdirSync(sandbox.at('elsewhere')), []);
    });

    it('a journal left empty by a crash is started again', async () => {
      const sandbox = makeSandbox();
      fs.mkdirSync(path.dirname(sandbox.journal), { recursive: true });
      fs.writeFileSync(sandbox.journal, '');
      assert.equal(askGate(sandbox.open(), {}).state, 'CLEAR');
      const store = await sandbox.open().store();
      await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'x' });
      assert.equal(askGate(sandbox.open(), { work: 'T1' }).state, 'CLEAR');
    });

    it('a store without its user-level file is recorded again by the next act', async () => {
      const { sandbox } = await used();
      fs.rmSync(sandbox.userFolder, { recursive: true });
      const workspace = sandbox.open();
      await registerWork(await workspace.store(), agent(), { id: 'T9', workKind: 'task', title: 'x' });
      assert.ok(workspace.stateFile.read()!.position > 0);
    });
  });

  it('a new store is readable by its user only', async () => {
    const { sandbox } = await used();
    const mode = (file: string) => fs.statSync(file).mode & 0o777;
    assert.equal(mode(sandbox.at('ws', '.holdpoint')), 0o700);
    assert.equal(mode(path.dirname(sandbox.journal)), 0o700);
    assert.equal(mode(sandbox.journal), 0o600);
    assert.equal(mode(sandbox.open().stateFile.path), 0o600);
    assert.match(fs.readFileSync(sandbox.at('ws', '.holdpoint', '.gitignore'), 'utf8'), /^\*$/m);
  });
});

/** Where a journal had got, as programs record it in the user's folder: by the one that writes, once for all that read. */
describe('the record of how far a journal had got', () => {
  afterEach(removeSandboxes);

  const register = async (sandbox: Sandbox, id: string) => {
    const workspace = sandbox.open();
    await registerWork(await workspace.store(), agent(), { id, workKind: 'task', title: id });
    return workspace;
  };

  /** A program that read everything, and counts how often it flushes from then on. */
  async function reader(sandbox: Sandbox) {
    let flushes = 0;
    const count = (descriptor: number, flush: (descriptor: number) => void) => {
      flushes += 1;
      flush(descriptor);
    };
    const workspace = sandbox.open({
      fs: {
        ...realFs,
        fsyncSync: (descriptor) => {
          count(descriptor, fs.fsyncSync);
        },
        fdatasyncSync: (descriptor) => {
          count(descriptor, fs.fdatasyncSync);
        },
      },
    });
    const store = await workspace.store();
    const anchor = () => {
      store.read();
      flushes = 0;
      store.anchor();
      return flushes;
    };
    return { workspace, anchor };
  }

  it('is written once: a program that reads writes and flushes nothing where the writer has', async () => {
    const sandbox = makeSandbox();
    (await register(sandbox, 'T1')).close();
    const { workspace, anchor } = await reader(sandbox);
    anchor();
    (await register(sandbox, 'T2')).close();
    const before = workspace.stateFile.stamp();
    assert.equal(anchor(), 0);
    assert.equal(workspace.stateFile.stamp(), before);
    fs.rmSync(sandbox.journal);
    assert.equal(sandbox.open().standing().problem?.code, 'missing', 'and it counts');
  });

  it('is written, after a flush, by a program that reads where the writer ended before', async () => {
    const sandbox = makeSandbox();
    (await register(sandbox, 'T1')).close();
    const { workspace, anchor } = await reader(sandbox);
    writeManyByHand(sandbox.journal, [{ records: [work('T2')] }]);
    const before = workspace.stateFile.read()?.position ?? NaN;
    assert.ok(anchor() >= 2, 'the journal and the record');
    assert.equal(workspace.stateFile.read()?.position, (await workspace.store()).position.position);
    assert.ok((workspace.stateFile.read()?.position ?? NaN) > before);
  });
});
