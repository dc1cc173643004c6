import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { acknowledgeOffered, recordOffer } from '../../../src/app/waiting/delivery.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { registerWork, updateWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import { recipientOf } from '../../../src/core/state/askBack.ts';
import type { Delivery } from '../../../src/store/rows/deliveries.ts';
import type { Store, View } from '../../../src/store/store.ts';
import { runs } from '../../support/runs.ts';
import { actsOnGraph, globs, numbered, workIds, type Acting } from '../../support/store/arbitraries.ts';
import { dump, plain } from '../../support/store/dump.ts';
import { writeByHand, writeManyByHand } from '../../support/store/handwriting.ts';
import { makeLab, work } from '../../support/store/lab.ts';
import { heldFacts, lost } from '../../support/store/model.ts';
import { agent, cancel, decide, enrolledHuman, release, type Human } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { noting } from '../../support/store/savedState.ts';
import { withHuman } from '../../support/store/withHuman.ts';

/** Acts of an agent's program through the use cases. */
const verb = fc.oneof(
  fc.record({
    does: fc.constant('register' as const),
    id: fc.constantFrom(...workIds),
    status: fc.constantFrom('todo' as const, 'in_progress' as const, 'done' as const),
    dependsOn: fc.uniqueArray(fc.constantFrom(...workIds), { maxLength: 2 }),
    workflow: fc.option(fc.constantFrom('W1', 'W2')),
    holds: fc.uniqueArray(fc.constantFrom(...globs), { maxLength: 2 }),
  }),
  fc.record({
    does: fc.constant('update' as const),
    id: fc.constantFrom(...workIds),
    status: fc.option(
      fc.constantFrom(
        'todo' as const,
        'in_progress' as const,
        'done' as const,
        'failed' as const,
        'cancelled' as const,
      ),
      { nil: undefined },
    ),
    step: fc.option(fc.constant('next'), { nil: undefined }),
    workflow: fc.option(fc.option(fc.constantFrom('W1', 'W2')), { nil: undefined }),
    assignee: fc.option(fc.option(fc.constantFrom('copilot-001', 'claude-002')), { nil: undefined }),
    removeDependsOn: fc.uniqueArray(fc.constantFrom(...workIds), { maxLength: 2 }),
    addDependsOn: fc.uniqueArray(fc.constantFrom(...workIds), { maxLength: 1 }),
    removeHolds: fc.uniqueArray(fc.constantFrom(...globs), { maxLength: 2 }),
  }),
  fc.record({
    does: fc.constant('raise' as const),
    text: fc.constantFrom('Which way?', 'Shall I?', 'WHICH way?'),
    type: fc.constantFrom('clarification' as const, 'approval' as const),
    urgency: fc.constantFrom('low' as const, 'critical' as const),
    mode: fc.constantFrom('sync' as const, 'async' as const),
    work: fc.option(fc.constantFrom(...workIds)),
    holds: fc.uniqueArray(fc.constantFrom(...globs), { maxLength: 2 }),
  }),
  fc.record({ does: fc.constant('deliver' as const), id: fc.constantFrom('Q-1', 'Q-2', 'Q-3'), asked: fc.boolean() }),
  fc.record({ does: fc.constant('jump' as const), hours: fc.integer({ min: -100, max: 100 }) }),
);
type Verb = typeof verb extends fc.Arbitrary<infer T> ? T : never;

async function perform(store: Store, sandbox: Sandbox, acting: Verb, who = agent()): Promise<void> {
  switch (acting.does) {
    case 'register': {
      const { does: _, ...input } = acting;
      await registerWork(store, who, {
        ...input,
        workKind: acting.id.startsWith('W') ? 'workflow' : 'task',
        title: acting.id,
      });
      return;
    }
    case 'update': {
      const { does: _, ...input } = acting;
      await updateWork(store, who, input);
      return;
    }
    case 'raise': {
      const { does: _, ...input } = acting;
      await raiseQuestion(store, who, input);
      return;
    }
    case 'deliver':
      await acknowledgeOffered(store, who);
      await recordOffer(store, who, [acting.id], acting.asked);
      return;
    case 'jump':
      sandbox.clock.now += acting.hours * hour;
      await sweep(store);
  }
}

