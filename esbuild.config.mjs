// Bundles: the extension, the command line, one script and style sheet per webview, and what they load at run time.
import { build } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

await rm('dist', { recursive: true, force: true });
await mkdir('dist', { recursive: true });

const node = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  metafile: true,
  legalComments: 'none',
  // Its main file asks for its parts in a way that cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    HOLDPOINT_VERSION: JSON.stringify(version),
  },
};

/** The MCP SDK brings a JSON Schema validator for what clients answer to questions of the server. It asks none. */
const withoutAjv = {
  name: 'without-ajv',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ajv(-formats)?$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'export default undefined' }));
  },
};

/** What only a database or a document needs has files of its own: read on first use, and the same for all programs. */
const apart = {
  'kysely.cjs': `export { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'`,
  'sqljs.cjs': `module.exports = require('sql.js')`,
  'markdown.cjs': `export { fromMarkdown } from 'mdast-util-from-markdown';
    export { gfmTableFromMarkdown } from 'mdast-util-gfm-table'; export { gfmTable } from 'micromark-extension-gfm-table'`,
};
const loadedApart = {
  name: 'loaded-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^(kysely|sql\.js)$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') throw new Error(`${path} must be loaded on first use`);
      return { path: `./${path.replace('.', '')}.cjs`, external: true };
    });
    // Required where the module that imports it begins: by those who load that one on first use.
    onResolve({ filter: /^(mdast-util-from-markdown|mdast-util-gfm-table|micromark-extension-gfm-table)$/ }, () => ({
      path: './markdown.cjs',
      external: true,
    }));
  },
};
await Promise.all(
  Object.entries(apart).map(([file, contents]) =>
    build({ ...node, stdin: { contents, resolveDir: '.' }, outfile: `dist/${file}` }),
  ),
);

const [extension, cli, mcp, hook] = await Promise.all([
  build({
    ...node,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    external: ['vscode'],
    plugins: [loadedApart],
  }),
  build({
    ...node,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.cjs',
    banner: { js: '#!/usr/bin/env node' },
    plugins: [loadedApart],
  }),
  build({
    ...node,
    entryPoints: ['src/mcp/main.ts'],
    outfile: 'dist/mcp.cjs',
    banner: { js: '#!/usr/bin/env node' },
    // One zod: beside a lazily loaded one, esbuild leaves the other names of the same package uninitialised.
    alias: { ...node.alias, 'zod/v4': 'zod', 'zod/v4-mini': 'zod' },
    plugins: [withoutAjv, loadedApart],
  }),
  build({
    ...node,
    entryPoints: ['src/hook/main.ts'],
    outfile: 'dist/hook.cjs',
    banner: { js: '#!/usr/bin/env node' },
    plugins: [loadedApart],
  }),
]);

const surfaces = (await readdir('webview', { withFileTypes: true }))
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .map((entry) => ({ in: `webview/${entry.name}/main.ts`, out: entry.name }));
await build({
  entryPoints: surfaces,
  outdir: 'dist/webview',
  bundle: true,
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  minify: true,
  legalComments: 'none',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
});

await copyFile(require.resolve('sql.js/dist/sql-wasm.wasm'), 'dist/sql-wasm.wasm');
// What went into each program, for the test that the human side is in none but the editor's.
await mkdir('build', { recursive: true });
await writeFile(
  'build/metafile.json',
  JSON.stringify({ extension: extension.metafile, cli: cli.metafile, mcp: mcp.metafile, hook: hook.metafile }),
);
