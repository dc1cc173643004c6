/** Why a record gets no effect. */
export type InadmissibleReason =
  /** It cannot be, whoever writes it. */
  | 'invalid'
  /** It would move or shrink what a question holds. */
  | 'held'
  /** It claims a human's decision that no pinned key signed, or that was signed for something else. */
  | 'forgery';

export class Inadmissible extends Error {
  override readonly name = 'Inadmissible';
  readonly reason: InadmissibleReason;
  constructor(why: string, reason: InadmissibleReason = 'invalid') {
    super(why);
    this.reason = reason;
  }
}
