/** Opens forms of the view "Answer" from other surfaces. */
export interface Forms {
  /** Opens the form of one item; without a key, the first waiting one. Decides nothing. */
  show(key?: string): Promise<void>;
  /** The same in an editor tab, with what there is to know beside it. */
  showInTab(key: string): Promise<void>;
}
