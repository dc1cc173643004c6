// npm run test:package: packs the extension and compares what is in it, file by file, with the list that a human agreed to.
// npm run test:package -- --update    rewrites the list
import { listFiles } from '@vscode/vsce';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../test/support/temporary.ts';
import { packInto } from '../test/support/vsix.ts';
import { packageReadme, writePackageReadme } from './lib/pack.ts';
import { root } from './lib/prepare.mjs';

const agreed = path.join(root, 'scripts', 'packageFiles.txt');

await writePackageReadme(root);
// A chunk's name contains a hash of its content.
const listed = await listFiles({ cwd: root, dependencies: false, readmePath: packageReadme });
const files = [
  ...new Set(listed.map((file) => file.replaceAll('\\', '/').replace(/\/chunk-\w+\.(m?js)$/, '/chunk-*.$1'))),
].sort();
if (process.argv.includes('--update')) await writeFile(agreed, `${files.join('\n')}\n`);
const expected = (await readFile(agreed, 'utf8')).split('\n').filter(Boolean);
const added = files.filter((file) => !expected.includes(file)).map((file) => `+ ${file}`);
const gone = expected.filter((file) => !files.includes(file)).map((file) => `- ${file}`);
if (added.length + gone.length > 0) {
  console.error(`The package differs from ${path.relative(root, agreed)}:\n${[...added, ...gone].join('\n')}`);
  process.exit(1);
}

// Packing also looks for secrets in the files.
const packed = await temporaryFolder();
const { size } = await stat(await packInto(packed.folder));
console.log(`${Math.round(size / 1024)} KB packed`);
await packed.remove();
