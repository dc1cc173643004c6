// The programs that run in Node, and what they share. Each edit of an agent starts one of them, so what counts is how much
// Node reads, compiles and runs before there is an answer; and each module ships once, so that the package stays small.
//
//   extension.cjs  cliMain.cjs  mcp.cjs  serve.cjs  hookMain.cjs  hookWork.cjs  hookThread.cjs  savingThread.cjs  checkingThread.cjs  baselineThread.cjs   the programs: what only one of them needs
//   base.cjs      modules of several programs which a gate or a hook needs before it has an answer
//   folding.cjs   folds lines: mostly, a few were added since the state was saved
//   seldom.cjs    the other modules of several programs which these import, and need in some cases only
//   reading.cjs   the other modules of several programs which a verb needs that opens the store and reads
//   shared.cjs    all other modules of several programs
//   forms.cjs     modules of the editor and of the server of forms, the human side among them
//   mcpServer.cjs the MCP server: for standard input and output, and for HTTP
//   verbs.cjs     modules of the command line alone which name and parse its verbs
//   acts.cjs      modules of the command line alone which verbs load when they run
//   calls.cjs     reads and answers calls of hosts: all that a hook of a call that only reads needs
//   shell.cjs     what reads commands of a shell: only for hooks of calls that have one
//   zod.cjs, sqljs.cjs, pg.cjs, documents.cjs, l10n.cjs   libraries that many do without
//   cli.cjs  hook.cjs   self-contained: they load cliMain.cjs and hookMain.cjs
//
// All of these but the libraries and the programs are packs: an object of functions by file name, each of which runs its module. A program
// that imports a module of a pack gets a stub in its place, with one getter for each export; the first use of one loads the
// pack and runs that module. So `import { gate } from '../core/hold/gate.ts'` costs nothing until `gate` is called. The
// modules of `extension.cjs` import each other by stubs too: VS Code's start waits for what registers, not for what is
// registered. The build finds out what goes where from esbuild's metafile, and no source text is read for it.
//
// esbuild's own splitting knows only ES modules and runs all that a program imports. Against it (bench/results/performance.md),
// this saves 18 ms of a gate on a small store, 40 ms on a large one, 90 ms of the MCP server's start, and two thirds of
// the extension's start (100 ms); the package is a quarter smaller. Of the parts, in processor time of a gate: the division
// of what is shared into base, shared and verbs saves 14 ms, and zod.cjs without what is not used 23 ms and 69 KB.
import { build } from 'esbuild';
import path from 'node:path';
import {
  builtinsOnUse,
  editorApiByPrototype,
  lazyImports,
  leftOut,
  namesOfZodIn,
  oneModuleEach,
  staticImportsOnly,
  withoutAjv,
  zodByName,
} from './bundlePlugins.mjs';

const programs = {
  extension: 'src/extension.ts',
  cliMain: 'src/cli/main.ts',
  mcp: 'src/mcp/main.ts',
  serve: 'src/serve/main.ts',
  hookMain: 'src/hook/main.ts',
  hookWork: 'src/hook/work.ts',
  hookThread: 'src/hook/thread.ts',
  savingThread: 'src/vscode/kit/savingThread.ts',
  checkingThread: 'src/vscode/kit/checkingThread.ts',
  baselineThread: 'src/vscode/kit/baselineThread.ts',
};

/** Self-contained, so that they start fast: they load a program with its compiled code. */
const alone = { cli: 'src/cli/start.ts', hook: 'src/hook/start.ts' };

/** What these import statically is what a gate and a hook need before they have an answer. */
const answering = ['src/cli/main.ts', 'src/hook/work.ts', 'src/hook/guard.ts'];

/** What they need for lines after the saved state. */
const folding = ['src/core/fold/fold.ts'];

/**
 * Of what these import, what a gate and a hook run in some cases only. It is in a pack of its own, with what only these
 * modules need.
 */
const seldom = [
  'src/core/hold/freshnessText.ts',
  'src/core/question/question.ts',
  'src/core/records/decision.ts',
  'src/core/records/import.ts',
  'src/core/records/records.ts',
  'src/core/rfc/rfc.ts',
  'src/core/state/quorumWords.ts',
  'src/core/waiting/notification.ts',
  'src/trust/webauthn.ts',
  'src/store/journal/damage.ts',
  'src/store/journal/parseRecords.ts',
  'src/store/saved/events.ts',
  'src/app/question/raise.ts',
  'src/app/question/views.ts',
  'src/app/workspace/sweep.ts',
];

