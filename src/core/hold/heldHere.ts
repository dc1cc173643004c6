/** Questions that hold on one machine and have no number yet, because the server of its shared journal does not answer. */

const prefix = 'pending-';

/** The name of such a question until it has a number. */
export function heldHereId(place: number): string {
  return `${prefix}${String(place)}`;
}

export function isHeldHere(id: string): boolean {
  return id.startsWith(prefix);
}
