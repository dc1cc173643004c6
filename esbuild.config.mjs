// Bundles: the programs and the chunks that they share, one script and style sheet per webview, and files loaded at run time.
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { keepGlyphsInUse } from './scripts/lib/glyphs.mjs';
import { writeNotices } from './scripts/lib/notices.mjs';

const require = createRequire(import.meta.url);
// From TypeScript.
const { stateVersion } = await import('./src/store/saved/current.ts');
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

await rm('dist', { recursive: true, force: true });
await mkdir('dist', { recursive: true });

const all = { bundle: true, minify: true, metafile: true, legalComments: 'none' };

// The programs: of all modules together, so that each is packed once. As CommonJS: an `import` of one of Node's own modules
// reads each of its members, and so loads streams, `readline` and web cryptography, which took a quarter of a hook's time.
const programs = await rolldown({
  input: {
    cli: 'src/cli/start.ts',
    hook: 'src/hook/start.ts',
    mcp: 'src/mcp/start.ts',
    serve: 'src/serve/main.ts',
    extension: 'src/extension.ts',
    thread: 'src/vscode/kit/thread.ts',
  },
  platform: 'node',
  // `pg` can do without the three last, and we do.
  external: ['vscode', 'pg-native', 'pg-cloudflare', './native'],
  preserveEntrySignatures: 'allow-extension',
  checks: { ineffectiveDynamicImport: false },
  // Certificates of devices, which registration does not ask for, are not in it.
  treeshake: { moduleSideEffects: [{ test: /@simplewebauthn|@peculiar|reflect-metadata/, sideEffects: false }] },
  resolve: {
    alias: {
      // Its main file loads its parts in a way that cannot be bundled.
      'jsonc-parser': path.resolve('node_modules/jsonc-parser/lib/esm/main.js'),
      // As ES modules, which are 4 KB smaller.
      yaml: path.resolve('node_modules/yaml/browser/index.js'),
      '@modelcontextprotocol/server/_shims': path.resolve('scripts/lib/mcpShims.mjs'),
      'asn1.js': path.resolve('scripts/lib/asn1.cjs'),
      // Requests to push services are our own.
      'https-proxy-agent': path.resolve('scripts/lib/none.cjs'),
    },
  },
  transform: {
    target: 'node22',
    define: {
      HOLDPOINT_VERSION: JSON.stringify(version),
      HOLDPOINT_STATE: JSON.stringify(stateVersion()),
    },
  },
});

const { output } = await programs.write({
  ...{ dir: 'dist', format: 'cjs', minify: true, comments: false },
  ...{ entryFileNames: '[name].cjs', chunkFileNames: 'chunk-[hash].cjs' },
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
  entryPoints: [
    ...surfaces,
    { in: 'webview/shared/base.css', out: 'base' },
    { in: 'webview/serve/pushWorker.ts', out: 'push-worker' },
  ],
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
// Smaller than what esbuild leaves by 7 KB.
for (const file of scriptsAndStyles.filter((name) => name.endsWith('.js')))
  await writeFile(file, minifySync(file, await readFile(file, 'utf8'), { module: true }).code);
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

// The program that draws diagrams, as one script for a frame that loads nothing: with those kinds of Mermaid's diagrams that
// documents use. All kinds would be three times as large. The VSIX's own compression would make it 75 KB larger.
const kinds = /\/(?:flowDiagram|sequenceDiagram|stateDiagram|classDiagram|erDiagram|ganttDiagram|dagre)-/;
const diagrams = await rolldown({
  input: 'webview/diagram/frame.ts',
  platform: 'browser',
  transform: { target: 'es2022' },
  treeshake: { moduleSideEffects: [{ test: /node_modules\/(?!mermaid)/, sideEffects: false }] },
  plugins: [
    {
      name: 'only-kinds',
      // Mermaid loads each kind, and each layout, when a diagram needs it: without its code, such a diagram is not drawn.
      resolveDynamicImport: (name) => (kinds.test(name) ? null : { id: 'none' }),
      load: (id) => (id === 'none' ? 'export {}' : null),
    },
  ],
});
const [frame] = (await diagrams.generate({ format: 'iife', minify: true, comments: false, codeSplitting: false }))
  .output;
// After `<!--`, HTML reads `<script` and `</script>` differently.
const script = JSON.stringify(frame.code.replaceAll('<!--', '<\\!--').replaceAll('</script', '<\\/script'));
await writeFile('dist/webview/diagrams.js.br', brotliCompressSync(`export default ${script};\n`));

// The VSIX's own compression would make it 47 KB larger.
const wasm = await readFile(require.resolve('sql.js/dist/sql-wasm.wasm'));
await writeFile('dist/sql-wasm.wasm.br', brotliCompressSync(wasm));
// Lists the modules of each file, for the test that only the editor contains the human side.
const described = output.map(({ fileName, modules, imports, dynamicImports }) => {
  const inputs = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return [
    `dist/${fileName}`,
    {
      inputs: Object.fromEntries(inputs.map(([id]) => [path.relative('', id).replaceAll('\\', '/'), {}])),
      imports: [...imports, ...dynamicImports]
        .filter((name) => name.endsWith('.cjs'))
        .map((name) => ({ path: `dist/${name}` })),
    },
  ];
});
const files = { ...Object.fromEntries(described), ...webviews.metafile.outputs };
await mkdir('build', { recursive: true });
await writeFile('build/metafile.json', JSON.stringify(files));
await writeNotices('dist/notices.txt', [
  ...Object.values(files).flatMap(({ inputs }) => Object.keys(inputs)),
  ...Object.keys(frame.modules),
]);
