/** Fails every file-system call of every act, one at a time, in every way. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { updateCopy } from '../store/updateCopy.ts';
import { diagnose, recover, shownDiagnosis, type WayOut } from '../../../src/app/recovery/recovery.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { day } from '../runs.ts';
import { fingerprint, stateFingerprint } from '../store/fingerprint.ts';
import { decide, makeHuman, type Human } from '../store/people.ts';
import { inMemory, makeSandbox, type Sandbox } from '../store/sandbox.ts';
import { areKept, damagedAct, journalFiles, namesByHand } from './agreement.ts';
import { failing, failures, type Failure, type Failing } from './failing.ts';
import { ask, heldItems, register, setStage } from './stage.ts';
import { count, goesOn, newRow, once, type Budget, type Row } from './row.ts';
import { putTree, takeTree, type Tree } from './tree.ts';

/** The context of an act. */
interface Scene {
  readonly sandbox: Sandbox;
  readonly human: Human;
  readonly disk: Failing;
  /** Opened and in use before the disk fails. */
  readonly workspace: Workspace;
  readonly store: Store | null;
}

interface Case {
  readonly name: string;
  /** The files before the act. */
  readonly stage: 'nothing' | 'used' | 'damaged';
  /** Whether the program has already opened the store. */
  readonly opened: boolean;
  /** Whether it may throw only StoreError and AppError, which agents read. */
  readonly reported: boolean;
  act(scene: Scene): unknown;
  /** Names that must exist after an acknowledgement, and never more than once. */
  readonly names?: readonly string[];
  /** Work that is denied from then on. */
  readonly denied?: readonly string[];
  /** Work that is no longer held if the act was acknowledged, and may be held otherwise. */
  readonly freed?: readonly string[];
}

const secondName = 'May I rename it?';

const cases: readonly Case[] = [
  {
    name: 'first use',
    stage: 'nothing',
    opened: false,
    reported: false,
    names: ['T1', 'First?'],
    denied: ['T1'],
    async act({ sandbox, disk }) {
      const workspace = sandbox.open({ fs: disk.fs });
      const store = await workspace.store();
      if (!store.read().state.work.has('T1')) await register(store, 'T1');
      await ask(store, 'First?', 'T1');
    },
  },
  {
    name: 'open',
    stage: 'used',
    opened: false,
    reported: false,
    async act({ sandbox, disk }) {
      const workspace = sandbox.open({ fs: disk.fs });
      denies(workspace);
      await workspace.store();
      denies(workspace);
      workspace.close();
    },
  },
  {
    name: 'open in a folder below',
    stage: 'used',
    opened: false,
    reported: false,
    act({ sandbox, disk }) {
      denies(sandbox.open({ fs: disk.fs, folder: path.join(sandbox.folder, 'below') }));
    },
  },
  {
    name: 'ask the gate of a program that runs',
    stage: 'used',
    opened: true,
    reported: true,
    act({ workspace }) {
      denies(workspace);
    },
  },
  {
    name: 'raise a question',
    stage: 'used',
    opened: true,
    reported: true,
    names: [secondName],
    denied: ['free'],
    act: async ({ store }) => store && (await ask(store, secondName, 'free')),
  },
  {
    name: 'answer it, signed',
    stage: 'used',
    opened: true,
    reported: true,
    freed: heldItems,
    act: ({ workspace, human }) => decide(workspace, human, 'Q-1'),
  },
  {
    name: 'enrol a second key',
    stage: 'used',
    opened: true,
    reported: false,
    act: ({ workspace }) => enrolKey(workspace, makeHuman('Grace').publicKey, 'Grace'),
  },
  {
    name: 'write a snapshot',
    stage: 'used',
    opened: true,
    reported: false,
    act({ store }) {
      store?.save();
    },
  },
  {
    name: 'close',
    stage: 'used',
    opened: true,
    reported: false,
    names: ['T1'],
    async act({ workspace, store }) {
      if (store && !store.read().state.work.has('T1')) await register(store, 'T1');
      workspace.close();
    },
  },
  {
    name: "bring the editor's copy up to date",
    stage: 'used',
    opened: true,
    reported: false,
    act({ workspace, sandbox }) {
      updateCopy(workspace, sandbox.at('home', 'copy'));
    },
  },
  ...(['restore', 'setAside', 'startAnew'] as const).map((way): Case => ({
    name: `recovery by "${way}"`,
    stage: 'damaged',
    opened: false,
    reported: false,
    act: ({ sandbox, disk, human }) => takeWay(sandbox, disk.fs, human, way),
  })),
];

