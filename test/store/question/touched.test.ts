/** Files that may have changed since an agent asked, with real repositories and the real store. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { postEvent } from '../../../src/app/memory/events.ts';
import { type Changes, raiseQuestion, touchedSince } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { gitChanges } from '../../../src/hosts/gitChanges.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent } from '../../support/store/people.ts';
import { minute, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const nothing: Changes = { commits: [], files: [] };
const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
/** The time of the commit before the question. */
const earlier = '2026-03-01T10:00:00Z';
const asked = '2026-03-02T10:00:00.000Z';
const later = '2026-03-02T11:00:00Z';

async function ask(store: Store, work: string | null): Promise<void> {
  await raiseQuestion(store, agent(), {
    ...{ text: 'How long?', type: 'clarification', urgency: 'low', mode: 'async', work },
    assumption: '30 days',
  });
}

async function setting(holds: readonly string[] = ['src/export']) {
  const sandbox = makeSandbox();
  const store = await sandbox.open().store();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Export', holds: [...holds] });
  return { sandbox, store };
}

describe('files touched since a question', () => {
  afterEach(removeSandboxes);

  it('include files of the work, by any author: only those that match its globs', async () => {
    const { store } = await setting();
    await ask(store, 'T1');
    const files = ['src/export/csv.ts', 'src/exporter.ts', 'README.md'];
    assert.deepEqual(touchedSince(store.read(), 'Q-1', { ...nothing, files }), {
      byAgent: [],
      inWork: ['src/export/csv.ts'],
    });
  });

  it('are unknown if there is no work, the work names no files, or changes cannot be read', async () => {
    const { store } = await setting([]);
    await ask(store, 'T1');
    await raiseQuestion(store, agent(), {
      ...{ text: 'Alone?', type: 'clarification', urgency: 'low', mode: 'async', work: null, assumption: 'A' },
    });
    const files = ['src/export/csv.ts'];
    for (const id of ['Q-1', 'Q-2'])
      assert.deepEqual(touchedSince(store.read(), id, { ...nothing, files }), { byAgent: [], inWork: null });
    const named = await setting();
    await ask(named.store, 'T1');
    assert.equal(touchedSince(named.store.read(), 'Q-1', { commits: [], files: null }).inWork, null);
    assert.deepEqual(touchedSince(named.store.read(), 'Q-1', nothing).inWork, []);
  });

  it('by the agent are changes that it has recorded since, not other agents’, other notes or earlier ones', async () => {
    const { sandbox, store } = await setting();
    const post = async (by: string, type: 'mutation' | 'discovery', scope: string) =>
      postEvent(store, agent(by), { type, text: `About ${scope}`, priority: 'normal', scopes: [scope] });
    await post('copilot-001', 'mutation', 'before.ts');
    sandbox.clock.now += minute;
    await ask(store, 'T1');
    sandbox.clock.now += minute;
    await post('copilot-001', 'mutation', 'src/own.ts');
    await post('copilot-001', 'discovery', 'src/seen.ts');
    await post('claude-002', 'mutation', 'src/other.ts');
    assert.deepEqual(touchedSince(store.read(), 'Q-1', nothing).byAgent, ['src/own.ts']);
  });

  const messages = {
    'Change it': [],
    'Change it\n\nAgent: copilot-001': ['a.ts'],
    'Change it\n\nReviewed-by: Ada\nCo-authored-by: copilot-001 <copilot@example.org>': ['a.ts'],
    'Change it\n\nCo-authored-by: copilot-0011 <copilot@example.org>': [],
    'Change it\n\nAgent: copilot-001\n\nReverted later.': [],
    'Agent copilot-001 said so': [],
  };
  for (const [message, byAgent] of Object.entries(messages)) {
    it(`by the agent: a commit with the message ${JSON.stringify(message)} names ${byAgent.length === 0 ? 'no' : 'the'} agent`, async () => {
      const { store } = await setting();
      await ask(store, 'T1');
      const commits = [{ author: 'Ada', email: 'ada@example.org', message, files: ['a.ts'] }];
      assert.deepEqual(touchedSince(store.read(), 'Q-1', { commits, files: [] }).byAgent, byAgent);
    });
  }

  it('by the agent include commits of which it is the author', async () => {
    const { store } = await setting();
    await ask(store, 'T1');
    const commit = { message: 'Change it', author: 'Ada', email: 'ada@example.org' };
    const commits = [
      { ...commit, author: 'copilot-001', files: ['a.ts'] },
      { ...commit, email: 'copilot-001@agents.example', files: ['b.ts'] },
      { ...commit, files: ['c.ts'] },
    ];
    assert.deepEqual(touchedSince(store.read(), 'Q-1', { commits, files: [] }).byAgent, ['a.ts', 'b.ts']);
  });
});

