/** The table "Folders and what each may import" of docs/architecture.md, as rules. */
const npm = (...names) => names.map((name) => `(^|/)node_modules/(${name})(/|$)`);
const src = (...folders) => folders.map((folder) => `^src/${folder}/`);
const core = ['^node:'];

/** A folder may import itself and what is listed: anything else is an error. */
function only(folder, allowed) {
  return {
    name: `${folder}-imports`,
    severity: 'error',
    comment: `${folder} may import only what the table allows`,
    from: { path: `^${folder}/` },
    to: { pathNot: [`^${folder}/`, ...allowed] },
  };
}

/** Hidden characters are shown alike in webviews and everywhere else: the one piece of code they share with the host. */
const shownAlike = '^src/core/visible\\.ts$';

/** The human side: only the editor may import it. */
const humanSide =
  '^src/app/(decisions|holdDecisions|enrolment|keyActs|recovery|eventDecisions|requestDecisions|rfcDecisions|auditSeal)';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only(
      'src/core',
      npm('zod', 'diff', 'mdast-util-from-markdown', 'mdast-util-gfm-table', 'micromark-extension-gfm-table', 'yaml'),
    ),
    only('src/trust', [...src('core'), ...npm('zod'), 'crypto$']),
    only('src/store', [
      ...src('core', 'trust'),
      ...npm('sql.js', '@types/sql.js', 'kysely', 'zod'),
      'crypto$',
      'fs$',
      'path$',
      'os$',
      'zlib$',
    ]),
    only('src/app', [...src('core', 'trust', 'store'), ...npm('zod'), 'crypto$', 'path$']),
    only('src/tools', [...src('core', 'app'), ...npm('zod')]),
    only('src/hosts', [
      ...src('core'),
      ...npm('zod', 'jsonc-parser', 'smol-toml'),
      'child_process$',
      'crypto$',
      'fs$',
      'http$',
      'net$',
      'path$',
      'os$',
      'url$',
      'util$',
    ]),
    only('src/protocol', [...src('core'), ...npm('zod')]),
    only('src/vscode', [
      ...src('core', 'trust', 'store', 'app', 'tools', 'hosts', 'protocol'),
      ...npm('zod', '@types/vscode'),
      '^vscode$',
      'crypto$',
      'fs$',
      'fs/promises$',
      'path$',
      'os$',
      'url$',
      'worker_threads$',
    ]),
    only('src/cli', [
      ...src('core', 'trust', 'app', 'tools', 'hosts'),
      ...npm('zod', 'commander'),
      'child_process$',
      'crypto$',
      'fs$',
      'path$',
      'os$',
      'process$',
      'url$',
    ]),
    only('src/hook', [
      ...src('core', 'app', 'store', 'tools', 'hosts'),
      ...npm('zod'),
      'crypto$',
      'fs$',
      'path$',
      'os$',
      'process$',
      'url$',
      'util$',
      'worker_threads$',
    ]),
    only('src/mcp', [
      ...src('core', 'app', 'tools', 'hosts'),
      ...npm('zod', '@modelcontextprotocol/sdk'),
      'console$',
      'crypto$',
      'fs$',
      'path$',
      'os$',
      'process$',
      'util$',
    ]),
    only('webview', [
      ...src('protocol'),
      shownAlike,
      ...npm(
        '@vscode/webview-ui-toolkit',
        'lit',
        'markdown-it',
        'dompurify',
        '@vscode/codicons',
        '@microsoft',
        'd3-array',
        'd3-scale',
        'd3-shape',
        '@dagrejs/dagre',
        '@types/d3-array',
        '@types/d3-scale',
        '@types/d3-shape',
      ),
    ]),
    {
      name: 'webview-types-only',
      severity: 'error',
      comment:
        'the host sends finished view models: a webview takes types from protocol, never code but what shows hidden characters',
      from: { path: '^webview/' },
      to: { path: '^src/', pathNot: [shownAlike], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'human-side',
      severity: 'error',
      comment: 'decisions and recovery are reachable from the editor only',
      from: { path: '^src/', pathNot: ['^src/vscode/', humanSide] },
      to: { path: humanSide },
    },
    {
      name: 'vscode-only',
      severity: 'error',
      from: { path: '^(src|webview)/', pathNot: ['^src/vscode/', '^src/extension.ts'] },
      to: { path: '^vscode$|@types/vscode' },
    },
    { name: 'not-to-tests', severity: 'error', from: { path: '^(src|webview)/' }, to: { path: '^test/' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.tsbuildinfo$' },
    builtInModules: { add: ['vscode'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
