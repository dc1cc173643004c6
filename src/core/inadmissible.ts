/** Why a record gets no effect. `forgery`: it claims a human's decision that no pinned key signed. */
export class Inadmissible extends Error {
  override readonly name = 'Inadmissible';
  readonly forgery: boolean;
  constructor(why: string, forgery = false) {
    super(why);
    this.forgery = forgery;
  }
}
