/** The host that the editor itself is: VS Code, or one of the editors that are made from it. */
import type { SetupName } from '../../hosts/setup/place.ts';

const madeFromIt = ['cursor', 'windsurf', 'kiro', 'antigravity'] as const satisfies readonly SetupName[];

/** @param appName what the editor calls itself (`vscode.env.appName`): `Visual Studio Code - Insiders`, `Cursor` */
export function editorHost(appName: string): SetupName {
  const words = appName.toLowerCase().split(/[^a-z]+/);
  return madeFromIt.find((name) => words.includes(name)) ?? 'vscode';
}
