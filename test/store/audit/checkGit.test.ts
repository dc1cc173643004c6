import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { findConcerned } from '../../../src/app/audit/checkFiles.ts';
import { holding } from '../../../src/core/kit/paths.ts';
import { code } from '../../../src/cli/audit/check.ts';
import { placeIn, gitRepository, readRange, requireUnmoved, type GitRepository } from '../../../src/cli/kit/git.ts';
import { ioOf, makeRepository, type Repository } from '../../support/store/repository.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

interface Setting {
  readonly sandbox: Sandbox;
  readonly repository: Repository;
  readonly git: GitRepository;
}

const refs = { base: 'main', head: 'HEAD' };

function setUp(): Setting {
  const sandbox = makeSandbox();
  const repository = makeRepository(sandbox);
  return { sandbox, repository, git: gitRepository(ioOf(sandbox, repository.folder), repository.folder) };
}

const range = ({ git, repository }: Setting) => readRange(git, refs, repository.folder);
const names = (setting: Setting) => range(setting).files.map(({ path: name }) => name);

describe('the change that holdpoint check reads', function () {
  this.timeout(60_000);
  afterEach(removeSandboxes);

  it('has whole hashes and the ids in messages', () => {
    const setting = setUp();
    const head = setting.repository.commit({ 'a.ts': '1\n' }, { message: 'As in Q-1 and RFC-2' });
    const { commits, merge_bases: bases, base } = range(setting);
    assert.deepEqual(bases, [base]);
    assert.deepEqual(commits, [{ sha: head, files: ['a.ts'], names: ['Q-1', 'RFC-2'] }]);
  });

  it('begins at every merge base', () => {
    const setting = setUp();
    const { git, commit } = setting.repository;
    const ours = commit({ 'ours.ts': '1\n' });
    git('checkout', '--quiet', 'main');
    const theirs = commit({ 'theirs.ts': '1\n' });
    // Each side merges the other, so both commits are merge bases.
    git('merge', '--quiet', '-m', 'One', ours);
    git('checkout', '--quiet', 'feature');
    git('merge', '--quiet', '-m', 'Two', theirs);
    commit({ 'more.ts': '1\n' });
    assert.equal(range(setting).merge_bases.length, 2);
    assert.deepEqual(names(setting), ['more.ts', 'ours.ts', 'theirs.ts']);
  });

  it('counts no grafts', () => {
    const setting = setUp();
    const { git, commit } = setting.repository;
    const hidden = commit({ 'hidden.ts': '1\n' });
    const head = commit({ 'seen.ts': '1\n' });
    git('branch', '--force', 'main', 'main');
    fs.writeFileSync(
      path.join(setting.repository.folder, '.git', 'info', 'grafts'),
      `${head} ${git('rev-parse', 'main').trim()}\n`,
    );
    assert.equal(git('rev-list', 'main..HEAD').includes(hidden), false, 'git itself is deceived');
    assert.deepEqual(
      range(setting).commits.map(({ sha }) => sha),
      [hidden, head],
    );
  });

  it('has a change that was taken back outside of a workspace that is a part of the repository, whatever diff.relative says', () => {
    const { sandbox, repository } = setUp();
    repository.commit({ 'part/a.ts': '1\n', 'README.md': 'changed\n' });
    repository.commit({ 'README.md': '# A project\n' });
    repository.git('config', 'diff.relative', 'true');
    const part = path.join(repository.folder, 'part');
    const { files } = readRange(gitRepository(ioOf(sandbox, part), part), refs, part);
    assert.deepEqual(
      files.map(({ path: name, change }) => [name, change]),
      [
        ['README.md', 'reverted'],
        ['part/a.ts', 'added'],
      ],
    );
  });

  it('does not depend on the variables of a surrounding git command, nor on its configuration', () => {
    const setting = setUp();
    setting.repository.commit({ 'a.ts': '1\n' }, { message: 'Names Q-1' });
    for (const [name, value] of [
      ['log.showSignature', 'true'],
      ['diff.noprefix', 'true'],
      ['log.diffMerges', 'off'],
      ['i18n.logOutputEncoding', 'UTF-16'],
      ['core.fsmonitor', 'touch stolen'],
      ['diff.renames', 'copies'],
    ] as const)
      setting.repository.git('config', name, value);
    const io = ioOf(setting.sandbox, setting.repository.folder);
    const surrounded = { ...io, env: { ...io.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere' } };
    const git = gitRepository(surrounded, setting.repository.folder);
    const { commits, files } = readRange(git, refs, setting.repository.folder);
    assert.deepEqual([commits[0]?.names, files.length], [['Q-1'], 1]);
    assert.equal(fs.existsSync(path.join(setting.repository.folder, 'stolen')), false);
  });

  for (const [name, act] of [
    ['the head', ({ commit }: Repository) => commit({})],
    ['the base', ({ git }: Repository) => git('branch', '--force', 'main', 'HEAD')],
    [
      'a file',
      ({ folder }: Repository) => {
        fs.writeFileSync(path.join(folder, 'README.md'), 'x');
      },
    ],
  ] as const)
    it(`is refused if ${name} changed meanwhile`, () => {
      const setting = setUp();
      setting.repository.commit({ 'a.ts': '1\n' });
      const read = range(setting);
      requireUnmoved(setting.git, refs, read);
      act(setting.repository);
      assert.throws(() => {
        requireUnmoved(setting.git, refs, read);
      }, /has moved|does not contain|is checked out/);
    });

  it('is refused where the name of the base is that of several commits', () => {
    const setting = setUp();
    const { git, commit } = setting.repository;
    commit({ 'a.ts': '1\n' });
    git('update-ref', 'refs/remotes/origin/main', 'main');
    const base = (name: string) => readRange(setting.git, { base: name, head: 'HEAD' }, setting.repository.folder);
    assert.equal(base('origin/main').commits.length, 1);
    git('tag', 'origin/main', 'HEAD');
    assert.throws(() => base('origin/main'), /--base: .*different commits .*such as refs\/remotes\/origin\/main/);
    assert.equal(base('refs/remotes/origin/main').commits.length, 1);
  });

  it('is refused where a setting moves the root of the repository', () => {
    const { sandbox, repository } = setUp();
    repository.git('config', 'core.worktree', path.join(repository.folder, 'src'));
    assert.throws(
      () => gitRepository(ioOf(sandbox, repository.folder), repository.folder),
      /for the root of the repository/,
    );
  });

  it('counts by its place in the repository, and by its place on the disk', () => {
    const files = ['src/auth/a.ts', 'src/pay/b.ts'].map(
      (path) => ({ path, change: 'added', submodule: false }) as const,
    );
    const concerned = findConcerned({ files, inside: (file) => file }, 'worktrees/a');
    const of = (glob: string, place: string) => [...concerned({ globs: new Set([glob]), paths: new Set(), place })];
    assert.deepEqual(of('src/auth/**', '.'), ['src/auth/a.ts']);
    assert.deepEqual(of('worktrees/a/src/pay', '.'), ['src/pay/b.ts']);
    assert.deepEqual(of('worktrees/b/src/pay', '.'), []);
  });

  it('concerns what a glob holds, found by folders as by looking at each file', () => {
    const segment = fc.constantFrom('a', 'B', 'b', 'é', '*', '**', '?', 'a*');
    const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const name = fc.array(fc.constantFrom('a', 'b', 'É', 'ab'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(glob, fc.uniqueArray(name.map((parts) => parts.join('/'))), (pattern, paths) => {
        const files = paths.map((path) => ({ path, change: 'added', submodule: false }) as const);
        const scope = { globs: new Set([pattern]), paths: new Set<string>(), place: '.' };
        const found = findConcerned({ files, inside: (file) => file }, '.')(scope);
        const expected = paths.filter((path) => holding(path, true)(pattern));
        assert.deepEqual([...found].sort(), expected.sort());
      }),
    );
  });

  it('is placed in a workspace that is a part of the repository, or around it', () => {
    const within = placeIn('/r', '/r/app');
    assert.deepEqual(
      [within('app/src/a.ts'), within('application/a.ts'), within('app'), within('b.ts')],
      ['src/a.ts', null, '.', null],
    );
    assert.equal(placeIn('/r', '/r')('a.ts'), 'a.ts');
    assert.equal(placeIn('/r/sub', '/r')('a.ts'), 'sub/a.ts');
    assert.equal(placeIn('/r', '/other')('a.ts'), null);
  });
});

describe('texts by others in a report', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('`', '\n', '\r', ' ', '\\', '|', '@a', '<b>', '[x](y)', '::', '\u202e', '&lt;', '*'),
    }),
  );

  it('are one code span in Markdown', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [block, ...more] = fromMarkdown(`- before ${code(text)} after`).children;
        assert.deepEqual([block?.type, more.length], ['list', 0]);
        const item = block?.type === 'list' ? block.children[0] : undefined;
        const paragraph = item?.children[0];
        const kinds = paragraph?.type === 'paragraph' ? paragraph.children.map(({ type }) => type) : [];
        assert.deepEqual([item?.children.length, kinds], [1, ['text', 'inlineCode', 'text']]);
      }),
    );
  });
});
