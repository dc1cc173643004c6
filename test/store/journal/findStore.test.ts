import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { findStore } from '../../../src/store/journal/findStore.ts';
import { isNetworkDrive } from '../../../src/store/journal/journalFile.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import { userFolder } from '../../../src/store/journal/stateFile.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

function git(folder: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
}

function repository(folder: string, ...init: string[]): void {
  fs.mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', ...init);
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'Start');
}

function folder(...parts: string[]): string {
  const made = path.join(...parts);
  fs.mkdirSync(made, { recursive: true });
  return made;
}

/** First use of the store that a folder belongs to. */
async function use(workspace: Workspace): Promise<void> {
  await registerWork(await workspace.store(), agent(), { id: 'T1', workKind: 'task', title: 'Work' });
  workspace.close();
}

describe('the store of a folder', () => {
  afterEach(removeSandboxes);

  interface Place {
    readonly start: string;
    readonly root: string;
    readonly worktree: string;
    readonly problem?: 'git';
  }

  function check(name: string, make: (sandbox: Sandbox) => Place | Promise<Place>): void {
    it(name, async () => {
      const sandbox = makeSandbox();
      const place = await make(sandbox);
      const found = findStore(realFs, sandbox.userFolder, place.start);
      assert.deepEqual(
        { root: found.root, worktree: found.worktree, problem: found.problem?.code },
        { root: place.root, worktree: place.worktree, problem: place.problem },
      );
    });
  }

  check('without git is the folder itself', ({ folder: root }) => ({ start: root, root, worktree: root }));
  check('that does not exist yet is that folder', ({ at }) => ({
    start: at('none'),
    root: at('none'),
    worktree: at('none'),
  }));
  check('given by a link is the real one', ({ at, folder: root }) => {
    fs.symlinkSync(root, at('link'));
    return { start: at('link'), root, worktree: root };
  });
  check('deep in a git repository is at its top', ({ folder: root }) => {
    repository(root);
    return { start: folder(root, 'a', 'b'), root, worktree: root };
  });
  check('in a linked worktree is in the main one', ({ at, folder: root }) => {
    repository(root);
    git(root, 'worktree', 'add', '-q', at('linked'));
    return { start: folder(at('linked'), 'a'), root, worktree: at('linked') };
  });
  check('in a linked worktree of a bare repository is the common dir', ({ at }) => {
    repository(at('seed'));
    git(at('seed'), 'clone', '-q', '--bare', '.', at('bare.git'));
    git(at('bare.git'), 'worktree', 'add', '-q', at('linked'));
    return { start: at('linked'), root: at('bare.git'), worktree: at('linked') };
  });
  const withSubmodule = ({ at, folder: root }: Sandbox) => {
    repository(at('library'));
    repository(root);
    git(root, 'submodule', '--quiet', 'add', at('library'), 'library');
    return path.join(root, 'library');
  };
  check('in a submodule is its own', (sandbox) => {
    const library = withSubmodule(sandbox);
    return { start: library, root: library, worktree: library };
  });
  check('in a linked worktree of a submodule is in the submodule', (sandbox) => {
    const library = withSubmodule(sandbox);
    git(library, 'worktree', 'add', '-q', sandbox.at('linked'));
    return { start: sandbox.at('linked'), root: library, worktree: sandbox.at('linked') };
  });
  for (const start of ['ws', 'linked'])
    check(`of a separate git folder is one for all worktrees (${start})`, ({ at, folder: root }) => {
      repository(root, `--separate-git-dir=${at('separate')}`);
      git(root, 'worktree', 'add', '-q', at('linked'));
      return { start: at(start), root: at('separate'), worktree: at(start) };
    });
  check('behind a link to a git folder is the folder', ({ at, folder: root }) => {
    repository(at('other'));
    fs.symlinkSync(at('other', '.git'), path.join(root, '.git'));
    return { start: root, root, worktree: root };
  });
  check('whose repository is gone is in doubt', ({ at, folder: root }) => {
    repository(root);
    git(root, 'worktree', 'add', '-q', at('linked'));
    fs.rmSync(path.join(root, '.git'), { recursive: true });
    return { start: at('linked'), root: at('linked'), worktree: at('linked'), problem: 'git' };
  });
  for (const [name, text] of [
    ['nothing', ''],
    ['anything', 'hello'],
    ['a folder that is no repository', 'gitdir: ..'],
    ['a folder that is not there', 'gitdir: ../none'],
  ] as const)
    check(`whose .git file names ${name} is in doubt`, ({ folder: root }) => {
      fs.writeFileSync(path.join(root, '.git'), text);
      return { start: root, root, worktree: root, problem: 'git' };
    });
  check('whose .git is a broken link is in doubt', ({ folder: root }) => {
    fs.symlinkSync('none', path.join(root, '.git'));
    return { start: root, root, worktree: root, problem: 'git' };
  });
  check('inside another store’s folder is that store', async (sandbox) => {
    await use(sandbox.open());
    const inner = folder(sandbox.folder, 'packages', 'inner');
    repository(inner);
    return { start: folder(inner, 'src'), root: sandbox.folder, worktree: inner };
  });
  check('inside two of them is the innermost, which is older', async (sandbox) => {
    const inner = folder(sandbox.folder, 'packages', 'inner');
    await use(sandbox.open({ folder: inner }));
    await use(sandbox.open());
    return { start: folder(inner, 'src'), root: inner, worktree: inner };
  });
  check('of a linked worktree is the one around the main worktree', async (sandbox) => {
    await use(sandbox.open());
    const inner = folder(sandbox.folder, 'inner');
    repository(inner);
    git(inner, 'worktree', 'add', '-q', sandbox.at('linked'));
    return { start: sandbox.at('linked'), root: sandbox.folder, worktree: sandbox.at('linked') };
  });
  check('beside a folder in use is separate', async (sandbox) => {
    await use(sandbox.open());
    const beside = folder(`${sandbox.folder}-2`);
    return { start: beside, root: beside, worktree: beside };
  });
  check('in use, whose name begins with dots, is inside its parent', async (sandbox) => {
    await use(sandbox.open());
    const inner = folder(sandbox.folder, '..inner');
    return { start: inner, root: sandbox.folder, worktree: sandbox.folder };
  });
  check('is found even if another user-level file is unreadable', async (sandbox) => {
    await use(sandbox.open());
    fs.writeFileSync(path.join(sandbox.userFolder, 'stores', 'broken.json'), '{');
    const inner = folder(sandbox.folder, 'a');
    return { start: inner, root: sandbox.folder, worktree: sandbox.folder };
  });

  describe('cannot be changed by what an agent does around it', () => {
    /** T1 is held, in a workspace and in its linked worktree. */
    async function held(): Promise<{ sandbox: Sandbox; linked: string }> {
      const sandbox = makeSandbox();
      const linked = sandbox.at('linked');
      repository(sandbox.folder);
      git(sandbox.folder, 'worktree', 'add', '-q', linked);
      await use(sandbox.open());
      const workspace = sandbox.open({ folder: linked });
      const question: RaiseInput = {
        text: 'May I?',
        type: 'decision',
        urgency: 'low',
        mode: 'sync',
        work: 'T1',
        holds: ['src'],
      };
      await raiseQuestion(await workspace.store(), agent('copilot-001', { worktree: workspace.worktree }), question);
      workspace.close();
      return { sandbox, linked };
    }

    function tries(name: string, act: (setting: { sandbox: Sandbox; linked: string }) => void | Promise<void>): void {
      it(name, async () => {
        const setting = await held();
        await act(setting);
        const { sandbox, linked } = setting;
        assert.equal(askGate(sandbox.open(), { work: 'T1' }).verdict, 'deny', 'in the main worktree');
        assert.equal(askGate(sandbox.open({ folder: linked }), { work: 'T1' }).verdict, 'deny', 'in the linked one');
        assert.equal(askGate(sandbox.open({ folder: linked }), { files: ['src/a.ts'] }).verdict, 'deny');
        const deep = sandbox.open({ folder: folder(linked, 'src', 'deep') });
        assert.equal(
          askGate(deep, { files: [path.join(linked, 'src', 'deep', 'a.ts')] }).verdict,
          'deny',
          'deep in it',
        );
      });
    }

    tries('a store begun further out', async ({ sandbox }) => {
      await use(sandbox.open({ folder: sandbox.base }));
    });
    tries('a store begun further in, after git init', async ({ sandbox, linked }) => {
      for (const [index, place] of [folder(sandbox.folder, 'inner'), folder(linked, 'src', 'deep')].entries()) {
        repository(place);
        const store = await sandbox.open({ folder: place }).store();
        await registerWork(store, agent(), { id: `T9-${String(index)}`, workKind: 'task', title: 'x' });
      }
    });
    tries('the link to the repository removed', ({ linked }) => {
      fs.rmSync(path.join(linked, '.git'));
    });
    tries('the link to the repository led to another', ({ sandbox, linked }) => {
      repository(sandbox.at('other'));
      fs.writeFileSync(path.join(linked, '.git'), `gitdir: ${sandbox.at('other', '.git')}`);
    });
    tries('the link to the repository replaced by a repository', ({ linked }) => {
      fs.rmSync(path.join(linked, '.git'));
      repository(linked);
    });
    tries('the repository itself initialised again', ({ sandbox }) => {
      fs.rmSync(path.join(sandbox.folder, '.git'), { recursive: true });
      repository(sandbox.folder);
    });
  });

  it('differs once another folder replaces a worktree', async () => {
    const sandbox = makeSandbox();
    const linked = sandbox.at('linked');
    repository(sandbox.folder);
    git(sandbox.folder, 'worktree', 'add', '-q', linked);
    await use(sandbox.open({ folder: linked }));
    assert.equal(findStore(realFs, sandbox.userFolder, linked).root, sandbox.folder);
    git(sandbox.folder, 'worktree', 'remove', '--force', linked);
    fs.mkdirSync(sandbox.at('takesTheInode'));
    repository(linked);
    assert.equal(findStore(realFs, sandbox.userFolder, linked).root, linked);
  });

  it('in doubt denies, and nothing is created there', async () => {
    const sandbox = makeSandbox();
    fs.writeFileSync(sandbox.at('ws', '.git'), 'gitdir: ../none');
    const workspace = sandbox.open();
    assert.equal(askGate(workspace, { files: ['a'] }).state, 'UNKNOWN');
    await assert.rejects(workspace.store(), { name: 'StoreError', code: 'unknown-state' });
    await assert.rejects(workspace.store(), StoreError, 'and again');
    assert.deepEqual(fs.readdirSync(sandbox.folder), ['.git']);
  });
});

