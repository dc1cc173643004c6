/** What `holdpoint gate --commit` and `--staged` read from git, which an agent controls. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { changesOf } from '../../../src/cli/hold/commitGate.ts';
import { ioOf, makeRepository } from '../../support/store/repository.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

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
