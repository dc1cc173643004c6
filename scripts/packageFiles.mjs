// npm run test:package: packs the extensions and compares what is in them, file by file, with the lists that a human agreed to.
// npm run test:package -- --update    rewrites the lists
import { listFiles } from '@vscode/vsce';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../test/support/temporary.ts';
import { packInto } from '../test/support/vsix.ts';
import { packageReadme, writePackageReadme } from './lib/pack.ts';
import { root } from './lib/prepare.mjs';

/** The folder of each extension, with its list. */
const extensions = { '.': 'packageFiles.txt', companion: 'signerFiles.txt' };

await writePackageReadme(root);
for (const [folder, list] of Object.entries(extensions)) await compare(folder, list);

async function compare(folder, list) {
  const cwd = path.join(root, folder);
  const agreed = path.join(root, 'scripts', list);
  // A chunk's name contains a hash of its content.
  const listed = await listFiles({ cwd, dependencies: false, ...(folder === '.' && { readmePath: packageReadme }) });
  const files = [
    ...new Set(listed.map((file) => file.replaceAll('\\', '/').replace(/\/chunk-\w+\.js$/, '/chunk-*.js'))),
  ].sort();
  if (process.argv.includes('--update')) {
    await writeFile(agreed, `${files.join('\n')}\n`);
    return;
  }
  const expected = (await readFile(agreed, 'utf8')).split('\n').filter(Boolean);
  const added = files.filter((file) => !expected.includes(file)).map((file) => `+ ${file}`);
  const gone = expected.filter((file) => !files.includes(file)).map((file) => `- ${file}`);
  if (added.length + gone.length > 0) {
    console.error(`The package differs from ${path.relative(root, agreed)}:\n${[...added, ...gone].join('\n')}`);
    process.exit(1);
  }
}

// Packing also looks for secrets in the files.
const packed = await temporaryFolder();
for (const folder of Object.keys(extensions)) {
  const { size } = await stat(await packInto(packed.folder, path.join(root, folder)));
  console.log(`${folder}: ${Math.round(size / 1024)} KB packed`);
}
await packed.remove();
