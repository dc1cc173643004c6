/** Offers MCP servers to this window, one for each folder. Their tools equal the extension's own. */
import path from 'node:path';
import * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { ownNode } from '../kit/ownNode.ts';

/**
 * Prevents duplicate tools: servers are offered only if the user chose them over the extension's tools, which the
 * manifest then disables by the same setting.
 */
export function registerMcpServers(context: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const offered = () => (vscode.workspace.getConfiguration().get(ids.settings.chatTools) === 'mcp' ? folders.all : []);
  const places = () =>
    offered()
      .map(({ uri }) => uri.toString())
      .join('\n');
  let known = '';
  const look = () => {
    const now = places();
    if (now === known) return;
    known = now;
    changed.fire();
  };
  all.add(folders.onDidChange(look));
  all.add(vscode.workspace.onDidChangeConfiguration(look));
  all.add(
    vscode.lm.registerMcpServerDefinitionProvider(ids.mcpServers, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => offered().map((folder) => definition(context, folder)),
    }),
  );
  return all;
}

function definition(
  { extension }: vscode.ExtensionContext,
  { name, uri }: OpenFolder,
): vscode.McpStdioServerDefinition {
  const { command, env } = ownNode();
  const { version } = extension.packageJSON as { version: string };
  const server = path.join(extension.extensionPath, 'dist', 'mcp.mjs');
  const all = vscode.workspace.getConfiguration().get(ids.settings.allTools) === true ? ['--all-tools'] : [];
  const args = [server, '--workspace', uri.fsPath, '--agent-type', 'copilot', ...all];
  return new vscode.McpStdioServerDefinition(`Holdpoint: ${name}`, command, args, { ...env }, version);
}
