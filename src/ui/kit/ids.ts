/** All ids that this extension contributes, each written once. A contract test compares them with package.json. */
export const ids = {
  container: 'holdpoint',
  views: {
    waiting: 'holdpoint.waiting',
    answer: 'holdpoint.answer',
    briefing: 'holdpoint.briefing',
    others: 'holdpoint.others',
  },
  panels: {
    rfc: 'holdpoint.rfc',
    dashboard: 'holdpoint.dashboard',
    audit: 'holdpoint.audit',
    setup: 'holdpoint.setup',
    settings: 'holdpoint.settings',
    form: 'holdpoint.form',
  },
  commands: {
    /** Opens the form of one item; takes an id, never a decision. */
    openForm: 'holdpoint.form.open',
    /** Opens the form of the first waiting item. */
    openFirst: 'holdpoint.form.openFirst',
    /** Shows the waiting items one after another; decides nothing. */
    openQueue: 'holdpoint.form.openQueue',
    /** Opens the review of an RFC; decides nothing. */
    openRfc: 'holdpoint.rfc.open',
    /** Starts a language model's review of an RFC, which decides nothing. */
    reviewRfc: 'holdpoint.rfc.review',
    /** Opens an RFC as a read-only document with comments. */
    openRfcDocument: 'holdpoint.rfc.openDocument',
    /** Adds an unsigned remark to an RFC; resolves and approves nothing. */
    commentRfc: 'holdpoint.rfc.comment',
    refresh: 'holdpoint.waiting.refresh',
    filter: 'holdpoint.waiting.filter',
    clearFilter: 'holdpoint.waiting.clearFilter',
    /** Only items for the reader or for everybody; and all of them again. */
    showForMe: 'holdpoint.waiting.forMe',
    showForAll: 'holdpoint.waiting.forAll',
    group: 'holdpoint.waiting.group',
    focus: 'holdpoint.waiting.show',
    /** Shows the view of what is waiting in other folders. */
    showOthers: 'holdpoint.others.show',
    /** Opens a listed folder in a window of its own, at an item of it; decides nothing. */
    openOther: 'holdpoint.others.open',
    /** Removes a missing folder from the list; no store is touched. */
    removeOther: 'holdpoint.others.remove',
    copyId: 'holdpoint.item.copyId',
    /** Opens the form that lists all open questions of an item's agent; releases none. */
    openReleaseAll: 'holdpoint.agent.openReleaseAll',
    /** Opens the form of a work item, or asks which; deletes none. */
    openWork: 'holdpoint.work.open',
    /** Opens the form that lists what agents assume, of one agent or of all; confirms nothing. */
    openAssumptions: 'holdpoint.assumptions.open',
    /** Opens the form of the policy; changes nothing. */
    editPolicy: 'holdpoint.policy.edit',
    /** Opens the Keys form; neither trusts nor retires any. */
    manageKeys: 'holdpoint.keys.manage',
    addPasskey: 'holdpoint.keys.addPasskey',
    /** Opens the page of an item in the browser, where a passkey signs; decides nothing. */
    openInBrowser: 'holdpoint.browser.open',
    /** Opens the form that appoints stewards and humans; it appoints no one by itself. */
    appoint: 'holdpoint.responsibility.appoint',
    /** Opens the form for a new request; asks nothing. */
    newRequest: 'holdpoint.request.new',
    /** Asks for the logins to a team's server, and tries them; decides nothing. */
    connectTeam: 'holdpoint.team.connect',
    /** Removes the human's login from this editor. */
    /** Opens the form that shares a workspace; shares nothing. */
    shareTeam: 'holdpoint.team.share',
    /** Opens the form that moves a shared journal back; moves nothing. */
    leaveTeam: 'holdpoint.team.leave',
    /** Shows how the person is reminded outside of the editor, and changes it as they choose; decides nothing. */
    reminders: 'holdpoint.reminders.show',
    showBriefing: 'holdpoint.briefing.show',
    /** Opens the form for a new event; records nothing. */
    postEvent: 'holdpoint.event.post',
    /** The same, for the selection in the editor. */
    recordWarning: 'holdpoint.event.recordWarning',
    openDashboard: 'holdpoint.dashboard.open',
    /** Opens the audit trail; a click there exports it. */
    openAudit: 'holdpoint.audit.open',
    /** Imports another program's data after showing it; decides nothing. */
    importData: 'holdpoint.data.import',
    /** Writes all data to a file. */
    exportData: 'holdpoint.data.export',
    /** Opens the page for setting up agents; writes nothing. */
    setUpAgents: 'holdpoint.agents.setUp',
    /** Expands one event in the briefing. */
    openEvent: 'holdpoint.event.open',
    /** Raises a question in a throwaway workspace and opens its form; decides nothing. */
    trySample: 'holdpoint.sample.try',
    /** Copies a prompt for the human's agent; sends nothing. */
    promptAgent: 'holdpoint.agent.prompt',
    /** Opens the form of the item that holds a file. */
    whyHeld: 'holdpoint.file.why',
    /** Asks for a reason, then holds a file with a question; releases nothing. */
    holdFile: 'holdpoint.file.hold',
    /** Opens the user pages of the installed package. */
    openDocs: 'holdpoint.docs.open',
  },
  context: {
    /** True while something is waiting in folders that this window does not show. */
    others: 'holdpoint.others',
    /** Set after the folders are opened: `none`, `virtual` or `ready`. */
    state: 'holdpoint.state',
    /** True once an agent has recorded something in a folder of this window. */
    connected: 'holdpoint.connected',
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
  /** Controller of the editor's own comments on RFCs. */
  comments: 'holdpoint.rfc',
  /** Provider of MCP servers. */
  mcpServers: 'holdpoint.servers',
} as const;
