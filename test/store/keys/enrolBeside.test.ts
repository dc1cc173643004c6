/** The form "Let this editor sign" against programs that write their own key into the key ring, on real files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Keys } from '../../../src/ui/surface/standing.ts';
import type { Decide } from '../../../src/ui/answer/decisions.ts';
import type { EnrolView } from '../../../src/ui/answer/keys.ts';
import type { Decision } from '../../../src/ui/answer/messages.ts';
import { formatKeyring, parseKeyring, type PinnedKey } from '../../../src/trust/keyring.ts';
import { foldersOf } from '../../../src/serve/kit/folders.ts';
import '../../support/editorApi.ts';
import { agent, decide, enrolledHuman, makeHuman, yes } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { readManagedPins } from '../../../src/app/workspace/keyRing.ts';
import { managedFolder } from '../../../src/app/workspace/thisMachine.ts';
import { filesOf, writeManagedRing } from '../../support/store/managed.ts';
import { main } from '../../../src/cli/program.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { ioOf } from '../../support/store/repository.ts';

const { openKeys } = await import('../../../src/vscode/kit/keys.ts');

const { createDecisions } = await import('../../../src/ui/answer/decisions.ts');

const { editorDecisions } = await import('../../../src/vscode/answer/formSurface.ts');

const { enrolModel } = await import('../../../src/ui/answer/keys.ts');

type Means = Parameters<typeof editorDecisions>[0];

/** An editor without a key of its own, where Ada's key counts. */
function setting() {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const folders = foldersOf(workspace);
  const [folder] = folders.all;
  const ada = enrolledHuman(workspace);
  const secrets = new Map<string, string>();
  const keys: Keys = openKeys({
    get: (name) => Promise.resolve(secrets.get(name)),
    store: (name, value) => Promise.resolve(void secrets.set(name, value)),
  });
  const means: Pick<Means, 'folders' | 'keys' | 'pasted'> = { folders, keys, pasted: () => '' };
  const inEditor = editorDecisions(means as Means);
  const decide: Decide = createDecisions({ folders, keys, inEditor });

  const file = path.join(sandbox.userFolder, 'keys.json');
  const ring = () => parseKeyring(fs.readFileSync(file, 'utf8'));
  const form = async (): Promise<EnrolView> => {
    const standing = await keys.standing(workspace);
    assert.ok(standing.kind === 'stranger');
    return enrolModel(folders, folder!, { standing, own: await keys.own(), render: 'r' });
  };
  const click = (view: EnrolView, lost: readonly string[] = []) => {
    const { key, shown, render } = view;
    const message = {
      type: 'enrol',
      act: 'a',
      key,
      shown,
      render,
      name: 'Ada',
      lost: [...lost],
      confirmed: true,
    } satisfies Decision;
    return decide(message, view);
  };
  return {
    ...{ workspace, keys, secrets, ada, ring, form, click },
    /** As a program of the same user does. */
    write: (pins: readonly PinnedKey[]) => {
      fs.writeFileSync(file, formatKeyring(pins));
    },
    strangers: async () => [...(await keys.strangers(workspace))],
  };
}

