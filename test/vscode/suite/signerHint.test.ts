/** The hint of a remote window that signs beside agents, in a real VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hintOnce } from '../../../src/vscode/keys/signerHint.ts';
import { signerHint } from '../../../src/vscode/kit/signingSide.ts';
import { until } from '../../support/until.ts';

/** What VS Code remembers of a folder. */
function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  const get = <T>(name: string, otherwise?: T) => (values.has(name) ? (values.get(name) as T) : otherwise);
  return {
    keys: () => [...values.keys()],
    get,
    update: (name, value) => Promise.resolve(void values.set(name, value)),
  };
}

const isSetup = ({ input }: vscode.Tab) =>
  input instanceof vscode.TabInputWebview && input.viewType.endsWith('holdpoint.setup');

const isSetupOpen = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isSetup));

describe('The hint to sign on one’s own machine, in a real VS Code', () => {
  before(() => vscode.commands.executeCommand('notifications.clearAll'));
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has a button that opens the set-up page, and comes once in a folder', async () => {
    const memory = memento();
    const hint = hintOnce(memory);
    // The notification arrives a moment after its call; until then there is nothing to accept.
    await until('the set-up page is open', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return isSetupOpen();
    });
    await hint;
    assert.equal(signerHint(memory), 'shown');
    await hintOnce(memory);
  });
});
