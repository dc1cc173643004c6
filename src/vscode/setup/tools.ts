/** Language-model tools: the operations, registered with VS Code, so that Copilot agents can raise blockers. */
import path from 'node:path';
import * as vscode from 'vscode';
import { openAgent, type LiveAgent } from '../../app/workspace/agents.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { shownIn } from '../../tools/agent/tool.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { ownNode, posixScript, windowsScript, ownLauncher } from '../kit/ownNode.ts';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import * as l10n from '@vscode/l10n';
import { writeLauncher } from '../../hosts/setup/launcher.ts';
import { replaceFile } from '../../store/journal/files.ts';
import { userFolder } from '../../store/journal/stateFile.ts';

/** What tools do when they are called. */
export function openTools(folders: Folders) {
  const agents = agentsOfWindow(folders);
  return {
    invoke: (call: ToolCall, token: vscode.CancellationToken) => invoke(folders, agents, call, token),
    offer: () => offerTools(folders),
    dispose: agents.dispose,
  };
}

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** Sets the keys by which the manifest offers tools to chats. A tool that is not offered works all the same. */
function offerTools(folders: Folders): Closable {
  const all = collect();
  const keys = {
    used: ids.context.toolsUsed,
    asked: ids.context.toolsAsked,
    requests: ids.context.toolsRequests,
  } as const;
  const set = ([kind, key]: readonly [string, string]) => {
    const isOffered =
      vscode.workspace.getConfiguration().get(ids.settings.allTools) === true ||
      folders.all.some(({ workspace }) => shownIn(workspace, null).has(kind as keyof typeof keys));
    void vscode.commands.executeCommand('setContext', key, isOffered);
  };
  const look = () => {
    Object.entries(keys).forEach(set);
  };
  all.add(folders.onDidChange(look));
  all.add(vscode.workspace.onDidChangeConfiguration(look));
  return all;
}

type Agents = ReturnType<typeof agentsOfWindow>;

/** Chats of one window share an agent per store: the stable API does not distinguish them. */
function agentsOfWindow(folders: Folders) {
  const known = new Map<Workspace, LiveAgent>();
  return {
    of(workspace: Workspace): AgentSession {
      for (const [other, agent] of known)
        if (!folders.all.some((folder) => folder.workspace === other)) {
          agent.release();
          known.delete(other);
        }
      const agent =
        known.get(workspace) ??
        openAgent(workspace, { type: 'copilot', host: 'vscode', session: vscode.env.sessionId });
      known.set(workspace, agent);
      return agent.session;
    },
    dispose() {
      for (const agent of known.values()) agent.release();
    },
  };
}

async function invoke(
  folders: Folders,
  agents: Agents,
  { name, input }: ToolCall,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  await folders.opened;
  const folder = folderFor(folders, input);
  if (!folder)
    return textResult(
      'Denied: no folder is open, so nothing can be recorded. Ask your human to open a folder, and stop.',
    );
  const { workspace } = folder;
  const controller = new AbortController();
  const cancelling = token.onCancellationRequested(() => {
    controller.abort();
  });
  try {
    const { catalog } = await import('../../tools/catalog.ts');
    const { runAgentTool } = await import('../../tools/agent/tool.ts');
    const tool = catalog.find((one) => one.name === name);
    if (!tool) throw new RangeError(name);
    // A chat may wait indefinitely: cancelling it ends the wait, never the question.
    const result = await runAgentTool(
      tool,
      { workspace, session: agents.of(workspace), signal: controller.signal, waitMs: Infinity },
      input,
    );
    return textResult(result.text);
  } finally {
    cancelling.dispose();
  }
}

/** The folder that contains the named files, else the first one. */
function folderFor({ all }: Folders, input: unknown): OpenFolder | undefined {
  const named = absolutePaths(input);
  return all.find(({ uri }) => named.some((file) => !path.relative(uri.fsPath, file).startsWith('..'))) ?? all[0];
}

function absolutePaths(input: unknown): string[] {
  if (typeof input !== 'object' || input === null || !('files' in input) || !Array.isArray(input.files)) return [];
  return input.files
    .map((file: unknown) => (typeof file === 'object' && file !== null && 'path' in file ? file.path : file))
    .filter((file): file is string => typeof file === 'string' && path.isAbsolute(file));
}

function textResult(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

// Offers MCP servers to this window, one for each folder. Their tools equal the extension's own.

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
  const server = path.join(extension.extensionPath, 'dist', 'mcp.cjs');
  const all = vscode.workspace.getConfiguration().get(ids.settings.allTools) === true ? ['--all-tools'] : [];
  const args = [server, '--workspace', uri.fsPath, '--agent-type', 'copilot', ...all];
  return new vscode.McpStdioServerDefinition(`Holdpoint: ${name}`, command, args, { ...env }, version);
}

// `holdpoint` in terminals of VS Code: two small scripts in the extension's storage, on the PATH of new terminals.

/** The scripts contain paths of VS Code and this extension version, so they are rewritten when either moves. */
export function putOnTerminalPath({
  extensionPath,
  globalStorageUri,
  environmentVariableCollection,
}: vscode.ExtensionContext): void {
  const folder = path.join(globalStorageUri.fsPath, 'bin');
  const program = path.join(extensionPath, 'dist', 'cli.cjs');
  try {
    fs.mkdirSync(folder, { recursive: true });
    write(path.join(folder, 'holdpoint'), posixScript(ownNode(), program));
    // The path in hosts' files; independent of the extension's version.
    const { env, platform } = process;
    const user = userFolder({ env, platform, home: os.homedir() });
    writeLauncher(user, ownLauncher(extensionPath), platform);
    if (process.platform === 'win32')
      write(path.join(folder, 'holdpoint.cmd'), windowsScript(folder, ownNode(), program));
  } catch (error) {
    console.error('holdpoint: the command for terminals cannot be written', error);
    return;
  }
  environmentVariableCollection.description = l10n.t('Adds the command `holdpoint`.');
  environmentVariableCollection.prepend('PATH', `${folder}${path.delimiter}`, {
    applyAtProcessCreation: true,
    applyAtShellIntegration: true, // for shells whose profile resets PATH
  });
}

function write(file: string, script: string): void {
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  if (before !== script) replaceFile(fs, file, Buffer.from(script), `${file}.${randomUUID()}.tmp`);
  fs.chmodSync(file, 0o755);
}
