// The programs that run in Node, and what they share. Each edit of an agent starts one of them, so what counts is how much
// Node has to read and compile before there is an answer; and each module is shipped once, so that the package stays small.
//
//   extension.cjs  cli.cjs  mcp.cjs  hookWork.cjs  savingThread.cjs   the programs: what only one of them needs
//   base.cjs      modules of several programs which a gate or a hook needs before it has an answer
//   shared.cjs    all other modules of several programs
//   verbs.cjs     modules of the command line alone, but not of the gate
//   zod.cjs, kysely.cjs, sqljs.cjs, documents.cjs   libraries that many do without
//   hook.cjs      waits for the thread that works (hookWork.cjs): shares nothing
//
// `base`, `shared` and `verbs` are packs: an object of functions by file name, each of which runs its module. A program
// that imports a module of a pack gets in its place a stub with one getter for each export; the first use of one loads the
// pack and runs that module. So `import { gate } from '../core/gate.ts'` costs nothing until `gate` is called. What goes
// where is found out from the imports: nothing has to be kept up by hand. The modules of `extension.cjs` import each other
// by stubs too: VS Code's start waits for what registers, not for what is registered. (esbuild's own splitting knows only
// ES modules, which take Node longer to start and run whole; one bundle for each program would ship most modules four
// times.)
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

const programs = {
  extension: 'src/extension.ts',
  cli: 'src/cli/main.ts',
  mcp: 'src/mcp/main.ts',
  hookWork: 'src/hook/work.ts',
  savingThread: 'src/vscode/workspace/savingThread.ts',
};

/** Waits for the thread that works, and prints: it shares nothing, to be there at once. */
const waiting = { hook: 'src/hook/main.ts' };

/** What these import statically is what a gate and a hook need before they have an answer. */
const answering = ['src/cli/main.ts', 'src/hook/work.ts', 'src/hook/guard.ts'];

/** What only a database or a document needs has files of its own: read on first use. */
const apart = {
  'kysely.cjs': `export { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'`,
  'sqljs.cjs': `module.exports = require('sql.js')`,
  'documents.cjs': `export { fromMarkdown } from 'mdast-util-from-markdown'; export { parse, stringify } from 'yaml';
    export { gfmTableFromMarkdown } from 'mdast-util-gfm-table'; export { gfmTable } from 'micromark-extension-gfm-table'`,
};
/** Its main file for Node is CommonJS, of which nothing can be left out; for the browser the same modules are ES modules. */
const yaml = path.resolve('node_modules/yaml/browser/dist/index.js');
const ofDocuments = /^(yaml|mdast-util-from-markdown|mdast-util-gfm-table|micromark-extension-gfm-table)$/;

const loadedApart = {
  name: 'loaded-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^(kysely|sql\.js)$/ }, ({ path: name, kind }) => {
      if (kind !== 'dynamic-import') throw new Error(`${name} must be loaded on first use`);
      return { path: `./${name.replace('.', '')}.cjs`, external: true };
    });
    // Required where the module that imports it begins: by those who load that one on first use.
    onResolve({ filter: ofDocuments }, () => ({ path: './documents.cjs', external: true }));
  },
};

/** The MCP SDK brings a JSON Schema validator for what clients answer to questions of the server. It asks none. */
const withoutAjv = {
  name: 'without-ajv',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ajv(-formats)?$/ }, ({ path: name }) => ({ path: name, namespace: 'left-out' }));
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'export default undefined' }));
  },
};

/** @param {import('esbuild').BuildOptions} node options of every bundle that runs in Node */
export async function buildPrograms(node) {
  const alias = { ...node.alias, 'zod/v4': 'zod', 'zod/v4-mini': 'zod' };
  const all = { ...node, bundle: true, external: ['vscode'], alias };
  const inputsOf = async (entryPoints, plugins = []) => {
    const options = { ...all, entryPoints, write: false, plugins: [...plugins, withoutAjv, loadedApart] };
    return Object.keys((await build({ ...options, outdir: 'out' })).metafile.inputs);
  };
  const names = Object.keys(programs);
  const [inputs, atStart] = await Promise.all([
    Promise.all(Object.values(programs).map((entry) => inputsOf([entry]))),
    inputsOf(answering, [startingOnly]),
  ]);
  const isShared = (file) => file.startsWith('src/') && inputs.filter((each) => each.includes(file)).length > 1;
  const shared = [...new Set(inputs.flat())].filter(isShared).sort();
  const base = shared.filter((file) => atStart.includes(file));
  const packs = {
    base,
    shared: shared.filter((file) => !base.includes(file)),
    // All other verbs: one program's, but not needed by the gate.
    verbs: inputs[names.indexOf('cli')].filter(
      (file) => file.startsWith('src/') && !isShared(file) && !atStart.includes(file),
    ),
  };
  const ofEditor = inputs[names.indexOf('extension')].filter((file) => file.startsWith('src/') && !isShared(file));
  const placeOf = new Map(
    Object.entries({ ...packs, extension: ofEditor }).flatMap(([place, files]) => files.map((file) => [file, place])),
  );
  const deferring = deferred(placeOf, await exportsOf([...placeOf.keys()]), await namesOfZod(new Set(inputs.flat())));
  const api = editorApi(await namesOfEditorApi(ofEditor));

  const make = (name, options) =>
    build({
      ...all,
      ...options,
      plugins: [deferring(name), api, withoutAjv, loadedApart],
      outfile: `dist/${name}.cjs`,
    });
  const banner = { js: '#!/usr/bin/env node' };
  const built = await Promise.all([
    ...Object.entries(programs).map(([name, entry]) =>
      make(name, { entryPoints: [entry], ...(name === 'extension' ? {} : { banner }) }),
    ),
    ...Object.entries(packs).map(([name, files]) =>
      make(name, { stdin: { contents: files.map(lazily).join('\n'), resolveDir: '.' } }),
    ),
    ...Object.entries(waiting).map(([name, entry]) =>
      build({ ...all, entryPoints: [entry], banner, outfile: `dist/${name}.cjs` }),
    ),
    ...Object.entries({ ...apart, 'zod.cjs': deferring.zod }).map(([file, contents]) =>
      build({ ...all, alias: { ...node.alias, yaml }, stdin: { contents, resolveDir: '.' }, outfile: `dist/${file}` }),
    ),
  ]);
  return Object.assign({}, ...built.map(({ metafile }) => metafile.outputs));
}

