/** What is waiting in all workspaces of one user, read from other programs' stores. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { recentlyDecided, waitingCount } from '../../../src/app/question/views.ts';
import { type RaiseInput, raiseQuestion } from '../../../src/app/question/questions.ts';
import { appoint, shownAppointmentHash } from '../../../src/app/request/decisions.ts';
import { createRequest, registerResponsibility } from '../../../src/app/request/requests.ts';
import { hideFolders, byUrgency, inboxCount, type InboxWorkspace, openInbox } from '../../../src/app/waiting/inbox.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { stateFileName } from '../../../src/store/journal/stateFile.ts';
import { checkPrinted } from '../../support/outputs.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import {
  agent,
  askAgent,
  cancel,
  decide,
  enrolledHuman,
  holdFiles,
  type Human,
  release,
  signedBy,
} from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { markShared } from '../../support/store/sharing.ts';
import { treeOf } from '../../support/tree.ts';
import { runCli } from '../../support/store/runCli.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { confirmableCount, countOf, criticalIn, orderOf, widenedIn } from '../../../src/ui/tree/alikeRows.ts';
import { withHuman } from '../../support/store/withHuman.ts';

interface Machine extends Sandbox {
  readonly folderOf: (name: string) => string;
  readonly openIn: (name: string) => Workspace;
  readonly look: () => InboxWorkspace[];
}

/** One user with any number of folders. */
function makeMachine(): Machine {
  const sandbox = makeSandbox();
  const folderOf = (name: string) => {
    fs.mkdirSync(sandbox.at(name), { recursive: true });
    return sandbox.at(name);
  };
  return {
    ...sandbox,
    folderOf,
    openIn: (name) => sandbox.open({ folder: folderOf(name) }),
    look: () => [...inboxIn(sandbox).look()].sort(byUrgency),
  };
}

function inboxIn({ home, clock }: Sandbox, files = realFs) {
  return openInbox({ fs: files, env: {}, platform: 'linux', home, clock: () => clock.now, newId: () => 'x' });
}

async function ask(workspace: Workspace, text: string, more: Partial<RaiseInput> = {}, who = agent()): Promise<string> {
  const asked = { text, type: 'decision', urgency: 'medium', mode: 'sync', work: null, ...more } as const;
  const { question } = await raiseQuestion(await workspace.store(), who, asked);
  return question.id;
}

async function requestToHuman(workspace: Workspace, signer: Human): Promise<void> {
  const store = await workspace.store();
  const boss = { id: 'boss', kind: 'human', name: 'Boss', agents: [] } as const;
  await appoint(signedBy(store, signer), boss, shownAppointmentHash(store.read().state, boss));
  await registerResponsibility(store, agent('asker-001'), { id: 'asker', kind: 'agent', name: 'Asker', agents: [] });
  await createRequest(store, agent('asker-001'), {
    ask: { type: 'request_for_action', payload: { suggested_actions: [], links: [], tags: [] } },
    ...{ subject: 'Look.', summary: 'It fails.', target: 'boss' },
  });
}

async function askAndClose(machine: Machine, name: string, ...texts: string[]): Promise<void> {
  const workspace = machine.openIn(name);
  for (const text of texts) await ask(workspace, text);
  workspace.close();
}

const brief = ({ project, state, items }: InboxWorkspace) => [project, state, ...items.map(({ id }) => id)].join(' ');

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder });

