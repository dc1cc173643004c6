/** Opens forms of the "Answer" view from other surfaces. */
export interface Forms {
  /** Opens the form of one item; without a key, the first waiting one. Decides nothing. */
  show(key?: string): Promise<void>;
  /** The same in an editor tab, with the background beside the form. */
  showInTab(key: string): Promise<void>;
}
