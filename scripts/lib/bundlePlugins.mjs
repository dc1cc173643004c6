// Plugins of esbuild for the bundles of Node.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const zodNames = Object.keys(require('zod'));
/** The MCP SDK's server imports the same zod under other names. */
const zod = /^zod(\/v4(-mini)?)?$/;
const ownModule = /^\..*\.ts$/;

/** The name of a module from the root of the repository. */
function ownFile(folder, name) {
  return path.relative('.', path.join(folder, name)).replaceAll('\\', '/');
}

/**
 * The MCP server's library includes a JSON Schema validator for clients' answers to the server's questions. Our server
 * asks none, and starts faster without it (bench/results/performance.md); the package is 43 KB smaller.
 */
export const withoutAjv = {
  name: 'without-ajv',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({ path: 'shims', namespace: 'left-out' }));
    onResolve({ filter: /^node:process$/, namespace: 'left-out' }, () => ({ path: 'node:process', external: true }));
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: `export { default as process } from 'node:process'; export const DefaultJsonSchemaValidator = undefined;`,
    }));
  },
};

/** Leaves out what is imported dynamically. */
export const staticImportsOnly = {
  name: 'static-imports-only',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path: name, kind }) =>
      kind === 'dynamic-import' ? { path: name, external: true } : undefined,
    );
  },
};

/** Leaves out these modules of ours. */
export const leftOut = (files) => ({
  name: 'left-out',
  setup({ onResolve }) {
    onResolve({ filter: ownModule }, ({ path: name, resolveDir, kind }) =>
      kind !== 'entry-point' && files.includes(ownFile(resolveDir, name)) ? { path: name, external: true } : undefined,
    );
  },
});

/** Leaves out the other modules of ours. */
export const oneModuleEach = {
  name: 'one-module-each',
  setup({ onResolve }) {
    onResolve({ filter: ownModule }, ({ path: name, kind }) =>
      kind === 'entry-point' ? undefined : { path: name, external: true },
    );
  },
};

/** Splits zod into one module per name, so that the metafile shows which names are used. */
export const zodByName = {
  name: 'zod-by-name',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: zod }, () => ({ path: 'zod', namespace: 'zod-names' }));
    onLoad({ filter: /.*/, namespace: 'zod-names' }, () => ({
      contents: zodNames.map((name) => `export { ${name} } from '${name}';`).join('\n'),
    }));
    onResolve({ filter: /.*/, namespace: 'zod-names' }, ({ path: name }) => ({
      path: name,
      namespace: 'zod-name',
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: 'zod-name' }, ({ path: name }) => ({
      contents: `const value = {}; export { value as ${name} };`,
    }));
  },
};

/** @param outputs of a build with `zodByName` */
export function namesOfZodIn(outputs) {
  const used = new Set(outputs.flatMap(({ inputs }) => Object.keys(inputs)));
  return zodNames.filter((name) => used.has(`zod-name:${name}`));
}

/**
 * VS Code's API without own properties. esbuild copies all names of an imported module: about a hundred for each of
 * some eighty modules while the extension starts. Properties on a prototype are not copied, but still found.
 */
export const editorApiByPrototype = {
  name: 'editor-api-by-prototype',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/, namespace: 'file' }, () => ({ path: 'vscode', namespace: 'editor-api' }));
    onLoad({ filter: /.*/, namespace: 'editor-api' }, () => ({
      contents: `module.exports = Object.create(require('vscode'))`,
    }));
  },
};

/** Modules of Node that many commands do not use, and which take 2 to 4 ms to load. */
const seldomUsed = /^node:(child_process|crypto|v8|zlib)$/;

/** Loads them on first use. Their names are on a prototype, because esbuild copies own ones for each import. */
export const builtinsOnUse = {
  name: 'builtins-on-use',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: seldomUsed }, ({ path: name, namespace }) =>
      namespace === 'builtin' ? { path: name, external: true } : { path: name, namespace: 'builtin' },
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => {
      const names = Object.keys(require(name)).join(' ');
      return {
        contents: `require('lazy')(exports, '${names}', () => require('${name}')); module.exports = Object.create(exports)`,
      };
    });
    onResolve({ filter: /^lazy$/, namespace: 'builtin' }, () => ({ path: 'lazy', namespace: 'lazy' }));
    onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({ contents: lazy }));
  },
};

/** Bundles whose own modules import each other by stubs, too: most of them are not used each time. */
const lazyInside = new Set(['extension', 'verbs']);

const deferredSchemas = 'scripts/lib/deferredSchemas.mjs';

/** Shared by all stubs of a bundle. */
const lazy = `module.exports = (exports, names, load) => {
  let loaded;
  for (const name of names.split(' '))
    Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= load())[name] });
  Object.defineProperty(exports, '__esModule', { value: true });
};`;

/**
 * Replaces modules from other files by stubs: getters that load the file and run the module on first use. Of zod, schemas
 * are made on first use, too.
 * @param own the bundle's name
 * @param placeOf the bundle of a module
 * @param exportsOf the exports of a module
 * @param namesOfZod those in zod.cjs
 */
export function lazyImports({ own, placeOf, exportsOf, namesOfZod }) {
  // On a prototype, because esbuild copies own names for each module that imports them.
  const stub = (load, names) =>
    `require('lazy')(exports, ${JSON.stringify(names.join(' '))}, () => ${load}); module.exports = Object.create(exports)`;
  const deferredZod = (names) =>
    `module.exports = Object.create(require('deferred').deferSchemas(${JSON.stringify(names)}, () => require('./zod.cjs')))`;
  const stubOf = (file) => {
    const place = placeOf.get(file);
    const load = place === own ? `require('own:${file}')` : `require('./${place}.cjs')[${JSON.stringify(file)}]()`;
    return stub(load, exportsOf.get(file));
  };
  return {
    name: 'lazy-imports',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: zod }, () => ({ path: 'zod', namespace: 'stub' }));
      onResolve({ filter: ownModule }, ({ path: name, resolveDir }) => {
        const file = ownFile(resolveDir, name);
        const place = placeOf.get(file);
        const here = place === undefined || (place === own && !lazyInside.has(own));
        return here ? undefined : { path: file, namespace: 'stub' };
      });
      onResolve({ filter: /^own:/ }, ({ path: name }) => ({ path: path.resolve(name.slice('own:'.length)) }));
      onResolve({ filter: /^lazy$/, namespace: 'stub' }, () => ({ path: 'lazy', namespace: 'lazy' }));
      onResolve({ filter: /^deferred$/, namespace: 'stub' }, () => ({ path: path.resolve(deferredSchemas) }));
      onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({ contents: lazy }));
      onResolve({ filter: /^\.\/\w+\.cjs$/, namespace: 'stub' }, ({ path: name }) => ({ path: name, external: true }));
      onLoad({ filter: /.*/, namespace: 'stub' }, ({ path: file }) => ({
        contents: file === 'zod' ? deferredZod(namesOfZod) : stubOf(file),
      }));
    },
  };
}
