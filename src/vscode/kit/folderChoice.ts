/** The folder shown in an editor tab: the one chosen on its page while it is open, else the first. */
import type { OpenFolder } from './folders.ts';

export interface FolderChoice {
  /** Undefined where no folder is open. */
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

/** @param open the folders there are to choose from now */
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

/** At most as long as a token of the protocol. */
function keyOf(folder: OpenFolder): string {
  return folder.uri.toString().slice(-200);
}