describe('the inbox', () => {
  afterEach(removeSandboxes);

  it('lists the items of every folder, the most pressing folder first', async () => {
    const machine = makeMachine();
    await askAndClose(machine, 'web', 'Which colour?');
    machine.clock.now += minute;
    const api = machine.openIn('api');
    await ask(api, '**JWT** or sessions?\nSee the wiki.', { urgency: 'critical' }, agent('claude-002'));
    await ask(api, 'Which port?', { mode: 'async', assumption: '80' });
    api.close();
    await askAndClose(machine, 'quiet');
    machine.openIn('unused').close();

    const [first, second, ...others] = machine.look();
    assert.deepEqual(others, []);
    assert.deepEqual(first, {
      project: 'api',
      folder: machine.at('api'),
      person: null,
      state: 'readable',
      problem: null,
      items: [
        {
          ...{ id: 'Q-1', kind: 'question', title: 'JWT or sessions?…', urgency: 'critical', holding: true, for: null },
          ...{ waiting_since: '2026-03-02T09:01:00.000Z', asked_by: 'claude-002', folder: machine.at('api') },
        },
        {
          ...{ id: 'Q-2', kind: 'question', title: 'Which port?', urgency: 'medium', holding: false, for: null },
          ...{ waiting_since: '2026-03-02T09:01:00.000Z', asked_by: 'copilot-001', folder: machine.at('api') },
        },
      ],
    });
    assert.ok(second);
    assert.equal(brief(second), 'web readable Q-1');
    assert.equal(inboxCount([first, second]), 3);
  });

  it('has as many items as the editor of that folder counts, of every kind', async () => {
    const machine = makeMachine();
    const workspace = machine.openIn('all');
    await fillWithEverything(workspace, machine.clock);
    const human = enrolledHuman(workspace);
    await askAgent(workspace, human, await ask(workspace, 'Asked back?'));
    await decide(workspace, human, await ask(workspace, 'Answered?'));
    await requestToHuman(workspace, human);
    const { state } = workspace.standing();
    assert.ok(state);
    const [found] = machine.look();
    assert.equal(found?.items.length, waitingCount(state));
    assert.deepEqual([...new Set(found.items.map(({ kind }) => kind))].sort(), [
      'proposal',
      'question',
      'request',
      'rfc',
    ]);
  });

  it('changes no file, neither in the folders nor in the user-level one', async () => {
    const machine = makeMachine();
    await askAndClose(machine, 'api', 'Expired by now?');
    await askAndClose(machine, 'broken', 'One?', 'Two?');
    await askAndClose(machine, 'gone', 'One?');
    const journal = path.join(machine.at('broken'), '.holdpoint', 'journal', '00000001.jsonl');
    fs.writeFileSync(journal, fs.readFileSync(journal, 'utf8').replace('One?', 'Ten?'));
    fs.rmSync(machine.at('gone'), { recursive: true });
    machine.clock.now += 100 * 24 * 60 * minute;
    const before = treeOf(machine.base);
    const inbox = inboxIn(machine);
    for (let n = 0; n < 2; n++)
      assert.deepEqual([...inbox.look()].map(brief).sort().slice(0, 2), ['api readable Q-1', 'broken unknown']);
    assert.deepEqual(treeOf(machine.base), before);
  });

  it('reads a folder again only after its files changed', async () => {
    const machine = makeMachine();
    await askAndClose(machine, 'api', 'One?');
    await askAndClose(machine, 'web', 'One?');
    const opened: string[] = [];
    const inbox = inboxIn(machine, {
      ...realFs,
      openSync: (...given: Parameters<typeof fs.openSync>) => {
        opened.push(path.relative(machine.base, String(given[0])).split(path.sep)[0] ?? '');
        return fs.openSync(...given);
      },
    });
    const look = () => {
      opened.length = 0;
      const found = [...inbox.look()].map(brief).sort();
      return { found, opened: [...new Set(opened)].filter((name) => name !== 'home').sort() };
    };
    assert.deepEqual(look(), { found: ['api readable Q-1', 'web readable Q-1'], opened: ['api', 'web'] });
    assert.deepEqual(look(), { found: ['api readable Q-1', 'web readable Q-1'], opened: [] });
    await askAndClose(machine, 'web', 'Two?');
    assert.deepEqual(look(), { found: ['api readable Q-1', 'web readable Q-1 Q-2'], opened: ['web'] });
    const human = enrolledHuman(machine.openIn('api'));
    assert.deepEqual(look().opened, ['api', 'web'], 'other keys make other decisions count');
    await decide(machine.openIn('api'), human, 'Q-1');
    assert.deepEqual(look().found, ['api readable', 'web readable Q-1 Q-2']);
  });

  it('shows one store once, however many worktrees use it, and opens the worktree that asked', async () => {
    const machine = makeMachine();
    const main = machine.folderOf('api');
    git(main, 'init', '-q');
    git(main, 'commit', '-q', '--allow-empty', '-m', 'Start');
    git(main, 'worktree', 'add', '-q', machine.at('linked'));
    await askAndClose(machine, 'api', 'Here?');
    const linked = machine.openIn('linked');
    await ask(linked, 'There?', {}, agent('copilot-001', { worktree: linked.worktree }));
    await ask(linked, 'Nowhere?', {}, agent('copilot-001', { worktree: '../elsewhere' }));
    linked.close();
    machine.folderOf('elsewhere');
    const folders = () => machine.look().map(({ items }) => items.map(({ folder }) => path.basename(folder)));
    assert.deepEqual(folders(), [['api', 'linked', 'api']]);
    fs.rmSync(machine.at('linked'), { recursive: true });
    assert.deepEqual(folders(), [['api', 'api', 'api']]);
  });

  it('leaves out what is open beside it', async () => {
    const machine = makeMachine();
    for (const name of ['api', 'web']) await askAndClose(machine, name, 'One?');
    const inbox = inboxIn(machine);
    assert.deepEqual([...inbox.look([{ root: machine.at('api'), workspace: null }])].map(brief), ['web readable Q-1']);
  });

  it('shows clones of a shared workspace once, by its name, and copies of a folder apart', async () => {
    const machine = makeMachine();
    await askAndClose(machine, 'one', 'One?');
    const id = machine.openIn('one').standing().state?.workspace?.id ?? '';
    machine.close();
    fs.cpSync(machine.at('one'), machine.at('two'), { recursive: true });
    await askAndClose(machine, 'two', 'Two?');
    assert.deepEqual(machine.look().map(brief).sort(), ['one readable Q-1', 'two readable Q-1 Q-2']);
    for (const name of ['one', 'two']) markShared(machine.openIn(name), undefined, 'payments');
    machine.close();
    assert.deepEqual(
      machine.look().map(({ project }) => project),
      ['payments'],
    );
    assert.deepEqual([...inboxIn(machine).look([{ root: machine.at('three'), workspace: id }])], []);
    fs.rmSync(machine.at('one'), { recursive: true });
    assert.deepEqual(machine.look().map(brief), ['payments readable Q-1 Q-2'], 'the clone that still exists');
  });

  describe('does not forget', () => {
    it('a folder that vanished, until a human removes it from the list', async () => {
      const machine = makeMachine();
      await askAndClose(machine, 'api', 'One?');
      fs.renameSync(machine.at('api'), machine.at('moved'));
      assert.deepEqual(machine.look().map(brief), ['api missing']);
      hideFolders({ fs: realFs, newId: () => 'x' }, machine.userFolder, [machine.at('api')]);
      assert.deepEqual(machine.look(), []);
      fs.renameSync(machine.at('moved'), machine.at('api'));
      assert.deepEqual(machine.look().map(brief), ['api readable Q-1'], 'a folder that exists is never hidden');
    });

    it('a folder whose place another one took through a link', async () => {
      const machine = makeMachine();
      for (const name of ['api', 'web']) await askAndClose(machine, name, 'One?');
      fs.rmSync(machine.at('api'), { recursive: true });
      fs.symlinkSync(machine.at('web'), machine.at('api'));
      assert.deepEqual(machine.look().map(brief), ['web readable Q-1', 'api missing']);
    });

    for (const [name, harm] of [
      [
        'a journal that was deleted',
        (machine: Machine) => {
          fs.rmSync(machine.at('api', '.holdpoint'), { recursive: true });
        },
      ],
      [
        'a journal that was emptied',
        (machine: Machine) => {
          fs.writeFileSync(machine.at('api', '.holdpoint', 'journal', '00000001.jsonl'), '');
        },
      ],
      [
        'a store that became a link',
        (machine: Machine) => {
          fs.renameSync(machine.at('api', '.holdpoint'), machine.at('store'));
          fs.symlinkSync(machine.at('store'), machine.at('api', '.holdpoint'));
        },
      ],
    ] as const)
      it(`${name}: UNKNOWN, not empty`, async () => {
        const machine = makeMachine();
        await askAndClose(machine, 'api', 'One?');
        harm(machine);
        const found = machine.look();
        assert.deepEqual(found.map(brief), ['api unknown']);
        assert.equal(inboxCount(found), 1);
      });

    it('a workspace whose record cannot be read', async () => {
      const machine = makeMachine();
      await askAndClose(machine, 'api', 'One?');
      await askAndClose(machine, 'web', 'One?');
      const record = path.join(machine.userFolder, 'stores', stateFileName(machine.at('api')));
      fs.writeFileSync(record, '{');
      fs.writeFileSync(`${record}.x.tmp`, '{');
      const [first, ...others] = machine.look();
      assert.deepEqual([first?.state, first?.folder], ['unknown', null]);
      assert.match(first?.problem?.what ?? '', /cannot be read/);
      assert.deepEqual(others.map(brief), ['web readable Q-1']);
    });

    it('workspaces whose records cannot be listed', () => {
      const machine = makeMachine();
      fs.mkdirSync(machine.userFolder, { recursive: true });
      fs.writeFileSync(path.join(machine.userFolder, 'stores'), '');
      assert.deepEqual(
        machine.look().map(({ state }) => state),
        ['unknown'],
      );
    });
  });

  describe('on the command line', () => {
    async function inbox(machine: Machine, ...argv: string[]): Promise<{ code: number; out: string }> {
      const { code, said } = await runCli(machine, ['inbox', ...argv]);
      return { code, out: said.join('\n') };
    }

    it('prints a table for each workspace and exits with 0', async () => {
      const machine = makeMachine();
      assert.deepEqual(await inbox(machine), { code: 0, out: 'Nothing is waiting.' });
      await askAndClose(machine, 'api', 'JWT or sessions?', 'Port \u202e80?');
      await askAndClose(machine, 'gone', 'One?');
      fs.rmSync(machine.at('gone'), { recursive: true });
      const { code, out } = await inbox(machine);
      assert.equal(code, 0);
      assert.match(out, /^api \(.*api\): 2 waiting$/m);
      assert.match(out, /^ {2}Q-1 {2}question {2}medium .* copilot-001 {2}JWT or sessions\?$/m);
      assert.match(out, /^gone \(.*gone\): the folder is missing\.$/m);
      assert.doesNotMatch(out, /\u202e/);
    });

    it('with --for leaves out what is for others', async () => {
      const machine = makeMachine();
      const api = machine.openIn('api');
      await ask(api, 'For Ada?', { for: 'Ada' });
      await ask(api, 'For Grace?', { for: 'Grace' });
      await ask(api, 'For everybody?');
      api.close();
      const { out } = await inbox(machine, '--for', 'ada');
      assert.match(out, /: 2 waiting$/m);
      assert.match(out, /For Ada\?/);
      assert.doesNotMatch(out, /Grace/);
      assert.match((await inbox(machine)).out, /: 3 waiting$/m);
    });

    it('prints JSON that follows the published schema', async () => {
      const machine = makeMachine();
      const all = machine.openIn('all');
      await fillWithEverything(all, machine.clock);
      all.close();
      const { code, out } = await inbox(machine, '--json');
      checkPrinted(out);
      const data = JSON.parse(out) as { total: number; unknown: number; workspaces: { items: { kind: string }[] }[] };
      assert.deepEqual([code, data.unknown, data.total], [0, 0, data.workspaces[0]?.items.length]);
      assert.ok(data.total > 3);
    });

    it('says UNKNOWN and exits with 2, and still prints the others', async () => {
      const machine = makeMachine();
      for (const name of ['api', 'web']) await askAndClose(machine, name, 'One?');
      fs.rmSync(machine.at('api', '.holdpoint'), { recursive: true });
      const said = await inbox(machine);
      assert.equal(said.code, 2);
      assert.match(said.out, /^api \(.*\): UNKNOWN\. The journal of this workspace is missing\.$/m);
      assert.match(said.out, /^web \(.*\): 1 waiting$/m);
      const { code, out } = await inbox(machine, '--json');
      checkPrinted(out);
      assert.deepEqual([code, (JSON.parse(out) as { unknown: number }).unknown], [2, 1]);
    });
  });
});

