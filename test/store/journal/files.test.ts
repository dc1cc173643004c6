/** Files that agents name are opened only if they are really inside the workspace. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { realPathInside } from '../../../src/app/workspace/paths.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';
import { plainFiles, putFile } from '../../../src/store/journal/files.ts';
import { findStore } from '../../../src/store/journal/findStore.ts';
import { fault } from '../../support/store/faults.ts';
import { watchFolder } from '../../../src/store/journal/journalFile.ts';

describe('a file that an agent names', () => {
  afterEach(removeSandboxes);

  it('is opened by its real path, and only inside', () => {
    const workspace = makeSandbox().open();
    const root = workspace.location.worktree;
    const outside = makeSandbox().open().location.worktree;
    fs.mkdirSync(path.join(root, 'src'));
    for (const file of [path.join(root, 'src', 'a.ts'), path.join(root, '..a'), path.join(outside, 'secret')])
      fs.writeFileSync(file, '');
    fs.symlinkSync(path.join(outside, 'secret'), path.join(root, 'file-out'));
    fs.symlinkSync(outside, path.join(root, 'folder-out'));
    fs.symlinkSync('/', path.join(root, 'root'));
    fs.symlinkSync('src', path.join(root, 'within'));
    fs.symlinkSync('loop', path.join(root, 'loop'));
    const real = fs.realpathSync.native(root);
    const found = (raw: string) => realPathInside(workspace, raw);

    for (const raw of ['src/a.ts', './src/../src/a.ts', path.join(root, 'src', 'a.ts'), 'within/a.ts'])
      assert.equal(found(raw), path.join(real, 'src', 'a.ts'), raw);
    assert.equal(found('..a'), path.join(real, '..a'));
    assert.equal(found('.'), real);

    for (const raw of [
      ...['file-out', 'folder-out/secret', 'folder-out', 'root/etc/passwd', 'loop', 'gone', 'src/a.ts/x'],
      ...[
        '..',
        '../',
        `../${path.basename(outside)}/secret`,
        'src/../../x',
        path.join(outside, 'secret'),
        '/',
        '/etc/passwd',
      ],
      ...[
        '/dev/zero',
        '/proc/self/environ',
        '~/.ssh/id_rsa',
        'file:///etc/passwd',
        'file://host/etc/passwd',
        '//host/share',
      ],
      ...['src/a.ts\u0000.png', '', ' ', 'x'.repeat(5_000), '%2e%2e/x', 'a\ud800'],
    ])
      assert.equal(found(raw), null, raw);
  });

  it('is found in a workspace that is itself a link', () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const link = `${workspace.location.worktree}-link`;
    fs.symlinkSync(workspace.location.worktree, link);
    fs.writeFileSync(path.join(workspace.location.worktree, 'a.ts'), '');
    const linked = { ...workspace, location: { ...workspace.location, worktree: link } } satisfies Workspace;
    assert.equal(path.basename(realPathInside(linked, 'a.ts') ?? ''), 'a.ts');
    fs.rmSync(link);
  });

  it('may be a pipe: the caller must check', function () {
    if (process.platform === 'win32') this.skip();
    const workspace = makeSandbox().open();
    const pipe = path.join(workspace.location.worktree, 'pipe');
    execFileSync('mkfifo', [pipe]);
    assert.equal(fs.statSync(realPathInside(workspace, 'pipe')!).isFile(), false);
  });

  describe('on Windows', () => {
    /** A Windows file system that accepts everything and records its calls. */
    function windows() {
      const asked: string[] = [];
      const native = (file: string) => {
        asked.push(file);
        return file;
      };
      const workspace = {
        location: { worktree: 'C:\\code\\shop' },
        options: { platform: 'win32', fs: { realpathSync: { native } } },
      } as unknown as Workspace;
      return { asked, found: (raw: string) => realPathInside(workspace, raw) };
    }

    it('a file of the workspace is opened, however it is written', () => {
      const { found } = windows();
      for (const raw of [
        'src\\a.ts',
        'src/a.ts',
        'C:\\code\\shop\\src\\a.ts',
        'c:/code/shop/src/a.ts',
        '.\\src\\x\\..\\a.ts',
      ])
        assert.equal(found(raw)?.toLowerCase(), 'c:\\code\\shop\\src\\a.ts', raw);
      for (const raw of ['console.ts', 'com10', 'nullable', 'src/auxiliary.ts']) assert.notEqual(found(raw), null, raw);
    });

    for (const raw of [
      ...[
        '\\\\host\\share\\a',
        '//host/share/a',
        '\\\\?\\C:\\code\\shop\\a',
        '\\\\.\\COM1',
        '\\\\?\\UNC\\host\\share',
        '/\\host\\share',
      ],
      ...['C:a.ts', 'D:a.ts', 'a.ts:stream', 'a.ts::$DATA', 'src\\a.ts:$I30', 'C:\\code\\shop\\a.ts:x'],
      ...['con', 'NUL', 'aux.txt', 'src/com1', 'src\\LPT9.log', 'COM¹', 'nul .txt', 'conin$', 'prn:'],
      ...['a.ts.', 'a.ts ', 'src. \\a.ts', '...\\a', 'a?b', 'file:///C:/code/shop/a', 'file://host/a'],
    ])
      it(`${raw} is rejected without a file system access`, () => {
        const { asked, found } = windows();
        assert.equal(found(raw), null);
        assert.deepEqual(asked, []);
      });

    for (const raw of [
      'D:\\code\\shop\\a',
      'C:\\code\\shopping\\a',
      '..\\a',
      'src\\..\\..\\a',
      'C:\\',
      '\\code\\a',
      '/etc/passwd',
    ])
      it(`${raw} is outside`, () => {
        assert.equal(windows().found(raw), null);
      });
  });
});

