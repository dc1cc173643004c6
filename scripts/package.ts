// npm run package: packs the built extension into holdpoint-<version>.vsix, or the file that is named, for the Marketplace
// (`vsce publish --packagePath`) and Open VSX (`ovsx publish`), and the programs into holdpoint-<version>.tgz (`npm publish`).
// Packing also looks for secrets in the files; `.vscodeignore` lists what ships.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeNpmPackage } from './lib/npmPackage.ts';
import { pack } from './lib/pack.ts';

const root = path.join(import.meta.dirname, '..');
const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};
await pack(root, path.join(root, process.argv[2] ?? `${name}-${version}.vsix`));
await writeNpmPackage(root, path.join(root, 'build', 'npm'));
const destination = ['--pack-destination', path.join(root, process.argv[2] === undefined ? '.' : 'build')];
const { status } = spawnSync('npm', ['pack', '--silent', ...destination], {
  ...{ cwd: path.join(root, 'build', 'npm'), stdio: 'inherit', shell: process.platform === 'win32' },
});
if (status !== 0) throw new Error('npm could not pack the programs');
