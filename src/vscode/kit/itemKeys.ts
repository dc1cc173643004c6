/**
 * Keys of items in a window: the folder by its address, and the item's id. Drafts, tabs and open forms keep keys, so
 * a key must not come to stand for another folder when folders are added, removed or sorted.
 */
import { sha256 } from '../../trust/canonical.ts';

interface Place {
  readonly uri: { toString(): string };
}

export interface ItemKeys<Folder extends Place> {
  /** The folder and id that a key stands for; null if its folder is not open. */
  find(key: string): { readonly folder: Folder; readonly id: string } | null;
  keyOf(folder: Folder, id: string): string;
}

const sampleName = 'sample';

const nameLength = 16;

const keyForm = /^([0-9a-f]{16}|sample)\/(.+)$/;

/** @param sample the sample workspace, while it is open */
export function itemKeys<Folder extends Place>(
  all: () => readonly Folder[],
  sample: () => Folder | null,
): ItemKeys<Folder> {
  const names = new Map<string, string>();

  function nameOf({ uri }: Place): string {
    if (uri === sample()?.uri) return sampleName;
    const address = String(uri);
    const name = names.get(address) ?? sha256(address).slice(0, nameLength);
    names.set(address, name);
    return name;
  }

  return {
    keyOf: (folder, id) => `${nameOf(folder)}/${id}`,
    find(key) {
      const [, name = '', id = ''] = keyForm.exec(key) ?? [];
      const folder = name === sampleName ? sample() : all().find((one) => nameOf(one) === name);
      return folder ? { folder, id } : null;
    },
  };
}
