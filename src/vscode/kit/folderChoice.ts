/** The folder shown in an editor tab: the one chosen on its page, while that folder is open, else the first. */
import type { OpenFolder } from '../../ui/kit/folders.ts';

export interface FolderChoice {
  /** Undefined if no folder is open. */
  shown(): OpenFolder | undefined;
  /** The folders to choose from, if there are several. */
  offer(shown: OpenFolder): Offered;
  /** A key from the offered folders; any other selects the first. */
  choose(key: string): void;
}

export interface Offered {
  readonly folders: { key: string; name: string }[];
  readonly folder: string;
}

/** @param open returns the folders that can be chosen now */
export function folderChoice(open: () => readonly OpenFolder[]): FolderChoice {
  let chosen: OpenFolder | undefined;
  return {
    shown() {
      const all = open();
      return all.find((one) => one === chosen) ?? all[0];
    },
    offer(shown) {
      const all = open();
      return {
        folders: all.length > 1 ? all.map((one) => ({ key: keyOf(one), name: one.name })) : [],
        folder: keyOf(shown),
      };
    },
    choose(key) {
      chosen = open().find((one) => keyOf(one) === key);
    },
  };
}

/** Limited to the length of a protocol token. */
function keyOf(folder: OpenFolder): string {
  return folder.uri.toString().slice(-200);
}