describe('the user-level folder', () => {
  const homes = { linux: '/home/ada', darwin: '/Users/ada', win32: 'C:\\Users\\ada' } as const;
  const usual = '/home/ada/.local/state/holdpoint';
  const windows = 'C:\\Users\\ada\\AppData\\Local\\holdpoint';

  for (const [name, platform, env, expected] of [
    ['on Linux', 'linux', {}, usual],
    ['on Linux, named', 'linux', { XDG_STATE_HOME: '/state' }, '/state/holdpoint'],
    ['on Linux, named relatively, which the standard says to ignore', 'linux', { XDG_STATE_HOME: 'state' }, usual],
    ['on Linux, named emptily', 'linux', { XDG_STATE_HOME: '' }, usual],
    ['on macOS', 'darwin', { XDG_STATE_HOME: '/state' }, '/Users/ada/Library/Application Support/holdpoint'],
    ['on Windows', 'win32', { LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\holdpoint'],
    ['on Windows, unnamed', 'win32', {}, windows],
    ['on Windows, with an empty LOCALAPPDATA', 'win32', { LOCALAPPDATA: '' }, windows],
    ['on Windows, with a relative LOCALAPPDATA', 'win32', { LOCALAPPDATA: 'Local' }, windows],
  ] as const)
    it(name, () => {
      assert.equal(userFolder({ platform, env, home: homes[platform] }), expected);
    });
});

describe('a network drive', () => {
  afterEach(removeSandboxes);

  function check(name: string, type: number, folderName: string, platform: NodeJS.Platform, expected: boolean): void {
    it(`${name}: ${expected ? 'refused' : 'allowed'}`, () => {
      const statfsSync = (() => ({ type })) as unknown as typeof fs.statfsSync;
      assert.equal(isNetworkDrive({ ...realFs, statfsSync }, folderName, platform), expected);
    });
  }

  check('NFS', 0x6969, '/mnt', 'linux', true);
  check('SMB', 0x517b, '/mnt', 'linux', true);
  check('CIFS', 0xff534d42, '/mnt', 'linux', true);
  check('SMB2', 0xfe534d42, '/mnt', 'linux', true);
  check('ext4', 0xef53, '/mnt', 'linux', false);
  check('FUSE', 0x65735546, '/mnt', 'linux', false);
  check('9p', 0x01021997, '/mnt', 'linux', false);
  check('a share', 0, '\\\\host\\share', 'win32', true);
  check('a local drive', 0, 'C:\\work', 'win32', false);
  check('a volume', 0x6969, '/Volumes/x', 'darwin', false);

  it('is not written to; reading works', async () => {
    const sandbox = makeSandbox();
    await use(sandbox.open());
    const statfsSync = (() => ({ type: 0x6969 })) as unknown as typeof fs.statfsSync;
    const workspace = sandbox.open({ fs: { ...realFs, statfsSync } });
    const store = await workspace.store();
    await assert.rejects(
      async () => registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'x' }),
      (error: unknown) =>
        error instanceof StoreError &&
        error.code === 'network-drive' &&
        error.message.includes('move the workspace to a local drive'),
    );
    assert.equal(askGate(workspace, { work: 'T1' }).state, 'CLEAR');
  });
});
