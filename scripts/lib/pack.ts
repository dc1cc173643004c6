// Packs the extension. Its page is the README's first part. VS Code shows pictures of such a page only from the web or from
// the page itself, and opens no file of the package from it, so relative links become plain text and the picture is written
// into the page. vsce admits pictures from the web only, so this is done to the finished package.
import { createVSIX } from '@vscode/vsce';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** The page without its picture, from the root; `vsce` takes it as the README. */
export const packageReadme = 'build/README.md';

const end = '<!-- The page of the installed package ends here';
const picture = /!\[([^\]]*)\]\(([^)]+)\)\n\n/;

/** @returns the page with its picture */
export async function writePackageReadme(root: string): Promise<string> {
  const [first, rest] = (await readFile(path.join(root, 'README.md'), 'utf8')).split(end);
  const [found, words = '', file] = picture.exec(first ?? '') ?? [];
  if (first === undefined || rest === undefined || found === undefined || file === undefined)
    throw new Error(`README.md has no picture before "${end}"`);
  const text = `${first.replace(/: see \[[^\]]*\]\(#[^)]*\)/g, '').trimEnd()}\n`;
  const plain = (part: string) => part.replace(/\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1');
  const [before = '', after = ''] = text.split(found).map(plain);
  await mkdir(path.join(root, 'build'), { recursive: true });
  await writeFile(path.join(root, packageReadme), before + after);
  const data = await readFile(path.join(root, file), 'base64');
  return `${before}<img alt="${words}" src="data:image/png;base64,${data}">\n\n${after}`;
}

/** Packs the extension in `root`, which must be built. */
export async function pack(root: string, packagePath: string): Promise<void> {
  const page = await writePackageReadme(root);
  await createVSIX({ cwd: root, dependencies: false, packagePath, readmePath: packageReadme });
  await writeFile(packagePath, withFile(await readFile(packagePath), 'extension/readme.md', Buffer.from(page)));
}

/** Replaces a file of a ZIP archive without a comment: the new one follows the others, before their directory. */
function withFile(zip: Buffer, name: string, content: Buffer): Buffer {
  const tail = Buffer.from(zip.subarray(-22));
  const [size, start] = [tail.readUInt32LE(12), tail.readUInt32LE(16)];
  const directory = Buffer.from(zip.subarray(start, start + size));
  const packed = deflateRawSync(content, { level: 9 });
  const local = Buffer.alloc(30);
  for (let at = 0; at < size;) {
    const length = (offset: number) => directory.readUInt16LE(at + offset);
    const named = length(28);
    if (directory.toString('utf8', at + 46, at + 46 + named) === name) {
      directory.writeUInt16LE(0x0800, at + 8); // names are UTF-8, and sizes come first
      directory.writeUInt16LE(8, at + 10);
      directory.writeUInt32LE(crc32(content), at + 16);
      directory.writeUInt32LE(packed.length, at + 20);
      directory.writeUInt32LE(content.length, at + 24);
      directory.writeUInt32LE(start, at + 42);
      local.writeUInt32LE(0x04034b50);
      directory.copy(local, 4, at + 6, at + 30);
    }
    at += 46 + named + length(30) + length(32);
  }
  const entry = Buffer.concat([local, Buffer.from(name), packed]);
  tail.writeUInt32LE(start + entry.length, 16);
  return Buffer.concat([zip.subarray(0, start), entry, directory, tail]);
}
