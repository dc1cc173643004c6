/** Whom a question or RFC is for. It only sorts and filters: everybody can answer, unless a policy asks for certain people. */
import { sameNameKey } from '../kit/text.ts';
import type { State } from './state.ts';

/**
 * Whether an item is for this person: it is for everybody, for their name, or for a responsibility that a human's signed
 * record gives to them by name.
 * @param person the name of their key
 */
export function isForPerson({ responsibilities }: Pick<State, 'responsibilities'>, to: string | null, person: string) {
  if (to === null || sameNameKey(to) === sameNameKey(person)) return true;
  return [...responsibilities.values()].some(
    ({ id, kind, name }) =>
      (kind === 'human' || kind === 'steward') &&
      [id, name].some((one) => sameNameKey(one) === sameNameKey(to)) &&
      [id, name].some((one) => sameNameKey(one) === sameNameKey(person)),
  );
}
