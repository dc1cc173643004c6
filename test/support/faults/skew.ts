/** An older and a newer program on one store: requirements for readers and writers apply immediately. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { askGate } from '../../../src/app/hold/gate.ts';
import { format, lastOfDevelopment } from '../../../src/core/records/parts.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import { stateFingerprint } from '../store/fingerprint.ts';
import { writeByHand } from '../store/handwriting.ts';
import { bundleWriter, changing, start, type Running } from '../store/programs.ts';
import { inMemory, makeSandbox, realFs, type Sandbox } from '../store/sandbox.ts';
import { agreement, namesByHand, nothingLostOrDoubled, soundJournal } from './agreement.ts';
import { ask, heldItems, heldSet, missingFrom, register, setStage } from './stage.ts';
import { aside, count, goesOn, newRow, once, scaled, type Budget, type Row } from './row.ts';

/** The format that the newer program requires. */
const next = lastOfDevelopment + 1;

/** Today's program with a newer format, and so with rows of another version, as after an update. */
async function bundleNewer(folder: string): Promise<string> {
  return bundleWriter(folder, 'newer', [
    changing(/src\/core\/records\/parts\.ts$/, /current: \d+,/, `current: ${String(next)},`),
  ]);
}

export async function skew(bundle: string, budget: Budget): Promise<Row[]> {
  const tools = makeSandbox();
  const newer = await bundleNewer(tools.base);
  const rows = [
    await together(bundle, newer, budget),
    await raisedAnywhere('minWriter', budget),
    await raisedAnywhere('minReader', budget),
  ];
  tools.remove();
  return rows;
}

function raiseFormat(sandbox: Sandbox, asked: { minReader: number; minWriter: number }): void {
  writeByHand(sandbox.journal, [{ kind: 'format.changed', v: 1, ...asked }]);
}

/** Both write; then the newer one requires a newer writer, and later a newer reader. */
async function together(older: string, newer: string, budget: Budget): Promise<Row> {
  const wanted = scaled(budget, 400);
  const row = newRow(
    'acts of an older and a newer program (another format, another database) on one store',
    wanted,
    'both save until the newer format is required; then the older one is read-only, then UNKNOWN; the newer one continues',
  );
  const sandbox = makeSandbox();
  const workspace = sandbox.open({ clock: Date.now });
  await setStage(workspace);
  const saved: string[] = [];
  const programs = [older, newer].map((bundle) => start(bundle, sandbox, { does: 'serve' }));
  for (const program of programs) assert.equal(await program.next(), 'ready');
  const [old, young] = programs as [Running, Running];
  const act = async (program: Running, id: string): Promise<string> => {
    program.give({ does: 'register', id });
    const { error } = JSON.parse((await program.next()) ?? '{"error":"ended"}') as { error?: string };
    if (error === undefined) saved.push(id);
    return error ?? 'saved';
  };
  const [untilWriter, untilReader] = [Math.ceil(wanted / 2), Math.ceil((3 * wanted) / 4)];
  for (let turn = 0; turn < wanted && goesOn(budget); turn++)
    await once(row, `turn ${String(turn)}`, async () => {
      if (turn === untilWriter) raiseFormat(sandbox, { minReader: format.minReader, minWriter: next });
      if (turn === untilReader) raiseFormat(sandbox, { minReader: next, minWriter: next });
      const ended = await Promise.all([act(old, `old-${String(turn)}`), act(young, `new-${String(turn)}`)]);
      assert.equal(ended[1], 'saved', 'the newer one writes');
      assert.equal(
        ended[0],
        turn < untilWriter ? 'saved' : turn < untilReader ? 'read-only' : 'unknown-state',
        'the older one',
      );
      count(row, `the older one: ${ended[0]}`);
      for (const work of heldItems)
        assert.equal(askGate(workspace, { work }).state, turn < untilReader ? 'BLOCKED' : 'UNKNOWN');
      assert.equal(askGate(workspace, { work: 'free' }).state, turn < untilReader ? 'CLEAR' : 'UNKNOWN');
    });
  for (const program of programs) {
    program.end();
    await program.next();
  }
  await aside(row, 'at the end', async () => {
    nothingLostOrDoubled(sandbox, saved);
    const six = await agreement(newer, sandbox);
    assert.ok(six.state);
    // Time may have run out before a newer reader was required.
    raiseFormat(sandbox, { minReader: next, minWriter: next });
    assert.equal(askGate(sandbox.open(), { work: 'free' }).state, 'UNKNOWN', 'an older one that starts now');
  });
  sandbox.remove();
  return row;
}