/** The same for the help of all verbs. */
const parsing = ['src/cli/program.ts'];

/** The same for verbs that read, and for the store that they open. The help needs the first. */
const reading = [
  'src/core/waiting/eventStream.ts',
  'src/store/store.ts',
  'src/store/rows/sqlite.ts',
  'src/tools/kit/operation.ts',
  'src/tools/question/listQuestions.ts',
  'src/tools/rfc/listRfcs.ts',
  'src/tools/rfc/getRfc.ts',
  'src/tools/memory/getBriefing.ts',
  'src/tools/memory/searchEvents.ts',
  'src/tools/request/listRequests.ts',
  'src/tools/work/listWork.ts',
  'src/app/waiting/inbox.ts',
];

/** Small, without state, and all that the help needs of base.cjs, or a gate of calls.cjs: each bundle has its own copy. */
const copied = [
  'src/core/kit/visible.ts',
  'src/core/kit/importWords.ts',
  'src/hosts/writeNow.ts',
  'src/hosts/compiledCode.ts',
];

/** What only a database, a shared journal, a document or a person's language needs has files of its own: a gate and a hook do not read them. */
const apart = {
  'sqljs.cjs': `module.exports = require('sql.js')`,
  'pg.cjs': `module.exports = require('pg')`,
  'l10n.cjs': `module.exports = require('@vscode/l10n')`,
  'documents.cjs': `export { fromMarkdown } from 'mdast-util-from-markdown'; export { parse, stringify } from 'yaml';
    export { gfmTableFromMarkdown } from 'mdast-util-gfm-table'; export { gfmTable } from 'micromark-extension-gfm-table'`,
};
const ofDocuments = /^(yaml|mdast-util-from-markdown|mdast-util-gfm-table|micromark-extension-gfm-table)$/;

const loadedApart = {
  name: 'loaded-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^(sql\.js|pg)$/ }, ({ path: name, kind }) => {
      if (kind !== 'dynamic-import') throw new Error(`${name} must be loaded on first use`);
      return { path: `./${name.replace('.', '')}.cjs`, external: true };
    });
    // One copy, so that the program's language is set once.
    onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path: './l10n.cjs', external: true }));
    // Required where the module that imports it begins: by those who load that one on first use.
    onResolve({ filter: ofDocuments }, () => ({ path: './documents.cjs', external: true }));
  },
};

/** @param {import('esbuild').BuildOptions} node options of every bundle that runs in Node */
export async function buildPrograms(node) {
  const all = { ...node, bundle: true, external: ['vscode'] };
  const { placeOf, packs, own } = await places(all);
  // It has its own copy of what people see, so that the editor's start reads one file.
  const placeInServe = new Map([...placeOf].filter(([, place]) => place !== 'extension'));
  const { exportsOf, namesOfZod } = await namesIn(own, all);

  const make = (name, options) => {
    const lazy = lazyImports({ own: name, placeOf: name === 'serve' ? placeInServe : placeOf, exportsOf, namesOfZod });
    return build({
      ...all,
      ...options,
      plugins: [lazy, builtinsOnUse, editorApiByPrototype, withoutAjv, loadedApart],
      outfile: `dist/${name}.cjs`,
    });
  };
  const banner = { js: '#!/usr/bin/env node' };
  const libraries = { ...apart, 'zod.cjs': `export { ${namesOfZod.join(', ')} } from 'zod'` };
  const built = await Promise.all([
    ...Object.entries(programs).map(([name, entry]) =>
      make(name, { entryPoints: [entry], ...(name === 'mcp' || name === 'serve' ? { banner } : {}) }),
    ),
    ...Object.entries(packs).map(([name, files]) =>
      make(name, { stdin: { contents: files.map(lazily).join('\n'), resolveDir: '.' } }),
    ),
    ...Object.entries(alone).map(([name, entry]) =>
      build({ ...all, entryPoints: [entry], banner, outfile: `dist/${name}.cjs` }),
    ),
    ...Object.entries(libraries).map(([file, contents]) =>
      // `pg` can do without these two, and we do.
      build({
        ...all,
        external: ['pg-native', 'pg-cloudflare'],
        stdin: { contents, resolveDir: '.' },
        outfile: `dist/${file}`,
      }),
    ),
  ]);
  return Object.assign({}, ...built.map(({ metafile }) => metafile.outputs));
}

