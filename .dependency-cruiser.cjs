/** The tables "Layers" and "Families" of docs/dev/architecture.md, as rules. */
const npm = (...names) => names.map((name) => `(^|/)node_modules/(${name})(/|$)`);
const src = (...folders) => folders.map((folder) => `^src/${folder}/`);

/** A folder may import itself and the listed folders; anything else is an error. */
function only(folder, allowed) {
  return {
    name: `${folder}-imports`,
    severity: 'error',
    comment: `${folder} may import only what the table allows`,
    from: { path: `^${folder}/` },
    to: { pathNot: [`^${folder}/`, ...allowed] },
  };
}

/**
 * Families: in each layer a family of files may import itself and the layer's `base`, never another family. `across`
 * families exist to combine several families. `exceptions` are single edges, each with its reason. Files directly in
 * the layer's folder combine the families, so no family imports them.
 */
const families = [
  {
    layer: 'src/core',
    base: ['kit', 'records', 'state', 'hold'],
    across: ['fold', 'decision'], // the reducer dispatches each record to its family; decisions are about all
    exceptions: {
      records: ['decision'], // the list of all kinds has those that decisions define
      hold: ['rfc'], // an open RFC holds
      memory: ['rfc'], // a briefing names the conditions that approved RFCs set
      dashboard: ['rfc'], // figures count open RFCs
      waiting: ['request'], // requests remind by their own rules of whose turn it is
    },
  },
  {
    layer: 'src/app',
    base: ['workspace', 'decision'],
    across: ['transfer', 'mirrors', 'dashboard', 'waiting'], // read every kind of item
    exceptions: {
      workspace: ['rfc', 'question'], // the sweep raises the questions that RFCs put to humans; pending questions hold
      decision: ['question'], // a decision is checked against the displayed question
      memory: ['question', 'rfc', 'waiting'], // a briefing shows open items beside the memory
      rfc: ['question'], // an RFC's open question is answered as a question
      hosts: ['question', 'hold'], // a canary asks a real question and has the baseline of what it holds
      team: ['keys'], // a journal that comes back brings the keys that count
      recovery: ['keys'], // starting over enrols the first key again
    },
  },
  {
    layer: 'src/store',
    base: ['journal', 'rows'],
    across: [],
    exceptions: { journal: [], rows: ['journal'] },
  },
  {
    layer: 'src/tools',
    base: ['kit'],
    across: ['agent'], // a tool of agents calls operations of several families
    exceptions: {
      kit: ['rfc'], // a tool's result may carry RFC outcomes
      question: ['rfc'], // waiting for an answer also waits for RFCs
    },
  },
  {
    layer: 'src/cli',
    base: ['kit'],
    across: [],
    exceptions: {
      audit: ['keys'], // trusted keys for verification
      hold: ['keys'], // the same, for the commit gate
      hosts: ['keys'], // the key ring of an administrator
      rfc: ['question'], // the options of waiting
    },
  },
  {
    layer: 'src/ui',
    base: ['kit', 'surface'],
    across: ['answer', 'tree'], // one view shows every form, one list every item
    exceptions: {},
  },
  {
    layer: 'src/vscode',
    base: ['kit'],
    across: ['answer', 'tree', 'status'], // one view shows every form, one tree every item, one status bar all of it
    exceptions: {},
  },
  {
    layer: 'src/serve',
    base: ['kit', 'security'],
    across: [],
    exceptions: {
      routes: ['pages'], // the stream and the messages of a page
    },
  },
  {
    layer: 'webview',
    base: ['shared'],
    across: ['question'], // the "Answer" view also shows the forms of other families
    exceptions: {
      shared: ['diagram'], // the messages of the diagram frame
    },
  },
];

function familyRules({ layer, base, across, exceptions }) {
  const within = (names) => names.map((name) => `^${layer}/${name}/`);
  const special = [...across, ...Object.keys(exceptions)];
  return [
    {
      name: `${layer}-families`,
      severity: 'error',
      comment: 'a family imports itself, the base of its layer and lower layers',
      from: { path: `^${layer}/([^/]+)/`, pathNot: within(special) },
      to: { path: `^${layer}/`, pathNot: [`^${layer}/$1/`, ...within(base)] },
    },
    ...Object.entries(exceptions).map(([family, also]) => ({
      name: `${layer}-${family}-family`,
      severity: 'error',
      from: { path: `^${layer}/${family}/` },
      to: { path: `^${layer}/`, pathNot: within([family, ...base, ...also]) },
    })),
    {
      name: `${layer}-composition`,
      severity: 'error',
      comment: 'files directly in a layer compose families, which know nothing of them',
      from: { path: `^${layer}/[^/]+/` },
      to: { path: `^${layer}/[^/]+$` },
    },
  ];
}

/** Webviews and the host show hidden characters and the ids of agents in the same way, through the only code they share. */
const shownAlike = '^src/core/kit/(visible|persons)\\.ts$';

