// npm run package: packs the built extension into holdpoint-<version>.vsix, or the file that is named. Packing also looks for
// secrets in the files; `.vscodeignore` lists what ships.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pack } from './lib/pack.ts';

const root = path.join(import.meta.dirname, '..');
const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};
await pack(root, path.join(root, process.argv[2] ?? `${name}-${version}.vsix`));