async function takeWay(sandbox: Sandbox, files: Failing['fs'], human: Human, way: WayOut): Promise<void> {
  const workspace = sandbox.open({ fs: files });
  const diagnosis = diagnose(workspace, sandbox.at('home', 'copy'));
  assert.ok(diagnosis, 'the store needs a recovery');
  await recover(workspace, human, { way, shown: shownDiagnosis(diagnosis), copyFile: sandbox.at('home', 'copy') });
}

/** Held work is denied, whatever the disk does: a gate that cannot read the store must not allow. */
function denies(workspace: Workspace): void {
  for (const work of heldItems)
    if (askGate(workspace, { work }).verdict !== 'deny') throw new Allowed(`${work} is allowed`);
  const files = ['src/held/x.ts'];
  if (askGate(workspace, { files }).verdict !== 'deny') throw new Allowed(`${files.join()} is allowed`);
}

class Allowed extends Error {}

/** @param budget a scale below 1 tests only some of the calls */
export async function calls(budget: Budget, ways: readonly Failure[] = failures): Promise<Row[]> {
  const stages = await makeStages();
  const rows: Row[] = [];
  for (const one of cases) {
    const row = newRow(
      `each call of "${one.name}" failing, one at a time: ${ways.join('; ')}`,
      0,
      'correctly reported as saved or not; after a retry it exists once; no hold is missing before or after; others read the same',
    );
    rows.push(row);
    for (const failure of ways) await everyCall(stages, one, failure, row, budget);
  }
  stages.sandbox.remove();
  return rows;
}

interface Stages {
  readonly sandbox: Sandbox;
  readonly trees: Readonly<Record<Case['stage'], Tree>>;
  readonly human: Human;
}

async function makeStages(): Promise<Stages> {
  const sandbox = makeSandbox(inMemory);
  fs.mkdirSync(path.join(sandbox.folder, 'below'));
  const nothing = takeTree(sandbox.base);
  const workspace = sandbox.open();
  const human = await setStage(workspace);
  const store = await workspace.store();
  updateCopy(workspace, sandbox.at('home', 'copy'));
  store.save();
  await register(store, 'late');
  workspace.close();
  const used = takeTree(sandbox.base);
  const bytes = damagedAct(sandbox);
  fs.writeFileSync(sandbox.journal, bytes);
  return { sandbox, trees: { nothing, used, damaged: takeTree(sandbox.base) }, human };
}

async function everyCall(stages: Stages, one: Case, failure: Failure, row: Row, budget: Budget): Promise<void> {
  const step = Math.max(1, Math.round(1 / budget.scale));
  const going = { on: true };
  // Another first call each day, so that days together try every call.
  for (let at = 1 + (day % step); going.on && row.wrong.length < 5; at += step) {
    if (!goesOn(budget)) {
      row.wanted = row.times + 1;
      return;
    }
    await once(row, `${failure}, call ${String(at)}`, async () => {
      try {
        going.on = (await oneCall(stages, one, failure, at, row)) >= at;
      } finally {
        stages.sandbox.close();
      }
    });
    row.wanted = row.times;
  }
}

/** Returns the number of calls that could fail. */
async function oneCall(
  { sandbox, trees, human }: Stages,
  one: Case,
  failure: Failure,
  at: number,
  row: Row,
): Promise<number> {
  putTree(sandbox.base, trees[one.stage]);
  const journalBefore = journalFiles(sandbox);
  const disk = failing();
  const workspace = sandbox.open({ fs: disk.fs });
  const store = one.opened ? await workspace.store() : null;
  const scene: Scene = { sandbox, human, disk, workspace, store };
  disk.arm(failure, at);
  let error: unknown = null;
  try {
    await one.act(scene);
  } catch (thrown) {
    error = thrown;
  }
  const total = disk.calls();
  disk.heal();
  if (error instanceof Allowed || error instanceof assert.AssertionError) throw error;
  const said = error instanceof StoreError || error instanceof AppError ? error.code : error ? 'an error' : 'done';
  count(row, said);
  if (one.reported) assert.notEqual(said, 'an error', `says what it was: ${String(error)}`);
  else if (error) assert.ok(error instanceof Error && /\w/.test(error.message));

  if (one.stage === 'damaged') await checkDamaged(sandbox, human, one, error === null, journalBefore);
  else await checkSound(scene, one, error === null);
  return total;
}

