/** The list that chooses an RFC shows titles that agents wrote. On a real store. */
import assert from 'node:assert/strict';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import '../../support/editorApi.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { windowWith } from '../../support/store/window.ts';

const { rfcRows } = await import('../../../src/vscode/rfc/documents.ts');

const nothing = { workflows: [], tasks: [], holds: [], contexts: [] };

describe('the list of RFCs to choose from', () => {
  afterEach(removeSandboxes);

  it('shows neither icons nor hidden characters of a title as such', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    await proposeRfc(store, agent(), { title: '$(pass-filled) Approved \u202Eneko', ...nothing, submit: true });
    const [row] = rfcRows(windowWith([workspace]));
    assert.equal(row?.label, '\\$(pass-filled) Approved [U+202E]neko');
  });

  it('has the key of each folder’s own RFC', async () => {
    const workspaces = [makeSandbox().open(), makeSandbox().open()];
    for (const workspace of workspaces)
      await proposeRfc(await workspace.store(), agent(), { title: 'Tokens', ...nothing, submit: true });
    const folders = windowWith(workspaces);
    assert.deepEqual(
      new Set(rfcRows(folders).map(({ key }) => folders.find(key)?.folder.workspace)),
      new Set(workspaces),
    );
  });
});
