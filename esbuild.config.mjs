// Bundles: the programs and the chunks that they share, one script and style sheet per webview, and files loaded at run time.
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { diagramProgram } from './scripts/lib/diagramProgram.mjs';
import { keepGlyphsInUse } from './scripts/lib/glyphs.mjs';

const require = createRequire(import.meta.url);
// From TypeScript.
const { stateVersion } = await import('./src/store/saved/version.ts');
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

await rm('dist', { recursive: true, force: true });
await mkdir('dist', { recursive: true });

const all = { bundle: true, minify: true, metafile: true, legalComments: 'none' };

const programs = {
  ...all,
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunk-[hash]',
  splitting: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  // `pg` can do without the two last, and we do.
  external: ['vscode', 'pg-native', 'pg-cloudflare'],
  alias: {
    // Its main file loads its parts in a way that cannot be bundled.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    '@modelcontextprotocol/server/_shims': './scripts/lib/mcpShims.mjs',
    // Certificates of devices, which registration does not ask for.
    ...Object.fromEntries(
      ['x509', 'asn1-ecc', 'asn1-rsa', 'asn1-schema', 'asn1-x509', 'asn1-x509-post-quantum'].map((name) => [
        `@peculiar/${name}`,
        './scripts/lib/none.cjs',
      ]),
    ),
    'asn1.js': './scripts/lib/asn1.cjs',
    // Requests to push services are our own.
    'https-proxy-agent': './scripts/lib/none.cjs',
  },
  // For libraries that are CommonJS.
  banner: { js: `import{createRequire as ofNode}from'node:module';const require=ofNode(import.meta.url);` },
  define: {
    __dirname: 'import.meta.dirname',
    HOLDPOINT_VERSION: JSON.stringify(version),
    HOLDPOINT_STATE: JSON.stringify(stateVersion()),
  },
};

// A gate or hook starts before each edit: it is one file, which takes a quarter less time than chunks that all programs
// share. What needs a package is met seldom, and is in the files of the others.
const quick = {
  ...programs,
  splitting: false,
  entryPoints: ['cli/start', 'cli/main', 'hook/start', 'hook/main'].map((name) => entry(`src/${name}.ts`)),
};
const { inputs } = (await build({ ...quick, write: false })).metafile;
const own = new Map(quick.entryPoints.map((one) => [path.resolve(one.in), one]));
const seldom = new Map();
const met = new Set(quick.entryPoints.flatMap((one) => loadedWith(one.in)));
for (const file of met)
  for (const { path: next, kind } of inputs[file]?.imports ?? []) {
    if (kind !== 'dynamic-import') continue;
    const loaded = loadedWith(next);
    if (loaded.some((one) => one.startsWith('node_modules/'))) seldom.set(path.resolve(next), entry(next));
    else loaded.forEach((one) => met.add(one));
  }
const leave = ({ path: next, kind, resolveDir }) => {
  const file = path.resolve(resolveDir, next);
  const apart = kind === 'dynamic-import' ? (own.get(file) ?? seldom.get(file)) : undefined;
  return apart ? { path: `./${apart.out}.mjs`, external: true } : null;
};
const plugin = { name: 'seldom', setup: ({ onResolve }) => onResolve({ filter: /^\./ }, leave) };
const gates = await build({ ...quick, plugins: [plugin] });

// Each loads what it needs with `import()`, and shares chunks with the others.
const others = await build({
  ...programs,
  entryPoints: [
    { in: 'src/extension.ts', out: 'extension' },
    { in: 'src/mcp/start.ts', out: 'mcp' },
    { in: 'src/serve/main.ts', out: 'serve' },
    ...['saving', 'checking', 'baseline'].map((what) => ({
      in: `src/vscode/kit/${what}Thread.ts`,
      out: `${what}Thread`,
    })),
    ...seldom.values(),
  ],
});

// Code shared by webviews is split into chunks, which makes the package 275 KB smaller. A page preloads its script's
// chunks, listed in webview/chunks.json, so that scripts load a third faster (113 ms instead of 175, on a loaded
// machine).
const surfaces = (await readdir('webview', { withFileTypes: true }))
  .filter((entry) => existsSync(`webview/${entry.name}/main.ts`))
  .map((entry) => ({ in: `webview/${entry.name}/main.ts`, out: entry.name }));
const webviews = await build({
  ...all,
  // A service worker has no module that it imports, so that it is a plain script.
  entryPoints: [...surfaces, { in: 'webview/serve/pushWorker.ts', out: 'push-worker' }],
  outdir: 'dist/webview',
  splitting: true,
  platform: 'browser',
  target: 'es2022',
  format: 'esm',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
  chunkNames: 'chunk-[hash]',
  charset: 'utf8',
});
const scriptsAndStyles = Object.keys(webviews.metafile.outputs).filter((file) => /\.(js|css)$/.test(file));
await keepGlyphsInUse('dist/webview/codicon.ttf', scriptsAndStyles);

const chunksOf = ({ out }) =>
  // Except those of `import()`, which are loaded on first use.
  webviews.metafile.outputs[`dist/webview/${out}.js`].imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => path.slice('dist/webview/'.length));
await writeFile(
  'dist/webview/chunks.json',
  JSON.stringify(Object.fromEntries(surfaces.map((surface) => [surface.out, chunksOf(surface)]))),
);

// A page with a diagram loads it and starts it in a frame.
await writeFile('dist/webview/diagrams.js', await diagramProgram(all));

// The VSIX's own compression would make it 47 KB larger.
const wasm = await readFile(require.resolve('sql.js/dist/sql-wasm.wasm'));
await writeFile('dist/sql-wasm.wasm.br', brotliCompressSync(wasm));
// Lists the inputs of each file, for the test that only the editor contains the human side.
await mkdir('build', { recursive: true });
await writeFile(
  'build/metafile.json',
  JSON.stringify(Object.assign({}, ...[gates, others, webviews].map(({ metafile }) => metafile.outputs))),
);

/** `src/cli/start.ts` becomes `cli.mjs`, all others keep their folders in their names: `cli-main.mjs`. */
function entry(file) {
  const name = path.relative('src', file).replace(/(?:.start)?\.ts$/, '');
  return { in: file, out: name.replaceAll(path.sep, '-') };
}

/** The files that are loaded with one, itself included. */
function loadedWith(file) {
  const found = new Set([file]);
  for (const one of found)
    for (const { path: next, kind } of inputs[one]?.imports ?? []) if (kind !== 'dynamic-import') found.add(next);
  return [...found];
}