async function checkSound(scene: Scene, one: Case, done: boolean): Promise<void> {
  const { sandbox, workspace } = scene;
  const fresh = sandbox.open();
  const state = fresh.standing().state;
  assert.ok(state, `it is not UNKNOWN afterwards: ${fresh.standing().problem?.message ?? ''}`);
  if (one.stage === 'used') {
    const freed = done || state.questions.get('Q-1')?.resolution !== null ? (one.freed ?? []) : [];
    for (const work of heldItems)
      if (!freed.includes(work)) for (const who of [fresh, workspace]) assert.equal(verdict(who, work), 'deny', work);
    if (done) for (const work of one.freed ?? []) assert.equal(verdict(fresh, work), 'allow', work);
    assert.deepEqual(state.refusals, []);
  }
  const before = fs.existsSync(sandbox.journal) ? namesByHand(sandbox) : [];
  if (done) for (const name of one.names ?? []) assert.ok(before.includes(name), `${name} is there`);
  if (done) for (const work of one.denied ?? []) assert.equal(verdict(fresh, work), 'deny');
  // On a healthy disk, any caller can repeat the act, and its result exists once.
  const next = { ...scene, disk: failing(), workspace: fresh, store: await fresh.store() };
  await one.act(next);
  const again = sandbox.open();
  const names = namesByHand(sandbox);
  assert.equal(new Set(names).size, names.length, 'nothing is duplicated');
  for (const name of [...before, ...(one.names ?? [])]) assert.ok(names.includes(name), `${name} is there`);
  for (const work of one.denied ?? []) assert.equal(verdict(again, work), 'deny');
  for (const work of one.freed ?? []) assert.equal(verdict(again, work), 'allow');
  // The program that had the fault, one that starts from the snapshot, and one that reads from the first line.
  const standing = again.standing().state;
  assert.ok(standing);
  const same = stateFingerprint(standing);
  assert.equal(stateFingerprint(fromTheFirstLine(sandbox)), same, 'what was saved is what the journal says');
  assert.deepEqual(fingerprint((await again.store()).read()).state, same);
  const met = one.name === 'close' ? null : workspace.standing().state;
  if (met) assert.equal(stateFingerprint(met), same, 'the program that met it reads the same');
}

/** A program that knows only the trusted keys. */
function fromTheFirstLine(sandbox: Sandbox) {
  const home = sandbox.at(`home-${randomUUID()}`);
  const folder = path.join(home, path.relative(sandbox.home, sandbox.userFolder));
  fs.mkdirSync(folder, { recursive: true });
  const keyring = path.join(sandbox.userFolder, 'keys.json');
  if (fs.existsSync(keyring)) fs.copyFileSync(keyring, path.join(folder, 'keys.json'));
  const workspace = sandbox.open({ home, mayWrite: () => false });
  const { state, problem } = workspace.standing();
  workspace.close();
  fs.rmSync(home, { recursive: true });
  assert.ok(state, problem?.message);
  return state;
}

/** The recovery is done and signed, or the store is still UNKNOWN, has lost nothing, and can be recovered. */
async function checkDamaged(
  sandbox: Sandbox,
  human: Human,
  one: Case,
  done: boolean,
  damaged: readonly Buffer[],
): Promise<void> {
  assert.ok(areKept(sandbox, damaged), 'nothing is lost');
  let workspace = sandbox.open();
  // A gate answers from the saved state, which the damage did not reach; whoever opens the journal sees it.
  if (diagnose(workspace, sandbox.at('home', 'copy'))) {
    assert.ok(!done, 'what was acknowledged is done');
    const way = /"(.*)"/.exec(one.name)?.[1] as WayOut;
    await takeWay(sandbox, sandbox.open().options.fs, human, way);
    workspace = sandbox.open();
  }
  assert.equal(verdict(workspace, 'held'), 'deny');
  await register(await workspace.store(), 'after');
  const { state } = workspace.standing();
  assert.ok(state);
  assert.deepEqual(state.refusals, []);
  assert.equal(stateFingerprint(fromTheFirstLine(sandbox)), stateFingerprint(state));
}

function verdict(workspace: Workspace, work: string): 'allow' | 'deny' {
  return askGate(workspace, { work }).verdict;
}
