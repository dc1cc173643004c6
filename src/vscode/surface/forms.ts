/** Opens forms of the view "Answer" from other surfaces. */
export interface Forms {
  /** Opens the form of one item; without a key, the first waiting one. Decides nothing. */
  show(key?: string): Promise<void>;
}
