/** Truncates the journal at every byte of its last 64 KiB: the machine detects the missing part. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { askGate } from '../../../src/app/hold/gate.ts';
import { stateFingerprint } from '../store/fingerprint.ts';
import { inMemory, makeSandbox } from '../store/sandbox.ts';
import { heldItems, register, ask, setStage } from './stage.ts';
import { count, goesOn, newRow, once, scaled, type Budget, type Row } from './row.ts';

const stretch = 64 * 1024;

export async function cuts(budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, stretch);
  const row = newRow(
    'the journal cut off, at each byte of its last 64 KiB',
    wanted,
    'UNKNOWN where an acknowledged line is missing, in new and running programs; otherwise unchanged',
  );
  const sandbox = makeSandbox(inMemory);
  const workspace = sandbox.open();
  await setStage(workspace);
  const store = await workspace.store();
  store.save();
  const length = () => store.position.position;
  const before = length();
  for (let number = 0; length() < before + stretch + 4_096; number++)
    if (number % 3 === 0) await register(store, `T${String(number)}`);
    else
      await ask(store, `Question ${String(number)}?`, null, {
        context: 'Words. '.repeat(number % 2 === 0 ? 20 : 900).trim(),
      });
  workspace.close();
  const whole = fs.readFileSync(sandbox.journal);
  const known = sandbox.open().stateFile.read()?.position ?? 0;
  const live = sandbox.open({ mayWrite: () => false });
  const truth = live.standing().state;
  assert.ok(truth);
  const same = stateFingerprint(truth);
  // A shorter run samples the positions, and tries all of the last ones.
  const step = stretch / wanted;
  for (let turn = 1; turn <= wanted && goesOn(budget); turn++) {
    const size = whole.length - Math.max(turn <= 64 ? turn : 0, Math.round(turn <= 64 ? 0 : turn * step));
    await once(row, `cut to ${String(size)} of ${String(whole.length)} bytes`, () => {
      fs.truncateSync(sandbox.journal, size);
      const fresh = sandbox.open({ mayWrite: () => false });
      try {
        for (const program of turn % 64 === 1 ? [fresh, live] : [fresh]) {
          const [work] = heldItems;
          const gate = askGate(program, { work });
          const { state } = program.standing();
          assert.equal(gate.verdict, 'deny');
          if (size < known) assert.equal(gate.state, 'UNKNOWN');
          else if (state) assert.equal(stateFingerprint(state), same);
        }
        count(row, fresh.standing().problem ? 'found: UNKNOWN' : 'without effect');
      } finally {
        fresh.close();
      }
    });
  }
  fs.writeFileSync(sandbox.journal, whole);
  const restored = sandbox.open().standing().state;
  if (!restored || stateFingerprint(restored) !== same) row.wrong.push('put back as it was, it is not as before');
  sandbox.remove();
  return [row];
}
