/** The power fails at each change that an act makes to the disk; unflushed data is lost, kept, or partly kept. */
import assert from 'node:assert/strict';
import { askGate } from '../../../src/app/hold/gate.ts';
import { updateCopy } from '../store/updateCopy.ts';
import { diagnose, recover, shownDiagnosis } from '../../../src/app/recovery/recovery.ts';
import { setStage, ask, heldItems, register } from './stage.ts';
import { decide, type Human } from '../store/people.ts';
import { inMemory, makeSandbox, type Sandbox } from '../store/sandbox.ts';
import { areKept, damagedAct, journalFiles, nothingLostOrDoubled } from './agreement.ts';
import { losses, newDisk, type Disk, type Loss } from './disk.ts';
import { count, goesOn, newRandom, newRow, once, type Budget, type Row } from './row.ts';
import { putTree, type Tree } from './tree.ts';

/** Acts that were acknowledged before the power failed. */
interface Promised {
  readonly names: readonly string[];
  readonly denied: readonly string[];
  /** Work that a human has released. */
  readonly allowed: readonly string[];
  /** A recovery is in progress: UNKNOWN is accepted too, as long as nothing is lost. */
  readonly recovering: readonly Buffer[] | null;
}

interface Lost {
  readonly at: number;
  readonly loss: Loss;
  readonly tree: Tree;
  readonly promised: Promised;
}

/** Number of random losses for each moment. */
const chances = 3;

export async function powerLoss(budget: Budget): Promise<Row[]> {
  const sandbox = makeSandbox(inMemory);
  const every = Math.max(1, Math.round(1 / budget.scale));
  const taken: Lost[] = [];
  await play(sandbox, every, taken);
  const rows = losses.map((loss) => {
    const mine = taken.filter((one) => one.loss === loss);
    const row = newRow(
      `power loss at each change to the disk; of unflushed data: ${loss}`,
      mine.length,
      'everything acknowledged exists, and is denied or allowed as before; or UNKNOWN where a write was damaged',
    );
    return { row, mine, loss };
  });
  for (const { row, mine } of rows)
    for (const one of mine) {
      if (!goesOn(budget)) break;
      await once(row, `change ${String(one.at)}`, () => look(sandbox, one, row));
    }
  sandbox.remove();
  return rows.map(({ row }) => row);
}

/** Runs every act that changes files, and collects the possible results of a loss at each moment. */
async function play(sandbox: Sandbox, every: number, taken: Lost[]): Promise<void> {
  const disk = newDisk(sandbox.base);
  const random = newRandom(5);
  let promised: Promised = { names: [], denied: [], allowed: [], recovering: null };
  const promise = (more: Partial<Promised>) => {
    promised = { ...promised, ...more };
  };
  disk.onMoment(() => {
    const at = disk.moments();
    if (at % every !== 0) return;
    for (const loss of losses)
      for (let chance = 0; chance < (loss.startsWith('some') ? chances : 1); chance++)
        taken.push({ at, loss, tree: disk.afterLoss(loss, random), promised });
  });
  const add = (name: string) => {
    promise({ names: [...promised.names, name] });
  };

  // First use and holds.
  const workspace = sandbox.open({ fs: disk.fs });
  const human = await setStage(workspace);
  promise({
    names: ['held', 'free', 'answered', 'dependent', 'May I drop the table?', 'Which name?'],
    denied: [...heldItems],
    allowed: ['answered', 'free'],
  });
  const store = await workspace.store();
  const text = 'May I rename it?';
  promise({ allowed: ['answered'] });
  await ask(store, text, 'free');
  promise({ names: [...promised.names, text], denied: [...heldItems, 'free'], allowed: ['answered'] });
  store.anchor();
  promise({ denied: ['free'] });
  await decide(workspace, human, 'Q-1');
  promise({ allowed: ['answered', ...heldItems] });
  updateCopy(workspace, sandbox.at('home', 'copy'));
  store.save();
  await register(store, 'T1');
  add('T1');
  workspace.close();
  await overtaken(sandbox, disk, add);
  damage(sandbox, disk);
  await ways(sandbox, disk, human, promise);
}

/** One program has written but not flushed when another continues, and even ends. */
async function overtaken(sandbox: Sandbox, disk: Disk, add: (name: string) => void): Promise<void> {
  let act: (() => void) | null = null;
  const files = {
    ...disk.fs,
    fdatasyncSync(descriptor: number) {
      const now = act;
      act = null;
      now?.();
      disk.fs.fdatasyncSync(descriptor);
    },
  };
  const slow = sandbox.open({ fs: files });
  const store = await slow.store();
  const other = sandbox.open({ fs: disk.fs });
  const others = await other.store();
  act = () => {
    // The same question that is being written: the refusal says that it exists already.
    // Its answer reads the store, which is closed by then.
    ask(others, 'Slow?', null).catch(() => undefined);
    add('Slow?');
    others.anchor();
    others.save();
    other.close();
  };
  await ask(store, 'Slow?', null);
  slow.close();
}

/** Flips a bit. */
function damage(sandbox: Sandbox, disk: Disk): void {
  const bytes = damagedAct(sandbox);
  disk.spoil(sandbox.journal, bytes);
}

async function ways(
  sandbox: Sandbox,
  disk: Disk,
  human: Human,
  promise: (more: Partial<Promised>) => void,
): Promise<void> {
  for (const way of ['restore', 'startAnew'] as const) {
    const workspace = sandbox.open({ fs: disk.fs });
    promise({ names: [], denied: [], allowed: [], recovering: journalFiles(sandbox) });
    const copy = sandbox.at('home', 'copy');
    const diagnosis = diagnose(workspace, copy);
    assert.ok(diagnosis);
    await recover(workspace, human, { way, shown: shownDiagnosis(diagnosis), copyFile: copy });
    const store = await workspace.store();
    await register(store, `after-${way}`);
    promise({ names: [`after-${way}`], recovering: null });
    workspace.close();
    if (way === 'restore') damage(sandbox, disk);
  }
}

async function look(sandbox: Sandbox, { tree, promised, loss }: Lost, row: Row): Promise<void> {
  putTree(sandbox.base, tree);
  const workspace = sandbox.open();
  try {
    for (const work of promised.denied) assert.equal(askGate(workspace, { work }).verdict, 'deny', work);
    const { state, problem } = workspace.standing();
    if (promised.recovering) {
      assert.ok(areKept(sandbox, promised.recovering), 'the data from before the recovery is kept');
      count(row, problem ? 'UNKNOWN, in the middle of a recovery' : 'whole');
      return;
    }
    if (problem) {
      assert.match(loss, /zeros|cut short|some/, `it is UNKNOWN: ${problem.message}`);
      count(row, 'UNKNOWN');
      return;
    }
    count(row, 'whole');
    if (promised.names.length > 0) nothingLostOrDoubled(sandbox, promised.names);
    for (const work of promised.allowed) assert.equal(askGate(workspace, { work }).verdict, 'allow', work);
    assert.deepEqual(state.refusals, []);
    // Work continues.
    const store = await workspace.store();
    await register(store, 'next');
    nothingLostOrDoubled(sandbox, [...promised.names, 'next']);
  } finally {
    workspace.close();
  }
}
