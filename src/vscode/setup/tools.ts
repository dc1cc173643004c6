/** Language-model tools: the operations, registered with VS Code, so that Copilot agents can raise blockers. */
import path from 'node:path';
import * as vscode from 'vscode';
import { openAgent } from '../../app/workspace/agents.ts';
import type { LiveAgent } from '../../app/workspace/agents.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { shownIn } from '../../tools/agent/shown.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';

interface Contributed {
  readonly contributes: {
    readonly languageModelTools: readonly { readonly name: string; readonly displayName: string }[];
  };
}

/** Registers the manifest's tools, which are generated from the operations; the operations is loaded on the first call. */
export function registerTools({ extension }: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  const agents = all.add(agentsOfWindow(folders));
  const { contributes } = extension.packageJSON as Contributed;
  for (const { name, displayName } of contributes.languageModelTools)
    all.add(
      vscode.lm.registerTool(name, {
        invoke: (options, token) => invoke(folders, agents, { name, input: options.input }, token),
        prepareInvocation: () => ({ invocationMessage: displayName }),
      }),
    );
  all.add(offerTools(folders));
  return all;
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

interface Agents extends Closable {
  of(workspace: Workspace): AgentSession;
}

/** Chats of one window share an agent per store: the stable API does not distinguish them. */
function agentsOfWindow(folders: Folders): Agents {
  const known = new Map<Workspace, LiveAgent>();
  return {
    of(workspace) {
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
  { name, input }: { readonly name: string; readonly input: unknown },
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
    const [{ catalog }, { runAgentTool }] = await Promise.all([
      import('../../tools/catalog.ts'),
      import('../../tools/agent/tool.ts'),
    ]);
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
