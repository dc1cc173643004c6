/** Stops a writing program in mid-commit (SIGSTOP) while others continue, then resumes it (SIGCONT). */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { askGate } from '../../../src/app/hold/gate.ts';
import { journalByHand, readByHand } from '../store/handwriting.ts';
import { start, type Running } from '../store/programs.ts';
import { makeSandbox, type Sandbox } from '../store/sandbox.ts';
import { agreement, nothingLostOrDoubled } from './agreement.ts';
import { heldItems, register, setStage } from './stage.ts';
import { aside, count, goesOn, newRow, once, scaled, type Budget, type Row } from './row.ts';

const stopsInOne = 250;

export async function stops(bundle: string, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 1_000);
  const row = newRow(
    'a program stopped (SIGSTOP) while the journal grows, and continued (SIGCONT) after others wrote',
    wanted,
    'the others can still write; its own act is saved once; six programs agree',
  );
  while (row.times < wanted && goesOn(budget) && row.wrong.length === 0)
    await stopInOne(bundle, row, Math.min(stopsInOne, wanted - row.times), budget);
  return [row];
}

async function stopInOne(bundle: string, row: Row, times: number, budget: Budget): Promise<void> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open({ clock: Date.now });
  await setStage(workspace);
  const store = await workspace.store();
  const acknowledged: string[] = [];
  const writer = start(bundle, sandbox, { does: 'write', name: 'w' });
  const ended = listen(writer, acknowledged);
  await until(() => acknowledged.length > 0);
  for (let turn = 0; turn < times && goesOn(budget); turn++)
    await once(row, `stop ${String(turn)}`, async () => {
      const before = acknowledged.length;
      // We read its acknowledgement only after yielding, so look into the journal instead.
      if (turn % 4 === 3) await sleep(turn % 3);
      else growing(sandbox);
      writer.signal('SIGSTOP');
      await until(() => isStopped(writer));
      await sleep(1);
      // A line that counts without an acknowledgement: the program was stopped between the two.
      if (countedOf(sandbox) > acknowledged.length)
        count(row, 'stopped after writing its line, before acknowledging it');
      for (let number = 0; number < 2; number++) {
        const id = `other-${String(turn)}-${String(number)}`;
        await register(store, id);
        acknowledged.push(id);
      }
      for (const work of heldItems) assert.equal(askGate(workspace, { work }).state, 'BLOCKED');
      assert.equal(askGate(workspace, { work: 'free' }).state, 'CLEAR');
      writer.signal('SIGCONT');
      const goal = Math.max(before, acknowledged.length) + 1;
      await until(() => acknowledged.length >= goal);
    });
  writer.kill();
  await ended;
  await aside(row, 'at the end', async () => {
    nothingLostOrDoubled(sandbox, acknowledged);
    assert.deepEqual(store.read().state.refusals, []);
    await agreement(bundle, sandbox);
  });
  sandbox.remove();

  /** Number of counting acts of both programs. */
  function countedOf(one: Sandbox): number {
    const { lines } = readByHand(journalByHand(one.journal));
    return lines.filter(({ records }) =>
      records.some(({ kind, id, text }) =>
        kind === 'work.registered' ? /^(w|other)-/.test(String(id)) : String(text).startsWith('Question w-'),
      ),
    ).length;
  }
}

async function listen(writer: Running, acknowledged: string[]): Promise<void> {
  for (let line = await writer.next(); line !== null; line = await writer.next())
    if (line !== 'ready') acknowledged.push(line);
}

/** Returns once the journal has grown, or after a while; then the program is stopped wherever it is. */
function growing(sandbox: Sandbox): void {
  const { size } = fs.statSync(sandbox.journal);
  for (let tries = 0; tries < 20_000; tries++) if (fs.statSync(sandbox.journal).size > size) return;
}

/** Linux reports the state; elsewhere, waits a moment for the signal. Source: proc(5), field 3. */
function isStopped({ pid }: Running): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  } catch {
    return true;
  }
}

async function until(there: () => boolean): Promise<void> {
  for (let tries = 0; !there(); tries++) {
    if (tries > 30_000) throw new Error('no progress');
    await sleep(1);
  }
}
