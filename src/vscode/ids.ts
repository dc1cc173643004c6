/** Every id this extension contributes, each written once. A contract test compares them with package.json. */
export const ids = {
  container: 'holdpoint',
  views: { waiting: 'holdpoint.waiting', answer: 'holdpoint.answer' },
  commands: {
    /** Opens the form of one item; takes an id, never a decision. */
    openForm: 'holdpoint.form.open',
    /** Opens the form of whatever is first. */
    openFirst: 'holdpoint.form.openFirst',
    refresh: 'holdpoint.waiting.refresh',
    filter: 'holdpoint.waiting.filter',
    clearFilter: 'holdpoint.waiting.clearFilter',
    group: 'holdpoint.waiting.group',
    focus: 'holdpoint.waiting.show',
    copyId: 'holdpoint.item.copyId',
    /** Opens the form that lists all open questions of an item's agent; lets none go. */
    openReleaseAll: 'holdpoint.agent.openReleaseAll',
    /** Opens the form of the policy; changes nothing. */
    editPolicy: 'holdpoint.policy.edit',
  },
  context: {
    /** Set once the views have something to work on: `none`, `virtual` or `ready`. */
    state: 'holdpoint.state',
    /** True while the tree leaves something out. */
    filtered: 'holdpoint.filtered',
  },
  settings: {
    /** `all`, `critical` or `off`. */
    notifications: 'holdpoint.notifications',
    /** `extension` or `mcp`: whose tools chats of the window have, never both. */
    chatTools: 'holdpoint.chatTools',
  },
  /** Provider of MCP servers. */
  mcpServers: 'holdpoint.servers',
} as const;
