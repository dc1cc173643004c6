/** Which folder an editor tab is about: the one that was chosen on its page, as long as it is open, else the first. */
import type { OpenFolder } from './folders.ts';

export interface FolderChoice {
  /** Undefined where no folder is open. */
  shown(): OpenFolder | undefined;
  /** For a page that shows this one: the folders to choose from, when there are several. */
  offer(shown: OpenFolder): Offered;
  /** A key of those offered; any other chooses the first folder. */
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
