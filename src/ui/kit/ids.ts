/** The ids of views, settings and context keys. */
import { commandIds } from './commands.ts';

/** All ids that this extension contributes, each written once. A contract test compares them with package.json. */
export const ids = {
  container: 'holdpoint',
  views: {
    waiting: 'holdpoint.waiting',
    answer: 'holdpoint.answer',
    briefing: 'holdpoint.briefing',
  },
  panels: {
    rfc: 'holdpoint.rfc',
    dashboard: 'holdpoint.dashboard',
    audit: 'holdpoint.audit',
    setup: 'holdpoint.setup',
    settings: 'holdpoint.settings',
    form: 'holdpoint.form',
  },
  commands: commandIds,
  context: {
    /** Set after the folders are opened: `none`, `virtual` or `ready`. */
    state: 'holdpoint.state',
    /** True once an agent has recorded something in a folder of this window. */
    connected: 'holdpoint.connected',
    /** True while something waits for a human: VS Code shows the welcome of an empty list until the list is read. */
    waits: 'holdpoint.waits',
    /** True while a canary of some host of this window is denied. */
    proven: 'holdpoint.proven',
    /** True once an agent's question was answered in this window. */
    answered: 'holdpoint.answered',
    /** True while something holds files or work of this window. */
    holding: 'holdpoint.holding',
    /** True if a workspace of this window is shared with a team. */
    team: 'holdpoint.team',
    /** Which tools chats are offered: if a folder uses Holdpoint, if an agent has an open question, if there is a responsibility. */
    toolsUsed: 'holdpoint.tools.used',
    toolsAsked: 'holdpoint.tools.asked',
    toolsRequests: 'holdpoint.tools.requests',
    /** True while the tree is filtered. */
    filtered: 'holdpoint.filtered',
    /** True while the tree shows only items for the reader. */
    forMe: 'holdpoint.forMe',
  },
  settings: {
    /** `all`, `critical` or `off`. */
    notifications: 'holdpoint.notifications',
    /** `extension` or `mcp`: the source of the tools in the window's chats, never both. */
    chatTools: 'holdpoint.chatTools',
    /** Whether chats are offered every tool at any time. */
    allTools: 'holdpoint.allTools',
    /** Whether affected files have a line at their top. */
    codeLens: 'holdpoint.codeLens',
    /** Whether requests, questions and RFCs are mirrored as Markdown in `.holdpoint`. */
    mirrors: 'holdpoint.mirrors',
    /** Whether each decision is written as a file for the repository. */
    attestations: 'holdpoint.attestations',
    /** Whether the explorer marks critical warnings and holds. */
    decorations: 'holdpoint.decorations',
    /** The port of the pages in the browser, to which passkeys belong. */
    browserPort: 'holdpoint.browserPort',
    /** `vendor/id`, an id or a family of a language model; empty for any available one. */
    reviewerModel: 'holdpoint.reviewer.model',
    /** The maximum number of calls of an RFC's reviewer, over revisions and question loops. */
    reviewerMaxIterations: 'holdpoint.reviewer.maxIterations',
  },
  mcpServers: 'holdpoint.servers',
} as const;
