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
    copyId: 'holdpoint.item.copyId',
  },
  context: {
    /** Set once the views have something to work on: `none`, `untrusted` or `ready`. */
    state: 'holdpoint.state',
  },
} as const;
