// Packs the extension. Its page is the README's first part as plain text: VS Code shows on such a page only pictures from
// the web, and opens no file of the package from it. "Holdpoint: Open Documentation" opens the pages that are in it.
import { createVSIX } from '@vscode/vsce';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** From the root; `vsce` takes it as the README. */
export const packageReadme = 'build/README.md';

const end = '<!-- The page of the installed package ends here';

export async function writePackageReadme(root: string): Promise<void> {
  const [first, rest] = (await readFile(path.join(root, 'README.md'), 'utf8')).split(end);
  if (first === undefined || rest === undefined) throw new Error(`README.md has no "${end}"`);
  const page = first
    .replace(/!\[[^\]]*\]\([^)]*\)\n\n/g, '')
    .replace(/: see \[[^\]]*\]\(#[^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1');
  await mkdir(path.join(root, 'build'), { recursive: true });
  await writeFile(path.join(root, packageReadme), `${page.trimEnd()}\n`);
}

/** Packs the extension in `root`, which must be built. */
export async function pack(root: string, packagePath: string): Promise<void> {
  await writePackageReadme(root);
  await createVSIX({ cwd: root, dependencies: false, packagePath, readmePath: packageReadme });
}
