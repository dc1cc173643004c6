// The extension Holdpoint Signer (`companion`): one script for the extension hosts of desktops and of browsers.
import { build } from 'esbuild';
import { cp, mkdir, rm } from 'node:fs/promises';

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
  await mkdir(folder, { recursive: true });
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
  await cp('LICENSE', `${folder}/../LICENSE`);
  await cp('media/icon.png', `${folder}/../icon.png`);
}
