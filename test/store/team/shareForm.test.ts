/** The form that shares a workspace against programs that change the login of the agents, on real files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { saveAgentsLogin } from '../../../src/app/team/servers.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Outcome } from '../../../src/ui/kit/view.ts';
import type { Decision } from '../../../src/ui/answer/messages.ts';
import type { ShareView } from '../../../src/ui/answer/editorForms.ts';
import { foldersOf } from '../../../src/serve/kit/folders.ts';
import '../../support/editorApi.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { inMemory, makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { readLocalJournal } from '../../../src/store/shared/replica.ts';

const { openKeys } = await import('../../../src/vscode/kit/keys.ts');

const { openLogins } = await import('../../../src/vscode/settings/team.ts');

const { loginsIn } = await import('../../../src/vscode/settings/team.ts');

const { shareModel } = await import('../../../src/ui/answer/editorForms.ts');

const { createDecisions } = await import('../../../src/ui/answer/decisions.ts');

const { editorDecisions } = await import('../../../src/vscode/answer/formSurface.ts');

type Means = Parameters<typeof editorDecisions>[0];

/** Nothing listens at this port. */
const url = (login: string, host = '127.0.0.1') => `postgresql://${login}:secret@${host}:1/holdpoint`;

/** A connected editor, whose key counts. */
async function setting() {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Clean up' });
  const folders = foldersOf(workspace);
  const [folder] = folders.all;
  const saved = new Map<string, string>();
  const secrets = {
    get: (name: string) => Promise.resolve(saved.get(name)),
    store: (name: string, value: string) => Promise.resolve(void saved.set(name, value)),
    delete: (name: string) => Promise.resolve(void saved.delete(name)),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const [keys, logins] = [openKeys(secrets), openLogins(secrets)];
  await keys.enrol(workspace, 'Ada');
  const connect = (login: string, host?: string) => logins.save(store.workspaceId!, url(login, host));
  await connect('ada');
  saveAgentsLogin(workspace, url('ada-agents'));

  const form = async (): Promise<ShareView> => {
    const standing = await keys.standing(workspace);
    const options = { folders, folder: folder!, standing, view: store.read(), render: 'r', locked: undefined };
    const view = await shareModel(options, await logins.read(workspace));
    return view ?? assert.fail('it is shared already');
  };
  const means: Pick<Means, 'folders' | 'keys' | 'logins' | 'pasted'> = { folders, keys, logins, pasted: () => '' };
  const click = (view: ShareView): Promise<Outcome> => {
    const { key, shown, render } = view;
    const message = { type: 'share', act: 'a', key, shown, render, called: 'shop', confirmed: true } satisfies Decision;
    const inEditor = editorDecisions(means as Means);
    return createDecisions({ folders, keys, inEditor })(message, view);
  };
  return { workspace, connect, form, click };
}

function reasonOf(outcome: Outcome): string {
  assert.ok(outcome.type === 'refused');
  return outcome.reason;
}

describe('the form that shares a workspace', () => {
  afterEach(removeSandboxes);

  it('names the server and both logins', async () => {
    const { form } = await setting();
    const { server, agents } = await form();
    assert.deepEqual([server?.login, agents], ['ada', 'ada-agents']);
    assert.match(server?.host ?? '', /127\.0\.0\.1/);
  });

  it('goes on to the server with the logins that it showed', async () => {
    const { form, click } = await setting();
    // There is no server.
    assert.equal(reasonOf(await click(await form())), 'failed');
  });

  it('refuses when the login of the agents has changed since it was shown', async () => {
    const { workspace, form, click } = await setting();
    const view = await form();
    saveAgentsLogin(workspace, url('mallory'));
    assert.equal(reasonOf(await click(view)), 'changed');
    assert.equal(workspace.standing().state?.shared, null);
  });

  it('refuses when the server or the own login has changed since it was shown', async () => {
    const { connect, form, click } = await setting();
    const view = await form();
    await connect('ada', '127.0.0.2');
    assert.equal(reasonOf(await click(view)), 'changed');
    await connect('grace');
    assert.equal(reasonOf(await click(view)), 'changed');
    await connect('ada');
    assert.equal(reasonOf(await click(view)), 'failed');
  });

  it('refuses when it showed no login yet', async () => {
    const { form, click } = await setting();
    const { agents, server, ...view } = await form();
    assert.ok(agents !== undefined && server !== undefined);
    assert.equal(reasonOf(await click(view)), 'changed');
  });

  it('is another rendering with another login, so that its dwell time starts again', async () => {
    const { workspace, form } = await setting();
    const view = await form();
    assert.equal(loginsIn(view), loginsIn(await form()));
    saveAgentsLogin(workspace, url('mallory'));
    assert.notEqual(loginsIn(view), loginsIn(await form()));
  });
});

/** Reading a journal that moves to a server: other work goes on meanwhile, and nothing is read twice. */
const trust = createTrust(() => []);

const lines = 1_200;

describe('a journal that moves to a server', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = makeSandbox(inMemory);
    const store = await sandbox.open().store();
    for (let nth = 0; nth < lines; nth++)
      await registerWork(store, agent(), { id: `T-${String(nth)}`, workKind: 'task', title: 'One' });
    sandbox.close();
  });
  afterEach(removeSandboxes);

  const read = (from: { fs?: FileSystem; onStep?: () => void } = {}) =>
    readLocalJournal({ root: sandbox.folder, fs: from.fs ?? realFs, trust }, from.onStep);

  it('is read no further once the human has stopped it', async () => {
    let steps = 0;
    const onStep = () => {
      steps++;
      throw new Error('stopped');
    };
    await assert.rejects(read({ onStep }), /stopped/);
    assert.equal(steps, 1);
  });

  it('gives the rows from an offset on without reading those before it', async () => {
    let count = 0;
    const counting: FileSystem = {
      ...realFs,
      readSync: ((...given: Parameters<typeof fs.readSync>) => {
        count++;
        return fs.readSync(...given);
      }) as typeof fs.readSync,
    };
    const journal = await read({ fs: counting });
    const all = [...journal.batches(0)].flat();
    const lengthOf = (rows: typeof all) => rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
    assert.equal(lengthOf(all), journal.size);
    for (const left of [0, 1, 500]) {
      const wanted = all.slice(all.length - left);
      count = 0;
      const rows = [...journal.batches(journal.size - lengthOf(wanted))].flat();
      assert.deepEqual(rows, wanted);
      assert.equal(count, left);
    }
  });
});