/** The human side: only the editor may import it. */
const humanSide =
  '^src/app/(decision/|(hold|memory|request|rfc)/decisions|keys/(enrolment|acts)|team/(decisions|ring)|recovery/|audit/seal)';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only(
      'src/core',
      npm(
        'zod',
        'diff',
        'mdast-util-from-markdown',
        'mdast-util-gfm-table',
        'micromark-extension-gfm-table',
        'smol-toml',
        'yaml',
      ),
    ),
    only('src/trust', [...src('core'), ...npm('zod'), 'crypto$']),
    only('src/store', [
      ...src('core', 'trust'),
      ...npm('sql.js', '@types/sql.js', 'zod', 'pg', '@types/pg'),
      'crypto$',
      'fs$',
      'path$',
      'os$',
      'timers/promises$',
      'util$',
      'zlib$',
    ]),
    only('src/app', [...src('core', 'trust', 'store'), ...npm('zod'), 'crypto$', 'path$', 'timers/promises$', 'util$']),
    only('src/tools', [...src('core', 'app'), ...npm('zod')]),
    only('src/channels', [
      ...src('core', 'store', 'app'),
      ...npm('web-push', '@types/web-push', '@vscode/l10n'),
      'child_process$',
      'path$',
    ]),
    only('src/hosts', [
      ...src('core'),
      ...npm('zod', 'jsonc-parser', 'smol-toml', 'unbash', '@vscode/l10n'),
      'child_process$',
      'crypto$',
      'fs$',
      'http$',
      'module$',
      'net$',
      'path$',
      'process$',
      'os$',
      'url$',
      'util$',
      'vm$',
    ]),
    only('src/ui', [
      ...src('core', 'trust', 'store', 'app', 'hosts'),
      ...npm('zod', '@vscode/l10n'),
      'crypto$',
      'fs$',
      'fs/promises$',
      'path$',
      'timers/promises$',
      'worker_threads$',
    ]),
    only('src/vscode', [
      ...src('core', 'trust', 'store', 'app', 'tools', 'hosts', 'channels', 'ui'),
      ...npm('zod', 'uqr', '@types/vscode', '@vscode/l10n'),
      '^vscode$',
      'child_process$',
      'crypto$',
      'fs$',
      'fs/promises$',
      'http$',
      'path$',
      'os$',
      'readline$',
      'stream/consumers$',
      'timers/promises$',
      'url$',
      'worker_threads$',
      'zlib$',
    ]),
    only('src/cli', [
      ...src('core', 'trust', 'app', 'tools', 'hosts', 'channels'),
      ...npm('zod', 'commander'),
      'child_process$',
      'crypto$',
      'fs$',
      'module$',
      'path$',
      'os$',
      'process$',
      'readline$',
      'stream$',
      'url$',
      'v8$',
    ]),
    only('src/hook', [
      ...src('core', 'app', 'store', 'tools', 'hosts'),
      ...npm('zod'),
      'crypto$',
      'fs$',
      'module$',
      'path$',
      'os$',
      'process$',
      'url$',
      'util$',
      'v8$',
      'worker_threads$',
    ]),
    only('src/mcp', [
      ...src('core', 'app', 'tools', 'hosts'),
      ...npm('zod', '@modelcontextprotocol/server'),
      'console$',
      'crypto$',
      'fs$',
      'module$',
      'path$',
      'os$',
      'process$',
      'readline$',
      'stream$',
      'timers/promises$',
      'util$',
    ]),
    only('src/serve', [
      ...src('core', 'trust', 'store', 'app', 'tools', 'channels', 'ui'),
      '^src/mcp/http(Endpoint|Caller)\\.ts$',
      '^src/hosts/gitChanges\\.ts$', // what git has of a file that a person restores
      ...npm('zod', 'hono', '@hono/node-server', '@simplewebauthn/server', '@vscode/l10n', 'ws', '@types/ws'),
      'crypto$',
      'events$',
      'fs$',
      'http$',
      'https$',
      'net$',
      'path$',
      'os$',
      'process$',
      'readline$',
      'stream$',
      'timers/promises$',
      'url$',
      'util$',
      'zlib$',
    ]),
    only('webview', [
      ...src('ui'),
      ...src('core'),
      shownAlike,
      ...npm(
        '@simplewebauthn/browser',
        '@vscode/l10n',
        '@vscode/webview-ui-toolkit',
        'lit',
        'markdown-it',
        'dompurify',
        'highlight.js',
        '@vscode/codicons',
        '@microsoft',
        'mermaid',
      ),
    ]),
    {
      name: 'webview-types-only',
      severity: 'error',
      comment:
        'the host sends finished view models: a webview takes types, never code but what shows hidden characters and ids of agents',
      from: { path: '^webview/' },
      to: { path: '^src/', pathNot: [shownAlike], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'human-side',
      severity: 'error',
      comment: 'decisions and recovery are reachable from the editor and from the server, which has no key',
      from: { path: '^src/', pathNot: ['^src/(ui|vscode|serve)/', humanSide] },
      to: { path: humanSide },
    },
    {
      name: 'vscode-only',
      severity: 'error',
      from: { path: '^(src|webview)/', pathNot: ['^src/vscode/', '^src/extension.ts'] },
      to: { path: '^vscode$|@types/vscode' },
    },
    {
      name: 'database-server-only',
      severity: 'error',
      comment: 'one family speaks to the server of a shared journal',
      from: { path: '^src/', pathNot: '^src/store/shared/' },
      to: { path: npm('pg', '@types/pg') },
    },
    ...families.flatMap(familyRules),
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
