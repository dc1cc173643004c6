import assert from 'node:assert/strict';
import path from 'node:path';
import { askCopilot } from '../support/chat.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { startScriptedModel, type ModelRequest, type ScriptedModel } from '../support/scriptedModel.ts';
import { extensionReady } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { catalog } from '../../src/tools/catalog.ts';

const names = catalog.map(({ name }) => name).sort();

/** Holdpoint's tools as a chat offers them to its model; empty where it only asks for a title and the like. */
function offered(request: ModelRequest): string[] {
  return request.tools
    .map((tool) => tool.function.name)
    .filter((name) => name.includes('holdpoint'))
    .sort();
}

describe('Ways to Holdpoint from VS Code', () => {
  let workspace: TemporaryFolder;
  let model: ScriptedModel | undefined;
  let editor: Editor | undefined;
  /** What the model is offered by the next request of a chat in agent mode. */
  let nextOffer: (tools: string[]) => void = () => undefined;

  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    model = await startScriptedModel((request) => {
      if (request.tools.length > 0) nextOffer(offered(request));
      return { say: 'Understood.' };
    });
    editor = await openEditor({
      workspace: workspace.folder,
      model: model.url,
      settings: { 'holdpoint.chatTools': 'mcp' },
    });
    await extensionReady(editor.window);
  });
  after(async () => {
    await editor?.close();
    await model?.close();
    await workspace.remove();
  });

  async function askAndSeeOffer(): Promise<string[]> {
    const offer = new Promise<string[]>((resolve) => {
      nextOffer = resolve;
    });
    await askCopilot(editor!.window, 'What may you do?');
    return offer;
  }

  it('a chat has the tools of an MCP server, started by VS Code, where the human chose that', async () => {
    const { window } = editor!;
    const row = (text: string) => window.page.locator('.quick-input-widget .monaco-list-row', { hasText: text });
    await window.evaluate(({ vscode }) => {
      void vscode.commands.executeCommand('workbench.mcp.listServer');
    }, undefined);
    await row('Holdpoint: sample').click();
    await row('Start Server').click();
    // VS Code has no event for the arrival of a server's tools.
    await window.evaluate(async ({ vscode }) => {
      while (!vscode.lm.tools.some(({ name }) => /^mcp_.*holdpoint_check_gate$/.test(name)))
        await new Promise((resolve) => setTimeout(resolve, 100));
    }, undefined);
    assert.deepEqual(
      await askAndSeeOffer(),
      names.map((name) => `mcp_holdpoint_${name}`),
    );
  });

  it('and else those of the extension, never both', async () => {
    const { window } = editor!;
    await window.evaluate(async ({ vscode }) => {
      await vscode.workspace
        .getConfiguration()
        .update('holdpoint.chatTools', undefined, vscode.ConfigurationTarget.Global);
      while (vscode.lm.tools.some(({ name }) => name.startsWith('mcp_')))
        await new Promise((resolve) => setTimeout(resolve, 100));
    }, undefined);
    assert.deepEqual(await askAndSeeOffer(), names);
  });

  it('and one tool in a folder that does not use Holdpoint, unless a setting says otherwise', async () => {
    await editor!.window.evaluate(async ({ vscode }) => {
      await vscode.workspace.getConfiguration().update('holdpoint.allTools', false, vscode.ConfigurationTarget.Global);
    }, undefined);
    await until('one tool', async () => (await askAndSeeOffer()).length === 1);
    assert.deepEqual(await askAndSeeOffer(), ['holdpoint_raise_question']);
  });

  it('a terminal has the command', async () => {
    const { window } = editor!;
    await window.evaluate(({ vscode }) => {
      const terminal = vscode.window.createTerminal();
      terminal.show();
      terminal.sendText('holdpoint question create --text "From a terminal?"');
    }, undefined);
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
  });

  it('and with the question that it asked, a chat has the tools for work and for open questions', async () => {
    const used = catalog.filter(({ shown }) => shown !== 'requests').map(({ name }) => name);
    await until('more tools', async () => (await askAndSeeOffer()).length > 1);
    assert.deepEqual(await askAndSeeOffer(), used.sort());
  });
});
