import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { acknowledgeOffered, recordOffer } from '../../../src/app/waiting/delivery.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { runs } from '../../support/runs.ts';
import { actsOnGraph, numbered, type Acting } from '../../support/store/arbitraries.ts';
import { dump, plain } from '../../support/store/dump.ts';
import { writeByHand, writeManyByHand } from '../../support/store/handwriting.ts';
import { makeLab, work } from '../../support/store/lab.ts';
import { agent, cancel, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { noting } from '../../support/store/savedState.ts';

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
