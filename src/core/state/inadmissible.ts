/** Why a record has no effect. */
export type InadmissibleReason =
  /** Inadmissible regardless of author. */
  | 'invalid'
  /** It would move or shrink an existing hold. */
  | 'held'
  /** It claims a human's decision without a valid signature for it. */
  | 'forgery';

export class Inadmissible extends Error {
  override readonly name = 'Inadmissible';
  readonly reason: InadmissibleReason;
  constructor(why: string, reason: InadmissibleReason = 'invalid') {
    super(why);
    this.reason = reason;
  }
}

/** Why verification refuses a signature by a key that this program does not know. */
export const unknownKey = 'is signed by a key that no human enrolled on this machine';
