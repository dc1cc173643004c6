import assert from 'node:assert/strict';
import fs from 'node:fs';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { readManagedPins } from '../../../src/app/workspace/managedPins.ts';
import { managedFolder } from '../../../src/app/workspace/thisMachine.ts';
import { filesOf, writeManagedRing } from '../../support/store/managed.ts';
import { enrolledHuman, makeHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('keys that an administrator manages', () => {
  afterEach(removeSandboxes);

  function managed() {
    const sandbox = makeSandbox();
    const admin = makeHuman('Grace');
    return { sandbox, admin, ...writeManagedRing(sandbox, [admin.pin]) };
  }

  it('are the only ones that count if there are any, and no others can be enrolled', () => {
    const { sandbox, admin, folder } = managed();
    enrolledHuman(sandbox.open({ managedFolder: sandbox.at('none') }));
    const workspace = sandbox.open({ managedFolder: folder, fs: filesOf() });
    assert.deepEqual(workspace.pins(), [admin.pin]);
    assert.throws(() => enrolKey(workspace, makeHuman().publicKey, 'Eve'), /are managed: ask its administrator/);
  });

  it('trust no key when others could have written them, or when they cannot be read', () => {
    const { folder, file } = managed();
    const read = (uid = 0) => readManagedPins(filesOf(uid), folder, 'linux');
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
      'C:\\Program Files\\Holdpoint',
    ]);
  });
});
