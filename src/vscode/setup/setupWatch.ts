/** Watches the files that enable hooks, in each open folder, and our programs in the user's folder. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';

const watched =
  '{.claude/settings.json,.claude/settings.local.json,.mcp.json,.github/mcp.json,.github/hooks/*.json,.codex/hooks.json,.codex/config.toml,.opencode/plugins/*,opencode.json,opencode.jsonc,.gemini/settings.json,.cursor/hooks.json,.cursor/mcp.json,.windsurf/hooks.json,.kiro/hooks/*.json,.kiro/settings/mcp.json,.agents/hooks.json,.agents/mcp_config.json,.git/hooks/*,.husky/*}';

export interface SetupWatch extends Closable {
  /** Watches exactly these folders. */
  update(folders: readonly OpenFolder[]): { readonly opened: readonly string[]; readonly closed: readonly string[] };
}

/** Folders are named by their URIs. */
export function watchSetup(onChange: () => void): SetupWatch {
  const watchers = new Map<string, Closable>();
  return {
    update(folders) {
      const open = new Map(folders.map((folder) => [folder.uri.toString(), folder]));
      const closed = [...watchers.keys()].filter((key) => !open.has(key));
      const opened = [...open].filter(([key]) => !watchers.has(key));
      for (const key of closed) {
        watchers.get(key)?.dispose();
        watchers.delete(key);
      }
      for (const [key, folder] of opened) watchers.set(key, watch(folder, onChange));
      return { opened: opened.map(([key]) => key), closed };
    },
    dispose() {
      for (const watcher of watchers.values()) watcher.dispose();
    },
  };
}

function watch({ uri, workspace }: OpenFolder, onChange: () => void): Closable {
  const patterns = [
    new vscode.RelativePattern(uri.fsPath, watched),
    new vscode.RelativePattern(vscode.Uri.file(path.join(workspace.userFolder, 'bin')), '*'),
  ];
  const made = patterns.map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
  for (const one of made) {
    one.onDidChange(onChange);
    one.onDidCreate(onChange);
    one.onDidDelete(onChange);
  }
  return vscode.Disposable.from(...made);
}
