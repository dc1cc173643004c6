/** Repeatedly kills programs while they write. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { askGate } from '../../../src/app/hold/gate.ts';
import { start } from '../store/programs.ts';
import { makeSandbox } from '../store/sandbox.ts';
import { agreement, nothingLostOrDoubled } from './agreement.ts';
import { aside, count, goesOn, newRow, scaled, type Budget, type Row } from './row.ts';

const writers = 4;
/** Each workspace starts with a race of first use, and is replaced before reading it takes long. */
const killsInOne = 200;

export async function kills(bundle: string, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 1_000);
  const row = newRow(
    `${String(writers)} programs that write, one of them killed (SIGKILL) and restarted`,
    wanted,
    'everything acknowledged exists, once; six programs agree; what is held stays held',
  );
  while (row.times < wanted && goesOn(budget) && row.wrong.length === 0)
    await killInOne(bundle, row, Math.min(killsInOne, wanted - row.times), budget);
  return [row];
}

async function killInOne(bundle: string, row: Row, times: number, budget: Budget): Promise<void> {
  const sandbox = makeSandbox();
  const acknowledged: string[] = [];
  let begun = 0;

  /** Kills its program during an act after a few acknowledgements, and starts another. */
  async function lane(name: string): Promise<void> {
    for (let round = 0; begun < times && goesOn(budget); round++) {
      begun++;
      const writer = start(bundle, sandbox, { does: 'write', name: `${name}${String(round)}` });
      // Some are killed as soon as they are ready, even during first use.
      const life = (round * 7) % 12;
      let said = 0;
      for (let line = await writer.next(); line !== null; line = await writer.next()) {
        if (line !== 'ready') acknowledged.push(line);
        if (said++ !== life) continue;
        if (round % 2 === 1) await sleep(round % 5);
        writer.kill();
        row.times++;
      }
      if (said <= life) row.wrong.push(`${name}${String(round)} ended by itself`);
    }
  }

  await Promise.all(Array.from({ length: writers }, (_, index) => lane('abcd'.charAt(index))));
  count(row, 'acts acknowledged', acknowledged.length);
  await aside(row, `after ${String(row.times)} kills`, async () => {
    nothingLostOrDoubled(sandbox, acknowledged);
    await agreement(bundle, sandbox);
    const workspace = sandbox.open({ clock: Date.now });
    assert.deepEqual(workspace.standing().state?.refusals, []);
    if (acknowledged.some((text) => text.endsWith('?')))
      assert.equal(askGate(workspace, { session: 'unknown' }).state, 'BLOCKED');
  });
  sandbox.remove();
}
