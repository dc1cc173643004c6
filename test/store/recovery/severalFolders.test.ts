/** Several damaged stores in one window: each has its recovery options, which its row opens. On real stores. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Selection } from '../../../src/ui/answer/selection.ts';
import '../../support/editorApi.ts';
import { agent, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { windowWith } from '../../support/store/window.ts';

const { currentForm } = await import('../../../src/vscode/answer/currentForm.ts');
const { createSelection } = await import('../../../src/ui/answer/selection.ts');
const { openKeys } = await import('../../../src/vscode/kit/keys.ts');
const { formKey } = await import('../../../src/ui/surface/workspaceForms.ts');
const { listRow } = await import('../../../src/ui/tree/items.ts');

type Options = Parameters<typeof currentForm>[0];

async function store(isDamaged: boolean): Promise<Workspace> {
  const sandbox = makeSandbox();
  const before = sandbox.open();
  enrolledHuman(before);
  for (const id of ['T1', 'T2', 'T3'])
    await registerWork(await before.store(), agent(), { id, workKind: 'task', title: `Title of ${id}` });
  before.close();
  if (isDamaged) {
    const bytes = fs.readFileSync(sandbox.journal);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    fs.writeFileSync(sandbox.journal, bytes);
  }
  return sandbox.open();
}

/** A sound store, and two damaged ones. */
async function setting() {
  const workspaces = [await store(false), await store(true), await store(true)];
  const folders = windowWith(workspaces);
  const selection: Selection = createSelection(folders);
  const nothing = { get: () => Promise.resolve(undefined), store: () => Promise.resolve() };
  const options: Pick<Options, 'folders' | 'keys' | 'copies' | 'selection'> = {
    ...{ folders, selection, keys: openKeys(nothing) },
    copies: { fileFor: ({ location }) => `${location.root}.copy.jsonl`, dispose: () => undefined },
  };
  const shownFolder = async () => {
    const form = await currentForm(options as Options, 'r');
    return 'key' in form ? folders.find(form.key)?.folder : undefined;
  };
  return { folders, selection, shownFolder };
}

describe('two damaged stores in one window', () => {
  afterEach(removeSandboxes);

  it('are both unreadable', async () => {
    const { folders } = await setting();
    assert.deepEqual(
      folders.all.map(({ workspace }) => workspace.standing().problem === null),
      [true, false, false],
    );
  });

  it('show the first one’s options, unless another is selected', async () => {
    const { folders, selection, shownFolder } = await setting();
    const [, first, second] = folders.all;
    assert.equal(await shownFolder(), first);
    selection.select(formKey(folders, second!, 'journal'));
    assert.equal(await shownFolder(), second);
    selection.select(formKey(folders, first!, 'journal'));
    assert.equal(await shownFolder(), first);
  });

  it('keep the selected one’s options while the view is hidden', async () => {
    const { folders, selection, shownFolder } = await setting();
    const second = folders.all[2]!;
    selection.select(formKey(folders, second, 'journal'));
    selection.hide();
    assert.equal(await shownFolder(), second);
  });

  it('are each named by the command of their row', async () => {
    const { folders } = await setting();
    for (const folder of folders.all.slice(1)) {
      const row = listRow(folders, { kind: 'unknown', folder, title: 'UNKNOWN', message: '' });
      const [key] = row.command?.arguments as [string];
      assert.equal(folders.find(key)?.folder, folder);
    }
  });
});
