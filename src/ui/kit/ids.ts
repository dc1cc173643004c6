/** The ids of commands, views, settings and context keys, each written once. */

/**
 * All commands: `npm run generate` writes the manifest's list, its palette and the texts for translators from this table.
 * They open and copy; none makes a decision.
 */
interface Command {
  readonly id: `holdpoint.${string}`;
  readonly title: string;
  /** A codicon. */
  readonly icon?: string;
  /** When the palette has it. Without this, only pages and menus do: the palette shows at most 14. */
  readonly palette?: string;
}

const ready = 'holdpoint.state == ready';
const trusted = `${ready} && isWorkspaceTrusted`;

export const commandTable = {
  openForm: { id: 'holdpoint.form.open', title: 'Open Form' },
  openFirst: {
    ...{ id: 'holdpoint.form.openFirst', title: 'Answer Next Question', icon: 'debug-pause' },
    palette: 'true',
  },
  openQueue: {
    ...{ id: 'holdpoint.form.openQueue', title: 'Answer One After Another', icon: 'checklist' },
    palette: 'true',
  },
  openRfc: { id: 'holdpoint.rfc.open', title: 'Review RFC', palette: 'true' },
  reviewRfc: { id: 'holdpoint.rfc.review', title: 'Review RFC with a Language Model', icon: 'sparkle' },
  focus: { id: 'holdpoint.waiting.show', title: 'Show Waiting Items', palette: 'true' },
  filter: { id: 'holdpoint.waiting.filter', title: 'Filter Questions…', icon: 'filter' },
  clearFilter: { id: 'holdpoint.waiting.clearFilter', title: 'Show All Questions', icon: 'filter-filled' },
  showForMe: { id: 'holdpoint.waiting.forMe', title: 'Show Items for Me', icon: 'account' },
  showForAll: { id: 'holdpoint.waiting.forAll', title: 'Show Items for Everyone', icon: 'organization' },
  group: { id: 'holdpoint.waiting.group', title: 'Group Questions…', icon: 'group-by-ref-type' },
  copyId: { id: 'holdpoint.item.copyId', title: 'Copy ID' },
  openReleaseAll: { id: 'holdpoint.agent.openReleaseAll', title: 'Dismiss All Questions of This Agent…' },
  openWork: { id: 'holdpoint.work.open', title: 'Open Work Item…' },
  editPolicy: { id: 'holdpoint.policy.edit', title: 'Edit Rules…', icon: 'settings-gear', palette: ready },
  manageKeys: { id: 'holdpoint.keys.manage', title: 'You and Your Devices…', palette: ready },
  addPasskey: { id: 'holdpoint.keys.addPasskey', title: 'Add a Passkey…' },
  openInBrowser: { id: 'holdpoint.browser.open', title: 'Answer in the Browser…', palette: trusted },
  appoint: { id: 'holdpoint.responsibility.appoint', title: 'Appoint Stewards and Humans…' },
  newRequest: { id: 'holdpoint.request.new', title: 'New Request…', palette: ready },
  connectTeam: { id: 'holdpoint.team.connect', title: 'Connect to Your Team…' },
  shareTeam: { id: 'holdpoint.team.share', title: 'Share This Workspace…' },
  leaveTeam: { id: 'holdpoint.team.leave', title: 'Leave the Team…' },
  /** Shows how the person is reminded outside of the editor, and changes it as they choose. */
  reminders: { id: 'holdpoint.reminders.show', title: 'Reminders…' },
  showBriefing: { id: 'holdpoint.briefing.show', title: 'Open Notes', palette: 'true' },
  postEvent: { id: 'holdpoint.event.post', title: 'Post a Note…', icon: 'add' },
  /** Posts it for the selection in the editor. */
  recordWarning: { id: 'holdpoint.event.recordWarning', title: 'Post a Warning About This Line…' },
  openEvent: { id: 'holdpoint.event.open', title: 'Open in Notes' },
  openDashboard: { id: 'holdpoint.dashboard.open', title: 'Open Overview', icon: 'graph', palette: 'true' },
  openAudit: { id: 'holdpoint.audit.open', title: 'Open Decisions', icon: 'law', palette: 'true' },
  setUpAgents: { id: 'holdpoint.agents.setUp', title: 'Set Up Agents…', icon: 'shield', palette: 'true' },
  /** Raises a question in a throwaway workspace and opens its form. */
  trySample: { id: 'holdpoint.sample.try', title: 'Try a Sample Question' },
  promptAgent: { id: 'holdpoint.agent.prompt', title: 'Copy a Prompt for Your Agent', palette: 'true' },
  whyHeld: { id: 'holdpoint.file.why', title: 'Why Is This Held?' },
  /** Asks for a reason, then holds a file with a question. */
  holdFile: { id: 'holdpoint.file.hold', title: 'Hold This File…' },
  openDocs: { id: 'holdpoint.docs.open', title: 'Open Documentation', palette: 'true' },
} as const satisfies Readonly<Record<string, Command>>;

type Table = typeof commandTable;

export const commandIds = Object.fromEntries(Object.entries(commandTable).map(([name, { id }]) => [name, id])) as {
  readonly [Name in keyof Table]: Table[Name]['id'];
};

// The ids of views, settings and context keys.

/** A contract test compares them with package.json. */
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
