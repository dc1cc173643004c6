/** Programs with wrong and jumping clocks, on one store. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { askGate } from '../../../src/app/hold/gate.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { updateWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { agent } from '../store/people.ts';
import { inMemory, makeSandbox } from '../store/sandbox.ts';
import { agreement, nothingLostOrDoubled } from './agreement.ts';
import { ask, heldItems, heldSet, missingFrom, register, setStage } from './stage.ts';
import { aside, count, goesOn, newRandom, newRow, once, scaled, type Budget, type Row } from './row.ts';

const today = Date.parse('2026-03-02T09:00:00.000Z');
const day = 24 * 60 * 60 * 1000;
const random = newRandom(1970);

/** Clocks in milliseconds since the epoch, by turn. */
const clocks: readonly { readonly name: string; readonly now: (turn: number) => number }[] = [
  { name: 'is a day behind', now: (turn) => today - day + turn },
  { name: 'says 1970', now: (turn) => turn },
  { name: 'says 2038, where 32 bits end', now: (turn) => 2 ** 31 * 1000 - 500 + turn },
  { name: 'jumps anywhere from 1970 to 9999', now: () => random(2 ** 31) * 118_000 },
];

export async function clockFaults(bundle: string, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 500);
  const sandbox = makeSandbox(inMemory);
  let turn = 0;
  const right = sandbox.open({ clock: () => today + turn });
  await setStage(right);
  const programs: { readonly row: Row; readonly workspace: Workspace; readonly store: Store }[] = [];
  for (const { name, now } of clocks) {
    const workspace = sandbox.open({ clock: () => now(turn) });
    const store = await workspace.store();
    const row = newRow(
      `acts of a program whose clock ${name}`,
      wanted,
      'clearly saved or refused; no program sees fewer holds; the journal determines the order',
    );
    programs.push({ row, workspace, store });
  }
  const acknowledged: string[] = [];
  let held = heldSet((await right.store()).read().state);
  for (turn = 1; turn <= wanted; turn++)
    for (const { row, workspace, store } of programs) {
      if (!goesOn(budget)) break;
      await once(row, `turn ${String(turn)}`, async () => {
        const id = `T${String(turn)}-${String(programs.findIndex((one) => one.store === store))}`;
        try {
          await register(store, id);
          acknowledged.push(id);
          const text = `May ${id} go on?`;
          await ask(store, text, turn % 2 === 0 ? id : null, { mode: turn % 3 === 0 ? 'async' : 'sync' });
          acknowledged.push(text);
          if (turn % 5 === 0) await updateWork(store, agent(), { id: 'held', status: 'in_progress' });
          await sweep(store);
          count(row, 'saved');
        } catch (error) {
          assert.ok(error instanceof AppError || error instanceof StoreError, String(error));
          count(row, `refused: ${error.code}`);
        }
        const { state } = store.read();
        const now = heldSet(state);
        assert.deepEqual(missingFrom(held, now), [], 'no hold is missing');
        held = now;
        for (const work of heldItems)
          for (const program of [workspace, right]) assert.equal(askGate(program, { work }).state, 'BLOCKED');
      });
    }
  const [first] = programs;
  if (first)
    await aside(first.row, 'at the end', async () => {
      nothingLostOrDoubled(sandbox, acknowledged);
      const six = await agreement(bundle, sandbox);
      for (const { store } of programs) assert.deepEqual(fingerprint(store.read()), six);
      const late = sandbox.open({ clock: () => Date.parse('9999-12-31T00:00:00.000Z'), newId: randomUUID });
      await late.store();
      for (const work of heldItems) assert.equal(askGate(late, { work }).state, 'BLOCKED', 'in the year 9999');
    });
  sandbox.remove();
  return programs.map(({ row }) => row);
}
