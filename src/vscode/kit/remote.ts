import * as vscode from 'vscode';

/** Whether this window works on another machine: VS Code's server on this one is remote only by its address. */
export function isOnOtherMachine(): boolean {
  const { remoteName } = vscode.env;
  return remoteName !== undefined && !/^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)(?::\d+)?$/.test(remoteName);
}
