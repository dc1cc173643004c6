/** `holdpoint open Q-1` in a window with several folders that have a Q-1 each, on real stores. */
import assert from 'node:assert/strict';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { requestOpen } from '../../../src/app/workspace/openRequest.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { followOpenRequests } from '../../../src/vscode/tree/openRequests.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { windowWith } from '../../support/store/window.ts';

async function withQuestion(): Promise<Workspace> {
  const workspace = makeSandbox().open();
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Clean up' });
  const asked = { type: 'decision', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
  await raiseQuestion(store, agent(), { ...asked, text: 'May I?' });
  return workspace;
}

async function setting() {
  const [a, b] = [await withQuestion(), await withQuestion()];
  const open = [a, b];
  const folders = windowWith(open);
  const watched = new Map<string, () => void>();
  const opened: string[] = [];
  const requests = followOpenRequests({
    folders,
    watch(root, changed) {
      assert.ok(!watched.has(root), 'watched twice');
      watched.set(root, changed);
      return { dispose: () => void watched.delete(root) };
    },
    open: (key) => opened.push(key),
  });
  requests.update();
  const changed = ({ location }: Workspace) => watched.get(location.root)?.();
  return { a, b, open, folders, watched, opened, requests, changed };
}

describe('a request to open an item', () => {
  afterEach(removeSandboxes);

  it('opens the item of the folder that it was made in', async () => {
    const { a, b, folders, opened, changed } = await setting();
    requestOpen(b, 'Q-1');
    changed(a);
    assert.deepEqual(opened, []);
    changed(b);
    const [key = ''] = opened;
    assert.deepEqual(
      opened.map((one) => folders.find(one)?.folder.workspace),
      [b],
    );
    assert.equal(folders.find(key)?.id, 'Q-1');
  });

  it('opens nothing for a folder that was removed, which is no longer watched', async () => {
    const { a, b, open, opened, requests, watched } = await setting();
    const late = watched.get(a.location.root)!;
    open.splice(0, 1);
    requests.update();
    assert.deepEqual([...watched.keys()], [b.location.root]);
    requestOpen(a, 'Q-1');
    late();
    assert.deepEqual(opened, []);
  });

  it('is seen again in a folder that comes back', async () => {
    const { a, open, opened, requests, changed } = await setting();
    open.splice(0, 1);
    requests.update();
    open.push(a);
    requests.update();
    requests.update();
    requestOpen(a, 'Q-1');
    changed(a);
    assert.equal(opened.length, 1);
  });

  it('watches nothing after the end', async () => {
    const { requests, watched } = await setting();
    requests.dispose();
    assert.equal(watched.size, 0);
  });
});
