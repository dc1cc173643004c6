/** The forms of the view "Answer", for the surfaces that lead there. */
export interface Forms {
  /** Brings the form of one item up; of the first that waits without a key. Decides nothing. */
  show(key?: string): Promise<void>;
}