/** The order of waiting questions, and the latest decisions: what the tree and the forms are drawn from. */
describe('the order of waiting questions', () => {
  afterEach(removeSandboxes);

  async function setting() {
    const { sandbox, workspace, human, store } = await withHuman();
    await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Clean up' });
    const asked = { type: 'decision', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
    const ask = async (text: string) => (await raiseQuestion(store, agent(), { ...asked, text })).question.id;
    const order = () => orderOf(workspace, store.read().state);
    return { sandbox, workspace, human, store, ask, order };
  }

  it('is computed once for a position of the journal, and again after it', async () => {
    const { sandbox, workspace, human, ask, order } = await setting();
    const id = await ask('What now?');
    const first = order();
    assert.equal(order(), first);
    // A program beside this one.
    const other = await sandbox.open().store();
    const question = { type: 'decision', urgency: 'critical', mode: 'sync', work: 'T1', text: 'And then?' } as const;
    const { question: second } = await raiseQuestion(other, agent('other-001'), question);
    assert.deepEqual(
      order().map((one) => one.id),
      [second.id, id],
    );
    await decide(workspace, human, second.id);
    assert.deepEqual(
      order().map((one) => one.id),
      [id],
    );
  });

  it('has counts beside it, which follow every act', async () => {
    const { workspace, human, store } = await setting();
    const counts = () => {
      const { state } = store.read();
      return {
        waiting: countOf(workspace, state),
        critical: criticalIn(workspace, state).map(({ id }) => id),
        widened: widenedIn(workspace, state).map(({ id }) => id),
        confirmable: [undefined, 'copilot-001', 'other-001'].map((id) => confirmableCount(workspace, state, id)),
      };
    };
    const none = { waiting: 0, critical: [], widened: [], confirmable: [0, 0, 0] };
    assert.deepEqual(counts(), none);
    const asked = { type: 'decision', urgency: 'critical', mode: 'sync', work: 'T1', text: 'What now?' } as const;
    await raiseQuestion(store, agent(), asked);
    const one = { ...none, waiting: 1, critical: ['Q-1'] };
    assert.deepEqual(counts(), one);
    const assumed = { type: 'decision', urgency: 'low', mode: 'async', work: null, assumption: 'Yes.' } as const;
    await raiseQuestion(store, agent('other-001'), { ...assumed, text: 'May I?' });
    const two = { ...one, waiting: 2, confirmable: [1, 0, 1] };
    assert.deepEqual(counts(), two);
    await holdFiles(workspace, human, 'Q-1', 'all');
    assert.deepEqual(counts(), { ...two, widened: ['Q-1'] });
    await askAgent(workspace, human, 'Q-1');
    assert.deepEqual(counts(), { ...two, waiting: 1, widened: ['Q-1'] });
    await decide(workspace, human, 'Q-1');
    assert.deepEqual(counts(), { ...two, waiting: 1, critical: [] });
    await decide(workspace, human, 'Q-2', cancel);
    assert.deepEqual(counts(), none);
  });

  it('has the latest decisions of humans beside it, newest first', async () => {
    const { sandbox, workspace, human, store, ask } = await setting();
    const ids: string[] = [];
    for (const text of ['One?', 'Two?', 'Three?', 'Four?']) ids.push(await ask(text));
    const [one = '', two = '', three = ''] = ids;
    for (const [id, verdict] of [
      [three, cancel],
      [one, undefined],
      [two, release],
    ] as const) {
      sandbox.clock.now += 1_000;
      await decide(workspace, human, id, verdict);
    }
    const decided = (atMost: number) => recentlyDecided(store.read(), atMost).map(({ id }) => id);
    assert.deepEqual(decided(10), [two, one, three]);
    assert.deepEqual(decided(2), [two, one]);
  });
});
