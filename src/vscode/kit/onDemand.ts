/** Commands whose code is loaded when one of them is first run. */
import * as vscode from 'vscode';
import { collect, type Closable } from '../../ui/kit/disposables.ts';

/** @param load registers the commands; it replaces their place holders */
export function onDemand(commands: readonly string[], load: () => Promise<() => Closable>): Closable {
  const all = collect();
  const placeHolders = collect();
  let loaded: Promise<void> | undefined;
  const register = async () => {
    const registration = await load();
    placeHolders.dispose();
    all.add(registration());
  };
  for (const command of commands)
    placeHolders.add(
      vscode.commands.registerCommand(command, async (...given: unknown[]) => {
        await (loaded ??= register());
        return vscode.commands.executeCommand(command, ...given);
      }),
    );
  all.add({ dispose: placeHolders.dispose });
  return all;
}
