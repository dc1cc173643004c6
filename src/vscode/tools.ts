/** Language-model tools: the catalog, registered with VS Code, so that Copilot agents can raise blockers. */
import path from 'node:path';
import * as vscode from 'vscode';
import { catalog } from '../tools/catalog.ts';
import { runTool } from '../tools/tool.ts';
import type { Tool } from '../tools/tool.ts';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders, OpenFolder } from './folders.ts';

/** Chats of one window share an agent: the stable API does not tell them apart. */
const agent = 'copilot-001';

export function registerTools(folders: Folders): Closable {
  const all = collect();
  for (const tool of catalog)
    all.add(
      vscode.lm.registerTool(tool.name, {
        invoke: (options, token) => invoke(folders, tool, options.input, token),
        prepareInvocation: () => ({ invocationMessage: tool.title }),
      }),
    );
  return all;
}

async function invoke(
  folders: Folders,
  tool: Tool,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
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
    const actor = { kind: 'agent', id: agent, session: vscode.env.sessionId, worktree: workspace.worktree } as const;
    // A chat waits as long as it lives: cancelling it ends the wait, never the question.
    const result = await runTool(
      tool,
      { workspace, session: { actor, host: 'vscode' }, signal: controller.signal, waitMs: Infinity },
      input,
    );
    return textResult(result.text);
  } finally {
    cancelling.dispose();
  }
}

/** In a window of several folders: the one that holds the files the input names, else the first. */
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
