/**
 * Which saved states this program reads: those that the same code wrote. The build replaces the name by the hash, which
 * only programs that run from their sources compute.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../trust/canonical.ts';

declare const HOLDPOINT_STATE: string | undefined;

let version: string | undefined;
export function stateVersion(): string {
  if (typeof HOLDPOINT_STATE === 'string') return HOLDPOINT_STATE;
  return (version ??= hashOfSources(path.join(import.meta.dirname, '..', '..')));
}

/** What folds the journal, and what reads and writes the state and the index that is saved with it. */
function hashOfSources(src: string): string {
  const hashes = ['core', 'trust', 'store/rows', 'store/saved'].flatMap((folder) => {
    const names = readdirSync(path.join(src, folder), { recursive: true }).map(String).sort();
    return names
      .filter((name) => name.endsWith('.ts'))
      .map((name) => sha256(readFileSync(path.join(src, folder, name))));
  });
  return sha256(Buffer.from(hashes.join())).slice(0, 16);
}