/** Pipes and devices where programs expect files: reading one would never end. */
describe('plain files', function () {
  if (process.platform === 'win32') return;
  afterEach(removeSandboxes);

  const cases: readonly [what: string, make: (file: string) => void][] = [
    ['a pipe', (file) => execFileSync('mkfifo', [file])],
    [
      'a link to a pipe',
      (file) => {
        execFileSync('mkfifo', [`${file}.pipe`]);
        fs.symlinkSync(`${file}.pipe`, file);
      },
    ],
    [
      'a link to an endless device',
      (file) => {
        fs.symlinkSync('/dev/zero', file);
      },
    ],
  ];
  for (const [what, make] of cases)
    it(`refuse ${what} without waiting`, () => {
      const file = makeSandbox().at('file');
      make(file);
      const refused = { code: 'EINVAL', message: /is not a file but a pipe or a device/ };
      assert.throws(() => plainFiles.readFileSync(file), refused);
      assert.throws(() => plainFiles.openSync(file, 'r'), refused);
    });

  it('are read and written as usual', () => {
    const file = makeSandbox().at('file');
    for (const flags of ['ax', 'r+', 'a', 'w', 'r'] as const) plainFiles.closeSync(plainFiles.openSync(file, flags));
    fs.writeFileSync(file, 'content');
    assert.equal(plainFiles.readFileSync(file, 'utf8'), 'content');
    assert.throws(() => plainFiles.openSync(file, 'wx'), { code: 'EEXIST' });
    assert.throws(() => plainFiles.readFileSync(`${file}.missing`), { code: 'ENOENT' });
  });

  it('end the search for a store at a pipe named .git', () => {
    const sandbox = makeSandbox();
    execFileSync('mkfifo', [sandbox.at('ws', '.git')]);
    assert.throws(() => findStore(plainFiles, sandbox.at('user'), sandbox.folder), /pipe/);
  });
});

describe('a file that takes the place of another', () => {
  afterEach(removeSandboxes);

  /** Writes a file over another one that programs have open for the first renames, as on Windows. */
  function written(code: string, times: number): { text: string; renames: number; left: string[] } {
    const sandbox = makeSandbox();
    const file = sandbox.at('file.json');
    fs.writeFileSync(file, 'old');
    let renames = 0;
    const renameSync: typeof fs.renameSync = (from, to) => {
      if (renames++ < times) throw fault(code);
      fs.renameSync(from, to);
    };
    try {
      putFile({ fs: { ...realFs, renameSync }, newId: () => 'id' }, file, 'new');
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, code);
    }
    const left = fs.readdirSync(sandbox.base).filter((name) => name.endsWith('.tmp'));
    return { text: fs.readFileSync(file, 'utf8'), renames, left };
  }

  for (const code of ['EPERM', 'EACCES', 'EBUSY'])
    it(`is there once the other one is closed (${code})`, () => {
      assert.deepEqual(written(code, 3), { text: 'new', renames: 4, left: [] });
    });

  it('leaves the other one if it stays open, or for another failure', () => {
    assert.deepEqual(written('EPERM', Infinity), { text: 'old', renames: 5, left: [] });
    assert.deepEqual(written('EIO', 1), { text: 'old', renames: 1, left: [] });
  });
});

describe('watching a folder', () => {
  afterEach(removeSandboxes);

  it('begins once the folder exists, and finds what was written before', async () => {
    const folder = makeSandbox().at('later');
    const seen: string[] = [];
    let wake: () => void = () => undefined;
    const stop = watchFolder(
      folder,
      () => {
        seen.push(...fs.readdirSync(folder));
        wake();
      },
      Number.MAX_SAFE_INTEGER,
    );
    // The watch itself does not keep the program alive.
    const alive = setInterval(() => undefined, 1_000);
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    try {
      const first = next();
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'one'), '');
      await first;
      assert.ok(seen.includes('one'));
      const second = next();
      fs.writeFileSync(path.join(folder, 'two'), '');
      await second;
      assert.ok(seen.includes('two'));
    } finally {
      clearInterval(alive);
      stop();
    }
  });
});
