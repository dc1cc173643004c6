// npm run package: packs the built extension into holdpoint-<version>.vsix.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pack } from './lib/pack.ts';

const root = path.join(import.meta.dirname, '..');
const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};
await pack(root, path.join(root, `${name}-${version}.vsix`));
