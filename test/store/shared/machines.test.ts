/** Machines of one team, each with a copy of the journal, on a real server. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { decideQuestion, shownHash, type Verdict } from '../../../src/app/decision/decisions.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import { addMember, createWorkspace, openWorkspace } from '../../../src/store/shared/server.ts';
import { readLocalJournal, sendJournal } from '../../../src/store/shared/replica.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { dump } from '../../support/store/dump.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { openMachine, type Machine, type MachineOptions } from '../../support/store/machines.ts';
import { adasAgent as agent, signedBy, makeHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { owner } from '../../support/postgres.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { startProxy } from '../../support/proxy.ts';
import { sharedDatabase } from '../../support/store/sharedDatabase.ts';

const ada = makeHuman('Ada');
const grace = makeHuman('Grace');
/** Every key that counts in the tests. */
let pins = [ada.pin, grace.pin];

describe('machines of one team', function () {
  this.timeout(240_000);
  const database = sharedDatabase();
  const machines: Machine[] = [];

  afterEach(async () => {
    for (const machine of machines.splice(0)) await machine.close();
    removeSandboxes();
  });

  /** A local store with everything in it, copied to the server as a new workspace. */
  async function shared(): Promise<{ workspace: string; origin: Sandbox }> {
    const origin = makeSandbox();
    const local = origin.open();
    await fillWithEverything(local, origin.clock);
    const store = await local.store();
    const workspace = store.workspaceId ?? '';
    pins = [...pins, ...local.pins()];
    local.close();
    const server = database.server('ada');
    const journal = await readLocalJournal({ root: origin.folder, fs: realFs, trust: createTrust(() => pins) });
    await createWorkspace(server, { id: workspace, name: `w${randomUUID().slice(0, 8)}`, person: 'Ada' });
    await addMember(server, workspace, { login: 'ada_agent', kind: 'agent', person: 'Ada' });
    await addMember(server, workspace, { login: 'grace', kind: 'human', person: 'Grace' });
    await sendJournal(server, workspace, journal);
    await openWorkspace(server, workspace, journal);
    return { workspace, origin };
  }

  async function machine(workspace: string, more: Partial<MachineOptions> = {}): Promise<Machine> {
    const made = await openMachine({ database, workspace, pins, ...more });
    machines.push(made);
    return made;
  }

  const journalFiles = (sandbox: Sandbox) => {
    const folder = path.dirname(sandbox.journal);
    return Object.fromEntries(
      fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')] as const)
        // The file for the next line may exist already.
        .filter(([, content]) => content !== ''),
    );
  };

  const register = (store: Machine['store'], id: string) =>
    registerWork(store, agent(), { id, workKind: 'task', title: id });

  it('copy a journal byte for byte', async () => {
    const { workspace, origin } = await shared();
    const one = await machine(workspace);
    await one.store.pull();
    assert.deepEqual(journalFiles(one.sandbox), journalFiles(origin));
    assert.equal(one.store.problem, null);
    const there = await origin.open().store();
    assert.deepEqual(dump(one.store.read()), dump(there.read()));
  });

  it('take the first answer, and tell the second human whose it was', async () => {
    const { workspace } = await shared();
    const [one, two] = [await machine(workspace, { human: 'ada' }), await machine(workspace, { human: 'grace' })];
    await one.store.pull();
    const { question } = await raiseQuestion(one.store, agent(), {
      text: 'Which?',
      type: 'decision',
      urgency: 'high',
      mode: 'sync',
      work: null,
    });
    await two.store.pull();
    const answers = await Promise.all(
      [
        { store: one.store, signer: ada },
        { store: two.store, signer: grace },
      ].map(({ store, signer }) => {
        const { state } = store.read();
        const verdict = { kind: 'answer', answer: { text: `Of ${signer.name}`, choices: [] } } satisfies Verdict;
        const shown = shownHash(state, state.questions.get(question.id)!);
        return decideQuestion(signedBy(store, signer), question.id, verdict, shown);
      }),
    );
    assert.deepEqual(answers.map(({ outcome }) => outcome).sort(), ['already', 'decided']);
    const [a, b] = answers.map((answer) => answer.question);
    assert.equal(a?.answer?.text, b?.answer?.text);
    assert.equal(a?.answered_by, b?.answered_by);
  });

  it('repair what a crash left of a copy', async () => {
    const { workspace, origin } = await shared();
    const one = await machine(workspace);
    await one.store.pull();
    await one.close();
    machines.length = 0;
    const whole = fs.readFileSync(one.sandbox.journal);
    for (const cut of [1, 2, 50, 300, 2_000]) {
      fs.writeFileSync(one.sandbox.journal, whole.subarray(0, whole.length - cut));
      const again = await openMachine({ database, workspace, pins, sandbox: one.sandbox });
      await again.store.pull();
      assert.equal(again.store.problem, null);
      await again.close();
      assert.ok(fs.readFileSync(one.sandbox.journal).equals(whole), String(cut));
    }
    assert.deepEqual(journalFiles(one.sandbox), journalFiles(origin));
  });

  it('open no connection after they were closed, which would keep their program from ending', async () => {
    const { workspace } = await shared();
    const one = await openMachine({ database, workspace, pins });
    await one.store.pull();
    await one.close();
    await assert.rejects(one.link.ring(), { name: 'StoreError', code: 'closed' });
  });

  it('are refused a human’s act by a program that has no human’s login', async () => {
    const { workspace } = await shared();
    const one = await machine(workspace);
    await one.store.pull();
    const { state } = one.store.read();
    const open = [...state.questions.values()].find(({ resolution }) => resolution === null)!;
    const verdict = { kind: 'answer', answer: { text: 'Yes.', choices: [] } } satisfies Verdict;
    await assert.rejects(
      decideQuestion(signedBy(one.store, ada), open.id, verdict, shownHash(state, open)),
      (error: unknown) =>
        error instanceof StoreError && error.code === 'offline' && error.message.includes('no login of yours'),
    );
  });

  it('stop asking what became of an act when the network stays silent', async () => {
    const { workspace } = await shared();
    const proxy = await startProxy(database.postgres);
    const settings = {
      ...settingsOfUrl(database.postgres.url('ada_agent')),
      ...{ host: '127.0.0.1', port: proxy.port },
    };
    const one = await machine(workspace, { link: { settingsFor: () => settings } });
    await one.store.pull();
    const before = proxy.opened;
    proxy.onReplyTo('append_agent', () => {
      proxy.cut();
      proxy.restore();
      proxy.hold('toServer', 'toClient');
    });
    await assert.rejects(register(one.store, 'Silent'), { name: 'StoreError', code: 'unknown-outcome' });
    // Each attempt to connect takes five seconds, and so does asking altogether.
    assert.ok(proxy.opened - before <= 3, `${String(proxy.opened - before)} attempts`);
    proxy.restore();
    await one.store.pull();
    assert.ok(one.store.read().state.work.has('Silent'));
    await one.close();
    machines.length = 0;
    await proxy.close();
  });

  it('stop when the server has another journal than the one they copied', async () => {
    const { workspace } = await shared();
    const one = await machine(workspace);
    await one.store.pull();
    await register(one.store, 'Lost');
    const admin = await database.postgres.connect(owner);
    await admin.query(
      `with gone as (delete from holdpoint.line where workspace = $1 and at = (select max(at) from holdpoint.line where workspace = $1) returning at, prev)
       update holdpoint.workspace set size = gone.at, head = gone.prev from gone where id = $1`,
      [workspace],
    );
    const isForked = (error: unknown) => error instanceof StoreError && error.code === 'unknown-state';
    await assert.rejects(one.store.pull(), isForked);
    await assert.rejects(register(one.store, 'More'), isForked);
  });
});