/** A newer program raises the requirement during the older one's commit, before each of its calls. */
async function raisedAnywhere(what: 'minReader' | 'minWriter', budget: Budget): Promise<Row> {
  const row = newRow(
    `${what} raised by a newer program, at each call of an older one's commit`,
    1,
    what === 'minWriter'
      ? "the older one's line comes before it and is acknowledged, or is refused; holds are as before"
      : "the older one's line comes before it and is acknowledged, or it is UNKNOWN and denies",
  );
  const step = Math.max(1, Math.round(0.3 / budget.scale));
  for (let at = 1, calls = Infinity; at <= calls && goesOn(budget); at += step)
    await once(row, `call ${String(at)}`, async () => {
      const sandbox = makeSandbox(inMemory);
      await setStage(sandbox.open());
      const hook = { at: Infinity, calls: 0, act: (): void => undefined };
      const workspace = sandbox.open({ fs: hooked(hook) });
      const store = await workspace.store();
      const held = heldSet(store.read().state);
      hook.calls = 0;
      hook.at = at;
      hook.act = () => {
        raiseFormat(
          sandbox,
          what === 'minReader'
            ? { minReader: next, minWriter: next }
            : { minReader: format.minReader, minWriter: next },
        );
      };
      let ended = 'saved';
      try {
        await register(store, 'T1');
        await ask(store, 'On?', 'T1');
      } catch (error) {
        assert.ok(error instanceof StoreError, String(error));
        ended = error.code;
      }
      hook.at = Infinity;
      calls = hook.calls;
      row.wanted = row.times;
      count(row, `the older one: ${ended}`);
      const names = namesByHand(sandbox);
      const kinds = soundJournal(sandbox).flatMap(({ records }) => records.map(({ kind }) => kind));
      if (kinds.includes('format.changed')) assert.equal(kinds.at(-1), 'format.changed', 'nothing of it comes after');
      if (ended === 'saved') assert.ok(names.includes('T1') && names.includes('On?'));
      else assert.ok(ended === (what === 'minReader' ? 'unknown-state' : 'read-only'), ended);
      for (const program of [workspace, sandbox.open()]) {
        for (const work of heldItems) assert.equal(askGate(program, { work }).verdict, 'deny');
        const { state } = program.standing();
        if (what === 'minReader' && kinds.includes('format.changed')) assert.equal(state, null);
        else {
          assert.ok(state);
          assert.deepEqual(missingFrom(held, heldSet(state)), []);
          assert.ok(stateFingerprint(state));
        }
      }
      sandbox.remove();
    });
  return row;
}

/** The real file system, which runs an act before its `at`-th call. */
function hooked(hook: { at: number; calls: number; act: () => void }): FileSystem {
  const wrap = (name: string, real: unknown): [string, unknown] => [
    name,
    typeof real !== 'function' || name === 'realpathSync'
      ? real
      : (...args: unknown[]): unknown => {
          if (++hook.calls === hook.at) hook.act();
          return (real as (...args: unknown[]) => unknown).apply(fs, args);
        },
  ];
  const names = [
    'openSync',
    'closeSync',
    'statSync',
    'lstatSync',
    'fstatSync',
    'existsSync',
    'readSync',
    'readFileSync',
    'writeSync',
    'fdatasyncSync',
    'fsyncSync',
  ] as const;
  return { ...realFs, ...Object.fromEntries(names.map((name) => wrap(name, fs[name]))) };
}
