/** Remembers which hosts were set up in which folders, to detect a removed or changed hook. */
import type * as vscode from 'vscode';
import type { HostCheck } from '../../hosts/setup/check.ts';
import type { SetupName } from '../../hosts/setup/place.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';

export interface KnownSetup {
  /** Records a check. Returns the hosts that were set up before and no longer are. */
  compare(folder: OpenFolder, checks: readonly HostCheck[]): Promise<readonly HostCheck[]>;
  forget(folder: OpenFolder, host: SetupName): void;
}

const knownName = 'holdpoint.setUp';

export function knownSetup({ workspaceState }: vscode.ExtensionContext): KnownSetup {
  const known = () => new Set(workspaceState.get<readonly string[]>(knownName, []));
  const keyOf = (folder: OpenFolder, host: SetupName) => `${host} ${folder.uri.toString()}`;
  return {
    async compare(folder, checks) {
      const before = known();
      const next = new Set(before);
      const lost: HostCheck[] = [];
      for (const check of checks) {
        const key = keyOf(folder, check.host);
        if (check.verdict === 'enforced' || check.verdict === 'advisory') next.add(key);
        else if (next.delete(key)) lost.push(check);
      }
      if (next.size !== before.size || lost.length > 0) await workspaceState.update(knownName, [...next]);
      return lost;
    },
    forget(folder, host) {
      const next = known();
      if (next.delete(keyOf(folder, host))) void workspaceState.update(knownName, [...next]);
    },
  };
}
