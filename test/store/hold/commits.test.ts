/** Commits of files whose names no hold can have, and of links: the gate judges the entry that git recorded. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { agent } from '../../support/store/people.ts';
import { holdpoint, ioOf, makeRepository, type Repository } from '../../support/store/repository.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { changesOf } from '../../../src/cli/hold/commitGate.ts';

const held = 'src/pay/send.ts';

const deep = Array.from({ length: 6 }, () => 'd'.repeat(200)).join('/');

const odd: readonly (readonly [name: string, make: (folder: string) => void])[] = [
  ['a name of more than 1,000 characters', (folder) => makeDeep(folder)],
  ['a line break in a name', (folder) => fs.writeFileSync(path.join(folder, 'a\nb'), 'x')],
  ['a name like that of a drive', (folder) => fs.writeFileSync(path.join(folder, 'C:foo'), 'x')],
  ['a name that begins with a backslash', (folder) => fs.writeFileSync(path.join(folder, '\\foo'), 'x')],
];

const links: readonly (readonly [name: string, target: string])[] = [
  ['out of the workspace', '/etc/hosts'],
  ['to itself', 'link'],
  ['to a held file', held],
];

function makeDeep(folder: string): void {
  fs.mkdirSync(path.join(folder, deep), { recursive: true });
  fs.writeFileSync(path.join(folder, deep, 'f'), 'x');
}

describe('a commit', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  let place: Sandbox;
  let repository: Repository;
  beforeEach(() => {
    place = makeSandbox();
    repository = makeRepository(place);
  });
  afterEach(removeSandboxes);

  async function ask(holds: string): Promise<void> {
    const workspace = place.open();
    await raiseQuestion(await workspace.store(), agent(), {
      ...{ type: 'decision', urgency: 'medium', mode: 'sync' },
      ...{ text: 'Shall I send?', work: null, holds: [holds] },
    });
  }

  /** The exit codes for what is staged, and for the commit of it. */
  async function codes(): Promise<number[]> {
    repository.git('add', '--all', '--', ':!.holdpoint');
    const staged = await holdpoint(place, repository.folder, 'gate', '--staged');
    repository.git('commit', '--quiet', '-m', 'Change');
    const committed = await holdpoint(place, repository.folder, 'gate', '--commit', 'HEAD');
    return [staged.code, committed.code];
  }

  for (const [name, make] of odd) {
    it(`with ${name} is allowed while nothing is held`, async () => {
      make(repository.folder);
      assert.deepEqual(await codes(), [0, 0]);
    });

    it(`with ${name} is denied while files are held`, async () => {
      await ask(held);
      make(repository.folder);
      assert.deepEqual(await codes(), [2, 2]);
    });
  }

  for (const [where, target] of links)
    it(`of a link ${where} is allowed, but not if the link is held`, async () => {
      const link = path.join(repository.folder, 'link');
      fs.symlinkSync(target, link);
      assert.deepEqual(await codes(), [0, 0]);
      fs.rmSync(link);
      fs.symlinkSync(`./${target}`, link);
      await ask(held);
      assert.deepEqual(await codes(), [0, 0]);
      fs.rmSync(link);
      fs.writeFileSync(link, '');
      await ask('link');
      assert.deepEqual(await codes(), [2, 2]);
    });

  it('of a held file is denied by the name in the commit and by the real path of its folder', async () => {
    const { folder } = repository;
    await ask(held);
    fs.writeFileSync(path.join(folder, held), 'new');
    assert.deepEqual(await codes(), [2, 2]);
    // Now a link is where the folder was.
    fs.renameSync(path.join(folder, 'src/pay'), path.join(folder, 'src/paid'));
    fs.symlinkSync('auth', path.join(folder, 'src/pay'));
    assert.deepEqual(await codes(), [2, 2]);
  });

  it('of a file in a folder that is a link now is denied where the real path is held', async () => {
    const { folder } = repository;
    repository.commit({ 'old/send.ts': 'x' });
    await ask(held);
    const committed = () => holdpoint(place, folder, 'gate', '--commit', 'HEAD');
    assert.equal((await committed()).code, 0);
    fs.rmSync(path.join(folder, 'old'), { recursive: true });
    fs.symlinkSync('src/pay', path.join(folder, 'old'));
    assert.equal((await committed()).code, 2);
  });
});

/** What `holdpoint gate --commit` and `--staged` read from git, which an agent controls. */
afterEach(removeSandboxes);