describe('changes in git', () => {
  afterEach(removeSandboxes);

  function repository() {
    const sandbox = makeSandbox();
    const folder = sandbox.folder;
    const git = (args: readonly string[], at = later, made = at) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        env: { ...env, GIT_AUTHOR_DATE: made, GIT_COMMITTER_DATE: at },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const write = (file: string, text = file) => {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), text);
    };
    const commit = (files: readonly string[], message: string, ...times: string[]) => {
      for (const file of files) write(file, `${file} ${message}`);
      git(['add', '.']);
      git(['commit', '-q', '--allow-empty', '-m', message], ...times);
    };
    git(['init', '-q', '-b', 'main']);
    return { folder, git, write, commit };
  }

  it('include commits since then, with their files, message and author; not earlier ones that were only rebased', async () => {
    const { folder, commit } = repository();
    commit(['old.ts'], 'Before', earlier);
    commit(['moved.ts'], 'Made before, committed now', later, earlier);
    commit(['sub/ü b.ts', 'c.ts'], 'After\n\nAgent: copilot-001');
    const found = await gitChanges({ folder, env }, asked);
    assert.deepEqual(found?.commits, [
      {
        ...{ author: 'Ada', email: 'ada@example.org', message: 'After\n\nAgent: copilot-001\n' },
        files: ['c.ts', 'sub/ü b.ts'],
      },
    ]);
  });

  it('include uncommitted files: changed, staged and new ones, but no ignored ones', async () => {
    const { folder, git, write, commit } = repository();
    commit(['same.ts', 'changed.ts', 'staged.ts', 'gone.ts'], 'Before', earlier);
    write('.gitignore', 'ignored.ts\n');
    for (const file of ['changed.ts', 'staged.ts', 'new.ts', 'ignored.ts']) write(file, 'other');
    git(['add', 'staged.ts']);
    fs.rmSync(path.join(folder, 'gone.ts'));
    const found = await gitChanges({ folder, env }, asked);
    assert.deepEqual([...(found?.uncommitted ?? [])].sort(), [
      '.gitignore',
      'changed.ts',
      'gone.ts',
      'new.ts',
      'staged.ts',
    ]);
  });

  it('of a folder inside the repository are its own files, relative to it', async () => {
    const { folder, write, commit } = repository();
    commit(['app/a.ts', 'other/b.ts'], 'After');
    write('app/new.ts');
    write('other/new.ts');
    const found = await gitChanges({ folder: path.join(folder, 'app'), env }, asked);
    assert.deepEqual([found?.commits.map(({ files }) => files), found?.uncommitted], [[['a.ts']], ['new.ts']]);
  });

  it('cannot be faked by a commit message, and no configured program is started', async () => {
    const { folder, git, commit } = repository();
    const trap = path.join(folder, '.git', 'started');
    commit(['a.ts'], 'x\n\u0001\u0002\n\ncommit 0000\nAuthor: copilot-001');
    git(['config', 'core.fsmonitor', `touch ${trap}; false`]);
    git(['config', 'diff.external', `touch ${trap}`]);
    git(['config', 'log.showSignature', 'true']);
    const found = await gitChanges({ folder, env }, asked);
    assert.deepEqual(
      found?.commits.map(({ author, files }) => [author, files]),
      [['Ada', ['a.ts']]],
    );
    assert.equal(fs.existsSync(trap), false);
  });

  it('are empty outside of a repository, and before the first commit', async () => {
    const { folder } = makeSandbox();
    assert.equal(await gitChanges({ folder, env }, asked), null);
    assert.equal(await gitChanges({ folder: repository().folder, env }, asked), null);
  });
});
