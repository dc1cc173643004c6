// The extension Holdpoint Signer (`companion`): one script for the extension hosts of desktops and of browsers.
import { build } from 'esbuild';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

const folder = 'companion/dist';

/** What only Node has is not loaded: the script uses none of it, as it also runs in web workers. */
const withoutNode = {
  name: 'without-node',
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};

/** @param {import('esbuild').BuildOptions} all options of every bundle */
export async function buildSigner(all) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(`${folder}/l10n`, { recursive: true });
  await build({
    ...all,
    entryPoints: ['src/signer/main.ts'],
    outfile: `${folder}/signer.js`,
    external: ['vscode'],
    plugins: [withoutNode],
    platform: 'browser',
    target: 'es2022',
    format: 'cjs',
    charset: 'utf8',
  });
  const script = await readFile(`${folder}/signer.js`, 'utf8');
  for (const name of await readdir('l10n')) {
    if (!/^bundle\.l10n\.\w+\.json$/.test(name)) continue;
    const texts = Object.entries(JSON.parse(await readFile(`l10n/${name}`, 'utf8')));
    const used = texts.filter(([text]) => script.includes(text));
    await writeFile(`${folder}/l10n/${name}`, JSON.stringify(Object.fromEntries(used)));
  }
  await cp('LICENSE', `${folder}/../LICENSE`);
  await cp('media/icon.png', `${folder}/../icon.png`);
}
