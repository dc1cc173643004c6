/** Saves a folder's content in memory and restores it: a store belongs to its path, so a copy would not work. */
import fs from 'node:fs';
import path from 'node:path';

/** Content by path below the folder; null for a folder. */
export type Tree = ReadonlyMap<string, Buffer | null>;

export function takeTree(folder: string): Tree {
  const tree = new Map<string, Buffer | null>();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    tree.set(path.relative(folder, file), entry.isDirectory() ? null : fs.readFileSync(file));
  }
  return tree;
}

/** Makes the folder's content equal to the tree, with new files. */
export function putTree(folder: string, tree: Tree): void {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true });
  for (const [name, content] of [...tree].sort(([a], [b]) => a.length - b.length)) {
    const file = path.join(folder, name);
    if (content === null) fs.mkdirSync(file, { recursive: true, mode: 0o700 });
    else {
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      fs.writeFileSync(file, content, { mode: 0o600 });
    }
  }
}
