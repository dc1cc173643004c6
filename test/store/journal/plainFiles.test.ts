/** Pipes and devices where programs expect files: reading one would never end. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { plainFiles } from '../../../src/store/journal/files.ts';
import { findStore } from '../../../src/store/journal/findStore.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

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
