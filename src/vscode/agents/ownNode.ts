import type { NodeProgram } from './commandScripts.ts';

/** VS Code's own Node, so that nobody needs another: Electron on a desktop, a real Node on a server. */
export function ownNode(): NodeProgram {
  const electron = 'electron' in process.versions;
  return { command: process.execPath, env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
}