const lazily = (file) => `exports[${JSON.stringify(file)}] = () => require('./${file}');`;

/** Which file each module of ours goes into. */
async function places(all) {
  const inputsOf = async (entryPoints, plugins = []) => {
    const options = { ...all, entryPoints, write: false, plugins: [...plugins, withoutAjv, loadedApart] };
    const { metafile } = await build({ ...options, outdir: 'out' });
    return Object.keys(metafile.inputs).filter((file) => file.startsWith('src/') && !copied.includes(file));
  };
  const names = Object.keys(programs);
  const [inputs, ofAnswers, ofFolding, ofHook, ofParsing, ofReading, imported] = await Promise.all([
    Promise.all(Object.values(programs).map((entry) => inputsOf([entry]))),
    inputsOf(answering, [staticImportsOnly, leftOut([...folding, ...seldom])]),
    inputsOf(folding, [staticImportsOnly, leftOut(seldom)]),
    ...[[programs.hookMain], parsing, reading, answering].map((entries) => inputsOf(entries, [staticImportsOnly])),
  ]);
  const atStart = ofAnswers.filter((file) => ![...folding, ...seldom].includes(file));
  const atFolding = ofFolding.filter((file) => !seldom.includes(file));
  const own = [...new Set(inputs.flat())].sort();
  const usersOf = (file) => names.filter((_, index) => inputs[index].includes(file));
  const isOfMcp = (file) => file.startsWith('src/mcp/') && file !== programs.mcp;
  // The two threads of a hook each have their own copy of the few small modules that both use.
  const isOfHook = (file) => file.startsWith('src/hook/');
  const isShared = (file) =>
    usersOf(file).length > 1 && !/^src\/(ui|vscode)\//.test(file) && !isOfMcp(file) && !isOfHook(file);
  const isOfForms = (file) => isShared(file) && usersOf(file).every((name) => name === 'extension' || name === 'serve');
  const isOfShell = (file) => file.startsWith('src/hosts/shell/');
  const isOfCalls = (file) => isShared(file) && ofHook.includes(file) && !isOfShell(file);
  const onlyIn = (name) => inputs[names.indexOf(name)].filter((file) => !isShared(file));
  const isSeldom = (file) => isShared(file) && imported.includes(file) && !atStart.includes(file) && !isOfCalls(file);
  const isLater = (file) => isShared(file) && !isOfForms(file) && !imported.includes(file) && !isOfCalls(file);
  // All other verbs: one program's, but not needed by the gate.
  const ofVerbs = onlyIn('cliMain').filter((file) => !imported.includes(file));
  const packs = {
    calls: own.filter(isOfCalls),
    base: own.filter((file) => isShared(file) && atStart.includes(file) && !isOfCalls(file) && !isOfShell(file)),
    folding: own.filter((file) => isSeldom(file) && atFolding.includes(file) && !isOfShell(file)),
    seldom: own.filter((file) => isSeldom(file) && !atFolding.includes(file) && !isOfShell(file)),
    reading: own.filter((file) => isLater(file) && ofReading.includes(file)),
    shared: own.filter((file) => isLater(file) && !ofReading.includes(file)),
    forms: own.filter(isOfForms),
    mcpServer: own.filter(isOfMcp),
    verbs: ofVerbs.filter((file) => ofParsing.includes(file)),
    acts: ofVerbs.filter((file) => !ofParsing.includes(file)),
    // Most calls read or edit files: their hooks need no parser.
    shell: own.filter(isOfShell),
  };
  const placeOf = new Map(
    Object.entries({ ...packs, extension: onlyIn('extension') }).flatMap(([place, files]) =>
      files.map((file) => [file, place]),
    ),
  );
  return { placeOf, packs, own };
}

/** What modules export, and which names of zod they and the libraries behind them use: esbuild says both. */
async function namesIn(own, all) {
  const { metafile } = await build({
    ...all,
    entryPoints: own,
    outdir: 'out',
    outbase: '.',
    format: 'esm',
    minify: false,
    write: false,
    plugins: [oneModuleEach, zodByName, withoutAjv, loadedApart],
  });
  const outputs = Object.values(metafile.outputs);
  return {
    exportsOf: new Map(outputs.map(({ entryPoint, exports }) => [entryPoint, exports])),
    namesOfZod: namesOfZodIn(outputs),
  };
}