/** A use case may refuse, but not crash. */
async function mayRefuse(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    if (error instanceof StoreError && ['refused', 'held'].includes(error.code)) return false;
    throw error;
  }
}

/** The contents as found by a program that has only the journal. `snapshots`: number of snapshots removed. */
async function fresh(sandbox: Sandbox): Promise<{ workspace: Workspace; content: unknown; snapshots: number }> {
  const store = sandbox.at('ws', '.holdpoint');
  const snapshots = fs.readdirSync(store).filter((name) => name.startsWith('holdpoint-'));
  const aside = fs.mkdtempSync(sandbox.at('aside-'));
  for (const name of snapshots) fs.renameSync(path.join(store, name), path.join(aside, name));
  const workspace = sandbox.open();
  const content = dump((await workspace.store()).read());
  for (const name of snapshots) fs.renameSync(path.join(aside, name), path.join(store, name));
  return { workspace, content, snapshots: snapshots.length };
}

describe('the store', () => {
  afterEach(removeSandboxes);

  it('never releases by acts of agents, clocks or hand-written lines; replay equals the live state', async () => {
    let held = 0;
    let decided = 0;
    let undelivered = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof({ weight: 5, arbitrary: verb }, { weight: 1, arbitrary: fc.constantFrom('Q-1', 'Q-2', 'Q-3') }),
          { minLength: 15, maxLength: 40 },
        ),
        actsOnGraph(10),
        async (verbs, lines) => {
          const { sandbox, workspace, human, store } = await withHuman();
          await perform(store, sandbox, {
            does: 'register',
            id: 'W1',
            status: 'todo',
            dependsOn: [],
            workflow: null,
            holds: [],
          });
          const pendingLines = [...lines];
          for (const acting of verbs) {
            const before = heldFacts(store.read().state);
            if (typeof acting === 'string') {
              decided += await tryDecision(workspace, human, acting, before);
              continue;
            }
            await mayRefuse(async () => {
              await perform(store, sandbox, acting);
            });
            const [line] = pendingLines.splice(0, 1);
            if (line) writeLine(sandbox, store, line);
            const after = heldFacts(store.read().state);
            assert.deepEqual(lost(before, after), []);
            if (after.size > 0) held++;
          }
          await sweep(store);
          const live = dump(store.read());
          undelivered += checkUndelivered(store.read());
          workspace.close();
          const again = await fresh(sandbox);
          assert.deepEqual(again.content, live);
          again.workspace.close();
          fs.rmSync(sandbox.base, { recursive: true });
        },
      ),
      // Always all runs: a quarter reaches too few decisions.
      { numRuns: 40 },
    );
    assert.ok(
      held > 200 && decided > 10 && undelivered > 10,
      `${String(held)} states held, ${String(decided)} decisions, ${String(undelivered)} undelivered`,
    );
  }).timeout(120_000);

  /** That the kept rows are what questions and deliveries say. Returns their number. */
  function checkUndelivered({ state, rows }: View): number {
    const deliveries = rows.all<Delivery>(`SELECT * FROM deliveries WHERE what = 'outcome'`);
    const hasConfirmed = (id: string, agent: string) =>
      deliveries.some((row) => row.subject === id && row.agent === agent && row.acknowledged_at !== null);
    const expected = [...state.questions.values()].flatMap((question) => {
      const { id, resolution } = question;
      const agent_id = recipientOf(state, question);
      if (resolution === null || resolution.how === 'withdrawn' || hasConfirmed(id, agent_id)) return [];
      return [{ question_id: id, agent_id }];
    });
    const found = rows.all('SELECT id AS question_id, awaits AS agent_id FROM items WHERE awaits IS NOT NULL');
    assert.deepEqual(new Set(found), new Set(expected));
    return found.length;
  }

  function writeLine(sandbox: Sandbox, store: Store, line: Acting): void {
    if (!('records' in line)) return;
    const { state } = store.read();
    writeByHand(sandbox.journal, line.records.map((record) => numbered(record, state)) as object[], {
      actor: { ...line.actor },
      time: line.time,
    });
  }

  /** 1 if the decision released something, and then only what that question held. */
  async function tryDecision(
    workspace: Workspace,
    human: Human,
    id: string,
    before: ReadonlySet<string>,
  ): Promise<number> {
    const store = await workspace.store();
    const question = store.read().state.questions.get(id);
    if (!question) return 0;
    await decide(workspace, human, id, question.status === 'expired' ? release : cancel);
    const gone = lost(before, heldFacts(store.read().state));
    assert.ok(
      gone.every((fact) => fact.endsWith(` ${id}`)),
      gone.join('; '),
    );
    return gone.length > 0 ? 1 : 0;
  }

  describe('with a snapshot', () => {
    /** A store with some of everything, its snapshot, and acts after it. */
    async function filled(): Promise<{ sandbox: Sandbox; live: unknown }> {
      const sandbox = makeSandbox();
      const first = sandbox.open();
      const human = enrolledHuman(first);
      const store = await first.store();
      for (const id of ['W1', 'T1', 'T2'])
        await registerWork(store, agent(), {
          id,
          workKind: id === 'W1' ? 'workflow' : 'task',
          title: id,
          workflow: id === 'W1' ? null : 'W1',
          holds: ['src/a'],
        });
      for (const text of ['One?', 'Two?', 'Three?'])
        await raiseQuestion(store, agent('copilot-001', { session: 's-1' }), {
          text,
          type: 'decision',
          urgency: 'high',
          mode: 'sync',
          work: 'T1',
          choices: [{ label: 'A' }, { label: 'B', recommended: true }],
          files: [{ path: 'src/a', line: 3 }],
          holds: ['docs'],
        });
      await decide(first, human, 'Q-1', { kind: 'answer', answer: { text: 'A it is', choices: ['A'] } });
      await recordOffer(store, agent(), ['Q-1'], false);
      writeManyByHand(
        sandbox.journal,
        Array.from({ length: 600 }, (_, index) => {
          const dependsOn = [index > 0 ? `H${String(index - 1)}` : 'T1'];
          return { records: [work(`H${String(index)}`, { dependsOn })] };
        }),
      );
      writeByHand(sandbox.journal, [{ kind: 'question.answered', v: 1, id: 'Q-2', answer: { text: 'forged' } }]);
      store.read();
      first.close();
      const second = sandbox.open();
      const more = await second.store();
      await acknowledgeOffered(more, agent());
      await decide(second, human, 'Q-3', cancel);
      await raiseQuestion(more, agent(), {
        text: 'Four?',
        type: 'approval',
        urgency: 'critical',
        mode: 'sync',
        work: 'H599',
      });
      const live = dump(more.read());
      second.close();
      return { sandbox, live };
    }

    it('of arbitrary contents: later lines fold as if everything had been read', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(actsOnGraph(60), { minLength: 6, maxLength: 6 }),
          actsOnGraph(60),
          async (early, late) => {
            const sandbox = makeSandbox();
            const first = sandbox.open();
            await registerWork(await first.store(), agent(), { id: 'W1', workKind: 'workflow', title: 'First' });
            const lab = makeLab();
            const lines = (acts: readonly Acting[]) =>
              acts.flatMap((acting) => {
                if ('decides' in acting) return [];
                if (!('records' in acting)) return [];
                const records = acting.records.map((record) => numbered(record, lab.state));
                lab.write(records, acting.actor, acting.time);
                return [{ records, actor: { ...acting.actor }, time: acting.time }];
              });
            const padding = Array.from({ length: 500 }, () => ({ records: [work('W1')] }));
            writeManyByHand(sandbox.journal, [...lines(early.flat()), ...padding]);
            (await first.store()).read();
            first.close();
            writeManyByHand(sandbox.journal, lines(late));
            const second = sandbox.open();
            const content = dump((await second.store()).read());
            const quick = sandbox.open();
            const known = quick.standing().state;
            const replayed = await fresh(sandbox);
            assert.equal(replayed.snapshots, 2);
            assert.deepEqual(content, replayed.content);
            assert.ok(known);
            assert.deepEqual(plain(known), (content as { state: unknown }).state, 'without the database');
            for (const workspace of [second, quick, replayed.workspace]) workspace.close();
            fs.rmSync(sandbox.base, { recursive: true });
          },
        ),
        { numRuns: runs(8) },
      );
    });

    it('plus replay equals the live state and a full replay', async () => {
      const { sandbox, live } = await filled();
      const [snapshot] = fs
        .readdirSync(sandbox.at('ws', '.holdpoint'))
        .filter((name) => /^holdpoint-.*\.sqlite$/.test(name));
      assert.match(snapshot ?? '', /^holdpoint-\d+-[0-9a-f]{16}\.sqlite$/);
      const noted = noting();
      const fromSnapshot = sandbox.open({ fs: noted.fs });
      assert.deepEqual(dump((await fromSnapshot.store()).read()), live);
      assert.ok(noted.opened.includes('.sqlite'), 'the snapshot was used');
      assert.equal(askGate(fromSnapshot, { work: 'H300' }).verdict, 'deny');
      const replayed = await fresh(sandbox);
      assert.deepEqual(replayed.content, live);
    });

    function check(name: string, spoil: (file: string) => void): void {
      for (const ending of ['.sqlite', '.json'])
        it(`${name} (${ending}): rebuilt from the journal`, async () => {
          const { sandbox, live } = await filled();
          const store = sandbox.at('ws', '.holdpoint');
          const [file] = fs
            .readdirSync(store)
            .filter((found) => found.startsWith('holdpoint-') && found.endsWith(ending));
          spoil(path.join(store, file ?? ''));
          const gate = sandbox.open();
          const { state } = gate.standing();
          assert.ok(state);
          assert.deepEqual(plain(state), (live as { state: unknown }).state);
          assert.equal(askGate(gate, { work: 'H300' }).verdict, 'deny');
          assert.deepEqual(dump((await sandbox.open().store()).read()), live);
        });
    }

    check('removed', (file) => {
      fs.rmSync(file);
    });
    check('emptied', (file) => {
      fs.truncateSync(file);
    });
    check('cut', (file) => {
      fs.truncateSync(file, 4096);
    });
    check('with one bit turned', (file) => {
      const bytes = fs.readFileSync(file);
      bytes[bytes.length >> 1]! ^= 1;
      fs.writeFileSync(file, bytes);
    });
    check('by an agent who released everything in it', (file) => {
      const text = fs.readFileSync(file, 'latin1');
      fs.writeFileSync(file, text.replaceAll('"mode":"sync"', '"mode":"asyn"').replaceAll('sync', 'asyn'), 'latin1');
    });
    check('of another store', (file) => {
      fs.writeFileSync(file, 'SQLite format 3\0');
    });

    for (const [name, other] of [
      ['zeros', (length: number) => Buffer.alloc(length)],
      ['line feeds', (length: number) => Buffer.alloc(length, '\n')],
      ['nothing', () => Buffer.alloc(0)],
    ] as const)
      it(`is not used for a journal of ${name}`, async () => {
        const { sandbox } = await filled();
        const workspace = sandbox.open();
        const { snapshot } = workspace.stateFile.read() ?? {};
        assert.ok(snapshot);
        // Only as far as the snapshot goes: nothing is left to read after it.
        const { position, head, headAt } = snapshot;
        workspace.stateFile.replace({ v: 1, root: sandbox.folder, workspace: randomUUID(), position, head });
        const anchor = workspace.stateFile.read();
        assert.ok(anchor);
        workspace.stateFile.advance({ ...anchor, snapshot });
        fs.writeFileSync(sandbox.journal, fs.readFileSync(sandbox.journal).subarray(0, position));
        assert.equal(askGate(sandbox.open(), { work: 'W1' }).state, 'CLEAR');
        assert.ok(headAt < position);
        fs.writeFileSync(sandbox.journal, other(position));
        assert.equal(askGate(sandbox.open(), { work: 'W1' }).state, 'UNKNOWN');
        await assert.rejects(async () => (await sandbox.open().store()).read());
      });

    it('of an earlier format is rebuilt', async () => {
      const { sandbox, live } = await filled();
      const workspace = sandbox.open();
      const anchor = workspace.stateFile.read();
      assert.ok(anchor?.snapshot);
      workspace.stateFile.advance({
        ...anchor,
        position: anchor.position,
        snapshot: { ...anchor.snapshot, headAt: anchor.snapshot.headAt + 1 },
      });
      assert.deepEqual(dump((await workspace.store()).read()), live);
    });
  });
});
