import assert from 'node:assert/strict';
import fs from 'node:fs';
import { putFile } from '../../../src/store/journal/files.ts';
import { fault } from '../../support/store/faults.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';

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