describe('the form that lets an editor sign', () => {
  afterEach(removeSandboxes);

  it('adds the key of this editor, and the keys that it showed are known', async () => {
    const { form, click, ring, strangers, keys, workspace } = setting();
    assert.equal((await click(await form())).type, 'done');
    assert.equal(ring().length, 2);
    assert.equal((await keys.standing(workspace)).kind, 'enrolled');
    assert.deepEqual(await strangers(), []);
  });

  it('refuses when a key was written into the ring after it was shown, and learns no key', async () => {
    const { form, click, ring, write, secrets, ada } = setting();
    const mallory = makeHuman('Mallory').pin;
    const view = await form();
    write([...ring(), mallory]);
    const outcome = await click(view);
    assert.ok(outcome.type === 'refused' && outcome.reason === 'changed');
    assert.deepEqual(
      ring().map(({ keyid }) => keyid),
      [ada.keyid, mallory.keyid],
    );
    assert.equal(secrets.size, 0);
  });

  it('refuses when a key was renamed, and revokes no lost one', async () => {
    const { form, click, ring, write, ada } = setting();
    const view = await form();
    write(ring().map((pin) => ({ ...pin, name: 'Grace' })));
    const outcome = await click(view, [ada.keyid]);
    assert.ok(outcome.type === 'refused' && outcome.reason === 'changed');
    assert.ok(ring().every(({ retired }) => !retired));
  });

  it('does not make a retired key known, which it does not list', async () => {
    const { form, click, ring, write, strangers, workspace } = setting();
    const mallory = makeHuman('Mallory').pin;
    const retired = { at: workspace.now(), why: 'takenOut', upTo: {} } as const;
    write([...ring(), { ...mallory, retired }]);
    const view = await form();
    assert.ok(view.pinned.every(({ keyid }) => keyid !== mallory.keyid));
    assert.equal((await click(view)).type, 'done');
    write(ring().map((pin) => (pin.keyid === mallory.keyid ? mallory : pin)));
    assert.deepEqual(await strangers(), [mallory.keyid]);
  });

  it('marks a key as added outside that is written while the click is carried out', async () => {
    const { keys, workspace, ring, write, strangers } = setting();
    const mallory = makeHuman('Mallory').pin;
    const pinned = workspace.pins();
    write([...ring(), mallory]);
    const scope = { workspaces: [workspace], shown: '0'.repeat(64) } as const;
    await keys.enrolBeside(scope, 'Ada', { pinned, lost: [] });
    assert.deepEqual(await strangers(), [mallory.keyid]);
  });

  it('appears again when a program removes the editor’s pin, and a key that came with it stays marked', async () => {
    const { keys, workspace, form, click, ring, write, strangers } = setting();
    await click(await form());
    const own = (await keys.own())!.keyid;
    const mallory = makeHuman('Mallory').pin;
    write(ring().filter(({ keyid }) => keyid !== own));
    const view = await form();
    write([...ring(), mallory]);
    const outcome = await click(view);
    assert.ok(outcome.type === 'refused' && outcome.reason === 'changed');
    assert.deepEqual(await strangers(), [mallory.keyid]);
    assert.equal((await keys.standing(workspace)).kind, 'stranger');
  });

  it('at the first decision, a key that another program adds first does not become known', async () => {
    const { keys, workspace, write, strangers } = setting();
    const mallory = makeHuman('Mallory').pin;
    write([mallory]);
    await keys.enrol(workspace, 'Ada');
    assert.deepEqual(await strangers(), [mallory.keyid]);
  });
});

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

/** A program with another home folder (a container, a sandbox, sudo) does not know the keys that humans trust in theirs. */
describe('a program with another home folder', () => {
  afterEach(removeSandboxes);

  it('says of an answered question that its key is not trusted here and how to trust it, and stays held', async () => {
    const place = makeSandbox();
    place.clock.now = Date.now();
    const workspace = place.open();
    const human = enrolledHuman(workspace);
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    for (const text of ['Which store?', 'Which port?'])
      await runOperation(raiseQuestion, context, { type: 'decision', text, holds: ['src/**'] });
    await decide(workspace, human, 'Q-1', yes);
    const home = place.at('another-home');
    fs.mkdirSync(home);
    const run = async (at: string, ...args: readonly string[]) => {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const code = await main(args, { ...ioOf({ home: at }, place.folder), out: say, err: say }, '0.0.0');
      return { code, said: said.join('\n') };
    };
    const [there, waits] = await Promise.all(
      ['Q-1', 'Q-2'].map((id) => run(home, 'question', 'await', id, '--wait', '0')),
    );
    assert.match(there!.said, /Q-1 was answered \(.*\), signed by a key that is not trusted here, so it still holds/);
    assert.match(there!.said, /HOLDPOINT_STATE_FOLDER .* Do neither yourself/);
    assert.match(waits!.said, /Q-2 is still waiting for a human/);
    assert.equal(there!.code, waits!.code);
    assert.equal((await run(home, 'gate', '--file', 'src/a.ts')).code, 2);
    assert.doesNotMatch((await run(place.home, 'question', 'await', 'Q-1', '--wait', '0')).said, /not trusted here/);
  });
});
