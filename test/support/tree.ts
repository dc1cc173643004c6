/** The complete content of a folder, for tests that must not change it: bytes, modes, links and empty folders. */
import fs from 'node:fs';
import path from 'node:path';

/** Keyed by path relative to the folder. */
export type Tree = Readonly<Record<string, string>>;

export function treeOf(folder: string): Tree {
  const tree: Record<string, string> = {};
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const mode = (fs.lstatSync(file).mode & 0o777).toString(8);
    const what = entry.isSymbolicLink()
      ? `link ${fs.readlinkSync(file)}`
      : entry.isDirectory()
        ? 'folder'
        : fs.readFileSync(file).toString('base64');
    tree[path.relative(folder, file)] = `${mode} ${what}`;
  }
  return tree;
}