function setting() {
  const place = makeSandbox();
  const repository = makeRepository(place);
  const io = ioOf(place, place.folder);
  const trace = path.join(place.home, 'git.trace');
  const read = (options: Parameters<typeof changesOf>[2]) =>
    changesOf({ ...io, env: { ...io.env, GIT_TRACE: trace } }, place.open(), options).map(({ files, message }) => ({
      files: files.map((file) => path.relative(repository.folder, file)).toSorted(),
      message: message.trim(),
    }));
  const started = () => fs.readFileSync(trace, 'utf8').match(/built-in: git .*/g)?.length;
  return { place, repository, read, started };
}

describe('commits that the gate is asked about', () => {
  it('each have their own files and message, and git is started six times for all', () => {
    const { repository, read, started } = setting();
    const { git, commit } = repository;
    const first = commit({ 'a.txt': 'a\n' }, { message: 'As in Q-1' });
    commit({}, { message: 'Nothing\n\nSee Q-2.' });
    // Named like a commit, and like a line of git's output.
    commit({ [first]: 'x\n', ':100644 100644 a b M': 'y\n' }, { message: 'Odd names' });
    git('checkout', '--quiet', '-b', 'side', first);
    commit({ 'side.txt': 's\n', 'a.txt': 'b\n' }, { message: 'Side' });
    git('checkout', '--quiet', 'feature');
    git('merge', '--quiet', '--no-edit', '-m', 'Merge', 'side');
    assert.deepEqual(
      read({ commit: 'main..HEAD' }).toSorted((a, b) => a.message.localeCompare(b.message)),
      [
        { files: ['a.txt'], message: 'As in Q-1' },
        { files: [':100644 100644 a b M', first, 'a.txt', 'side.txt'].toSorted(), message: 'Merge' },
        { files: [], message: 'Nothing\n\nSee Q-2.' },
        { files: [':100644 100644 a b M', first].toSorted(), message: 'Odd names' },
        { files: ['a.txt', 'side.txt'], message: 'Side' },
      ],
    );
    assert.equal(started(), 6);
  });

  it('include the first of a repository, and none for an empty range', () => {
    const { repository, read } = setting();
    assert.deepEqual(read({ commit: 'main' }), [
      { files: ['README.md', 'src/auth/login.ts', 'src/pay/send.ts'], message: 'Change' },
    ]);
    assert.deepEqual(read({ commit: 'main..main' }), []);
    assert.deepEqual(read({ commit: repository.commit({ 'b.txt': 'b\n' }, { message: 'B' }) }), [
      { files: ['b.txt'], message: 'B' },
    ]);
  });

  it('change a submodule also where .gitmodules says to ignore that', () => {
    const { repository, read } = setting();
    const { git } = repository;
    const point = (to: string) => {
      git('update-index', '--add', '--cacheinfo', `160000,${to},vendor`);
    };
    fs.writeFileSync(
      path.join(repository.folder, '.gitmodules'),
      '[submodule "vendor"]\n\tpath = vendor\n\turl = ./vendor\n\tignore = all\n',
    );
    git('add', '.gitmodules');
    point('1'.repeat(40));
    git('commit', '--quiet', '-m', 'Add it');
    point('2'.repeat(40));
    assert.deepEqual(read({ staged: true }), [{ files: ['vendor'], message: '' }]);
    git('commit', '--quiet', '-m', 'Move it');
    assert.deepEqual(read({ commit: 'HEAD' }), [{ files: ['vendor'], message: 'Move it' }]);
  });

  it('include staged files outside of a workspace that is a part of the repository', () => {
    const { place, repository, read } = setting();
    fs.mkdirSync(path.join(repository.folder, 'part'));
    repository.git('config', 'diff.relative', 'true');
    fs.writeFileSync(path.join(repository.folder, 'outside.txt'), 'o\n');
    repository.git('add', '--all');
    const io = ioOf(place, place.folder);
    const worktree = path.join(repository.folder, 'part');
    const workspace = place.open();
    const inPart = { ...workspace, location: { ...workspace.location, worktree } };
    assert.deepEqual(
      changesOf(io, inPart, { staged: true }).flatMap(({ files }) => files),
      [path.join(repository.folder, 'outside.txt')],
    );
    assert.deepEqual(read({ staged: true }), [{ files: ['outside.txt'], message: '' }]);
  });

  it('have their messages whatever encoding git is set to print', () => {
    const { repository, read } = setting();
    repository.git('config', 'i18n.logOutputEncoding', 'IBM037');
    const hash = repository.commit({ 'a.txt': 'a\n' }, { message: 'As in Q-7' });
    assert.deepEqual(read({ commit: hash }), [{ files: ['a.txt'], message: 'As in Q-7' }]);
  });

  it('are an error where git does not know them', () => {
    const { read } = setting();
    for (const commit of ['nowhere', 'nowhere..HEAD', '--all', 'HEAD:README.md', '^HEAD'])
      assert.throws(() => read({ commit }), /git cannot read the commits|is not a commit or a range/, commit);
  });

  it('are refused where the name of an end is that of several commits', () => {
    const { repository, read } = setting();
    const { git, commit } = repository;
    const head = commit({ 'a.txt': 'a\n' }, { message: 'A' });
    const expected = [{ files: ['a.txt'], message: 'A' }];
    git('update-ref', 'refs/remotes/origin/main', 'main');
    git('tag', '--annotate', '--message', 'One', 'v1', 'main');
    git('tag', 'same', 'main');
    git('branch', 'same', 'main');
    for (const base of ['origin/main', 'v1', 'same', 'main~0', 'heads/main', 'HEAD~1', head.replace(/$/, '~1')])
      assert.deepEqual(read({ commit: `${base}..HEAD` }), expected, base);
    assert.deepEqual(read({ commit: 'main...' }), expected);

    git('tag', 'origin/main', 'HEAD');
    git('tag', 'HEAD', 'main');
    for (const range of ['origin/main..HEAD', 'origin/main~0..', '..origin/main', 'origin/main'])
      assert.throws(() => read({ commit: range }), /different commits .*such as refs\/remotes\/origin\/main/, range);
    assert.deepEqual(read({ commit: 'refs/remotes/origin/main..HEAD' }), expected);
    assert.deepEqual(read({ commit: 'main..' }), expected);

    git('tag', head.slice(0, 7), 'main');
    assert.throws(() => read({ commit: head.slice(0, 7) }), /Write the whole hash/);
    git('tag', 'refs/remotes/origin/next', 'HEAD');
    assert.throws(() => read({ commit: 'refs/remotes/origin/next..HEAD' }), /there is no refs\/remotes\/origin\/next/);
    fs.writeFileSync(path.join(repository.folder, '.git', 'main'), `${head}\n`);
    assert.throws(() => read({ commit: 'main..HEAD' }), /different commits .*such as refs\/heads\/main/);
  });

  it('are refused where a setting moves the root of the repository, and no variable moves it', () => {
    const { place, repository, read } = setting();
    const { git, commit, folder } = repository;
    commit({ 'src/pay/send.ts': 'new\n' }, { message: 'Pay' });
    const other = path.join(place.home, 'other');
    fs.mkdirSync(other);
    execFileSync('git', ['init', '--quiet', other]);
    const expected = [{ files: ['src/pay/send.ts'], message: 'Pay' }];
    const io = ioOf(place, place.folder);
    const variables = { GIT_DIR: path.join(other, '.git'), GIT_WORK_TREE: path.join(folder, 'src') };
    const surrounded = { ...io, env: { ...io.env, ...variables } };
    assert.deepEqual(
      changesOf(surrounded, place.open(), { commit: 'HEAD' }).map(({ files }) => files),
      [[path.join(folder, 'src/pay/send.ts')]],
    );
    const inSource = { ...io, env: { ...io.env, GIT_WORK_TREE: path.join(folder, 'src') } };
    assert.throws(() => changesOf(inSource, place.open(), { staged: true }), /for the root of the repository/);
    for (const moved of [path.join(folder, 'src'), place.home, path.dirname(folder)]) {
      git('config', 'core.worktree', moved);
      for (const asked of [{ commit: 'HEAD' }, { staged: true }])
        assert.throws(() => read(asked), /for the root of the repository .*core\.worktree/, moved);
    }
    git('config', '--unset', 'core.worktree');
    assert.deepEqual(read({ commit: 'HEAD' }), expected);
  });

  it('start no program that a partial clone names for fetching', () => {
    const { place, repository, read } = setting();
    const ran = path.join(place.home, 'ran');
    const program = path.join(place.home, 'pack.sh');
    fs.writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\nexit 1\n`, { mode: 0o755 });
    for (const [key, value] of [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'away'],
      ['remote.away.url', repository.folder],
      ['remote.away.promisor', 'true'],
      ['remote.away.uploadpack', program],
    ] as const)
      repository.git('config', key, value);
    assert.throws(() => read({ commit: '1'.repeat(40) }));
    assert.equal(fs.existsSync(ran), false);
  });
});
