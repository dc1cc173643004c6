import type { NodeProgram } from './commandScripts.ts';

/** VS Code's own Node, so that users need not install one: Electron on a desktop, Node on a server. */
export function ownNode(): NodeProgram {
  const electron = 'electron' in process.versions;
  return { command: process.execPath, env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
}
