/** Files that agents name are opened only if they are really inside the workspace. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { realPathInside } from '../../../src/app/workspace/paths.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

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
