import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { managedFolder, readManagedPins } from '../../../src/app/workspace/managedPins.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { enrolledHuman, makeHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';

describe('keys that an administrator manages', () => {
  afterEach(removeSandboxes);

  /** Makes the file count as an administrator's, whichever user runs this test. */
  const owned = (uid = 0): FileSystem => ({
    ...realFs,
    lstatSync: ((...args: Parameters<typeof fs.lstatSync>) => {
      const stat = fs.lstatSync(...args);
      return stat && Object.assign(stat, { uid });
    }) as typeof fs.lstatSync,
  });

  function managed() {
    const sandbox = makeSandbox();
    const admin = makeHuman('Grace');
    const folder = sandbox.at('etc');
    fs.mkdirSync(folder, { mode: 0o755 });
    const file = path.join(folder, 'keys.json');
    fs.writeFileSync(file, formatKeyring([admin.pin]), { mode: 0o644 });
    return { sandbox, admin, folder, file };
  }

  it('are the only ones that count if there are any, and no others can be enrolled', () => {
    const { sandbox, admin, folder } = managed();
    enrolledHuman(sandbox.open({ managedFolder: sandbox.at('none') }));
    const workspace = sandbox.open({ managedFolder: folder, fs: owned() });
    assert.deepEqual(workspace.pins(), [admin.pin]);
    assert.throws(() => enrolKey(workspace, makeHuman().publicKey, 'Eve'), /are managed: ask its administrator/);
  });

  it('trust no key when others could have written them, or when they cannot be read', () => {
    const { folder, file } = managed();
    const read = (uid = 0) => readManagedPins(owned(uid), folder, 'linux');
    assert.equal(read()?.length, 1);
    assert.deepEqual(read(1000), [], 'another owner');
    fs.chmodSync(file, 0o666);
    assert.deepEqual(read(), [], 'everyone can write it');
    fs.chmodSync(file, 0o644);
    fs.chmodSync(folder, 0o777);
    assert.deepEqual(read(), [], 'everyone can replace it');
    fs.chmodSync(folder, 0o755);
    fs.writeFileSync(file, '{');
    assert.deepEqual(read(), []);
    fs.rmSync(file);
    assert.equal(read(), null, 'nothing is managed');
  });

  it('are in a place that no environment variable can change', () => {
    assert.deepEqual((['linux', 'darwin', 'win32'] as const).map(managedFolder), [
      '/etc/holdpoint',
      '/Library/Application Support/holdpoint',
      'C:\\ProgramData\\holdpoint',
    ]);
  });
});
