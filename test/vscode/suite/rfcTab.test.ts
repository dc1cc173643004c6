/** The review in a real VS Code: one editor tab per RFC, which commands can open but not act on. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../../support/until.ts';

async function call(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(`holdpoint_${name}`, { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

const open = (...argument: unknown[]) => vscode.commands.executeCommand('holdpoint.rfc.open', ...argument);

const tabs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('holdpoint.rfc'));

// VS Code rebuilds its list of tabs when its parts disagree, and fires no event for tabs then, so this polls.
const tabsAre = (count: number) => until(`${String(count)} tabs`, () => tabs().length === count);

async function propose(title: string): Promise<string> {
  const proposed = await call('propose_rfc', { title, summary: 'Short.', submit: true });
  return /RFC-\d+/.exec(proposed)?.[0] ?? '';
}

describe('The review of an RFC in a real VS Code', () => {
  let first: string;
  let second: string;
  before(async () => {
    await vscode.extensions.getExtension('holdpoint.holdpoint')?.activate();
    first = await propose('Signed tokens, once more');
    second = await propose('Another store');
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has its own tab for each RFC', async () => {
    await open(first);
    await tabsAre(1);
    await open(second);
    await tabsAre(2);
    await vscode.commands.executeCommand('holdpoint.form.open', first);
    await open(first);
    await tabsAre(2);
    await until('the first is in front', () =>
      tabs().some(({ label, isActive }) => isActive && label.startsWith(`${first}: `)),
    );
  });

  it('can be closed and opened again', async () => {
    await vscode.window.tabGroups.close(tabs());
    await tabsAre(0);
    await open(second);
    await tabsAre(1);
  });

  it('takes no decision from a command’s arguments', async () => {
    for (const argument of [
      { type: 'approve', id: first, revision: 1, conditions: [], constraints: [] },
      { kind: 'rfc', rfc: { id: first, approve: true } },
      `${first} approve`,
      '',
      0,
    ])
      await open(argument, { approve: true });
    for (const id of [first, second]) assert.match(await call('list_items', { id }), /is under review\./);
  });
});
