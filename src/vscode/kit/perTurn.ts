/** A value of each folder, computed once in a turn of the event loop, for callers that ask for each of many items. */
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { perFolder } from '../../ui/kit/perFolder.ts';

export function perTurn<T>(compute: (folder: OpenFolder) => T): (folder: OpenFolder) => T {
  let known: ((folder: OpenFolder) => T) | null = null;
  return (folder) => {
    if (!known) {
      known = perFolder(compute);
      setImmediate(() => {
        known = null;
      });
    }
    return known(folder);
  };
}