const lazily = (file) => `exports[${JSON.stringify(file)}] = () => require('./${file}');`;

/** Leaves out what is loaded later. */
const startingOnly = {
  name: 'starting-only',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path: name, kind }) =>
      kind === 'dynamic-import' ? { path: name, external: true } : undefined,
    );
  },
};

/** The names that each module exports. */
async function exportsOf(files) {
  const { metafile } = await build({
    entryPoints: files,
    outdir: 'out',
    outbase: '.',
    format: 'esm',
    write: false,
    metafile: true,
  });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** All of zod that any module might name: too many is a few bytes, too few would not run. */
async function namesOfZod(files) {
  const used = (await textsOf(files)).filter((text) => /['"]zod(\/v4(-mini)?)?['"]/.test(text)).join('\n');
  const named = new Set([...used.matchAll(/\bz\w*\.(\w+)/g)].map(([, name]) => name));
  return Object.keys(require('zod')).filter((name) => named.has(name));
}

function textsOf(files) {
  return Promise.all([...files].filter((file) => /\.[mc]?[jt]s$/.test(file)).map((file) => readFile(file, 'utf8')));
}

/**
 * The editor's API as one module of the names in use. Otherwise each module that imports it would copy all of it, some
 * hundred names, and there are many such modules.
 */
const editorApi = (names) => ({
  name: 'editor-api',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/, namespace: 'file' }, () => ({ path: 'vscode', namespace: 'editor-api' }));
    onLoad({ filter: /.*/, namespace: 'editor-api' }, () => ({
      contents: `export const { ${names.join(', ')} } = require('vscode')`,
    }));
  },
});

async function namesOfEditorApi(files) {
  const used = (await textsOf(files)).join('\n');
  return [...new Set([...used.matchAll(/\bvscode\.(\w+)/g)].map(([, name]) => name))].sort();
}

/** What all stubs of a bundle share. */
const lazy = `module.exports = (exports, names, load) => {
  let loaded;
  for (const name of names.split(' '))
    Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= load())[name] });
  Object.defineProperty(exports, '__esModule', { value: true });
};`;

/** Replaces modules that lie elsewhere by getters which load them. */
function deferred(placeOf, exportsOf, namesOfZod) {
  const stub = (load, names) => `require('lazy')(exports, ${JSON.stringify(names.join(' '))}, () => ${load})`;
  const stubOf = (file, self) => {
    const place = placeOf.get(file);
    const load = place === self ? `require('own:${file}')` : `require('./${place}.cjs')[${JSON.stringify(file)}]()`;
    return stub(load, exportsOf.get(file));
  };
  const plugin = (self) => ({
    name: 'deferred',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^zod(\/v4(-mini)?)?$/ }, () => ({ path: 'zod', namespace: 'deferred' }));
      onResolve({ filter: /^\..*\.ts$/ }, ({ path: name, resolveDir }) => {
        const file = path.relative('.', path.join(resolveDir, name)).replaceAll('\\', '/');
        const place = placeOf.get(file);
        const here = place === undefined || (place === self && self !== 'extension');
        return here ? undefined : { path: file, namespace: 'deferred' };
      });
      onResolve({ filter: /^own:/ }, ({ path: name }) => ({ path: path.resolve(name.slice('own:'.length)) }));
      onResolve({ filter: /^lazy$/, namespace: 'deferred' }, () => ({ path: 'lazy', namespace: 'lazy' }));
      onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({ contents: lazy }));
      onResolve({ filter: /^\.\/\w+\.cjs$/, namespace: 'deferred' }, ({ path: name }) => ({
        path: name,
        external: true,
      }));
      onLoad({ filter: /.*/, namespace: 'deferred' }, ({ path: file }) => ({
        contents: file === 'zod' ? stub(`require('./zod.cjs')`, namesOfZod) : stubOf(file, self),
      }));
    },
  });
  return Object.assign(plugin, { zod: `export { ${namesOfZod.join(', ')} } from 'zod'` });
}
