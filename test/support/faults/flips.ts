/** Flips single bits of the store’s files: detected, or without effect, and never fewer holds. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { storeFolder } from '../../../src/store/journal/files.ts';
import { currentFile } from '../../../src/store/saved/current.ts';
import { stateFingerprint } from '../store/fingerprint.ts';
import { encode } from '../store/handwriting.ts';
import { inMemory, makeSandbox, type Sandbox } from '../store/sandbox.ts';
import { ask, heldItems, heldSet, missingFrom, register, setStage } from './stage.ts';
import { count, goesOn, newRandom, newRow, once, scaled, type Budget, type Row } from './row.ts';

interface Target {
  readonly name: string;
  /** Share of all runs, which are 10,000. */
  readonly share: number;
  readonly files: (sandbox: Sandbox) => readonly string[];
  /** Whether the state must be identical if nothing was detected; otherwise only no hold may be missing. */
  readonly exact: boolean;
  /** Whether the programs that read have a snapshot to start from. */
  readonly saved: boolean;
}

const targets: readonly Target[] = [
  { name: 'the journal', share: 7_500, files: ({ journal }) => [journal], exact: true, saved: false },
  { name: 'the saved state', share: 1_000, files: savedStates, exact: true, saved: true },
  { name: 'the saved database', share: 500, files: (sandbox) => [cache(sandbox, '.sqlite')], exact: true, saved: true },
  { name: "the user's state file", share: 700, files: stateFile, exact: true, saved: true },
  {
    name: "the user's key ring",
    share: 300,
    files: ({ userFolder }) => [path.join(userFolder, 'keys.json')],
    exact: false,
    saved: false,
  },
];

export async function flips(budget: Budget): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of targets) rows.push(await flipsOf(target, budget));
  return rows;
}

async function flipsOf(target: Target, budget: Budget): Promise<Row> {
  const wanted = scaled(budget, target.share);
  const row = newRow(
    `one flipped bit in ${target.name}`,
    wanted,
    target.exact
      ? 'UNKNOWN, or without any effect'
      : 'UNKNOWN, or the earlier holds plus those whose deciding key is no longer trusted',
  );
  const sandbox = await used(target.saved);
  const files = target
    .files(sandbox)
    .filter((file) => fs.existsSync(file) && fs.statSync(file).size > 0)
    .map((file) => ({ file, whole: fs.readFileSync(file) }));
  const truth = sandbox.open().standing().state;
  assert.ok(truth);
  const [held, same] = [heldSet(truth), stateFingerprint(truth)];
  const random = newRandom(target.share);
  for (let turn = 0; turn < wanted && goesOn(budget); turn++) {
    const found = files[random(files.length)];
    assert.ok(found);
    const { file, whole } = found;
    const at = random(whole.length);
    const bit = random(8);
    const descriptor = fs.openSync(file, 'r+');
    await once(row, `bit ${String(bit)} of byte ${String(at)} of ${path.basename(file)}`, async () => {
      fs.writeSync(descriptor, Buffer.of((whole[at] ?? 0) ^ (1 << bit)), 0, 1, at);
      const workspace = sandbox.open({ mayWrite: () => false });
      try {
        if (file.endsWith('.sqlite')) await workspace.store();
        for (const work of heldItems) assert.equal(askGate(workspace, { work }).verdict, 'deny', work);
        const { state } = workspace.standing();
        count(row, state ? 'without effect' : 'found: UNKNOWN');
        if (!state) return;
        assert.deepEqual(missingFrom(held, heldSet(state)), [], 'no hold is missing');
        if (target.exact) assert.equal(stateFingerprint(state), same, 'nothing is different');
      } finally {
        workspace.close();
        fs.writeSync(descriptor, whole, at, 1, at);
        fs.closeSync(descriptor);
      }
    });
  }
  sandbox.remove();
  return row;
}

/** A store with holds, an answer, and void lines: from lost races, and torn by a crash. */
async function used(saved: boolean): Promise<Sandbox> {
  const sandbox = makeSandbox(inMemory);
  const workspace = sandbox.open();
  await setStage(workspace);
  const store = await workspace.store();
  for (let number = 0; number < 8; number++) {
    if (number % 2 === 0) fs.appendFileSync(sandbox.journal, encode({ at: 1, prev: '', lost: 'a race' }));
    else fs.appendFileSync(sandbox.journal, encode({ torn: 'by a crash' }).subarray(0, 20 + 10 * number));
    await register(store, `T${String(number)}`);
    await ask(store, `Question ${String(number)}?`, `T${String(number)}`);
  }
  if (saved) {
    store.save();
  }
  workspace.close();
  return sandbox;
}

function savedStates(sandbox: Sandbox): readonly string[] {
  return [cache(sandbox, '.json'), path.join(sandbox.folder, storeFolder, currentFile)];
}

function cache(sandbox: Sandbox, ending: string): string {
  const folder = path.join(sandbox.folder, storeFolder);
  const name = fs.readdirSync(folder).find((other) => other.startsWith('holdpoint-') && other.endsWith(ending));
  assert.ok(name, `there is a ${ending}`);
  return path.join(folder, name);
}

function stateFile({ userFolder }: Sandbox): readonly string[] {
  const stores = path.join(userFolder, 'stores');
  const [name] = fs.readdirSync(stores);
  assert.ok(name);
  return [path.join(stores, name)];
}
