/** What holders hold downwards: the items that they name, and all that depend on those. */
import { isFinished, isStop, type CurrentState } from '../state/state.ts';
import { dependantsByItem, directlyHeld, isDone, isRfc, openHolders, type Holder } from './holds.ts';

/** The ids of all held items. Handles cycles; no limit. */
export function heldItems(state: CurrentState): Set<string> {
  const direct = openHolders(state).flatMap((holder) => directlyHeld(state, holder));
  return spread(dependantsOf(state), direct);
}

/** The ids of the items that depend on this one directly, in the order of their registration. */
type Dependants = (id: string) => readonly string[];

/** Those that are held through an item: by the same rule as `heldThrough`, from the other end. */
function dependantsOf(state: CurrentState): Dependants {
  const byItem = dependantsByItem(state.work.values());
  const all = (id: string) => byItem.get(id) ?? [];
  let stopped: ReadonlySet<string> | null = null;
  return (id) => {
    if (!isDone(state, id) || (stopped ??= namedByStops(state)).has(id)) return all(id);
    return all(id).filter((each) => state.work.get(each)?.workflow === id);
  };
}

function namedByStops(state: CurrentState): Set<string> {
  const stops = openHolders(state, (holder) => !isRfc(holder) && isStop(holder));
  return new Set(stops.flatMap((holder) => directlyHeld(state, holder)));
}

function spread(below: Dependants, start: readonly string[]): Set<string> {
  const reached = new Set(start);
  for (const id of reached) for (const next of below(id)) reached.add(next);
  return reached;
}

/** The items a holder names, and their dependants that are not finished; each once, however often it names one. */
export interface Reach {
  readonly direct: readonly string[];
  readonly dependants: readonly string[];
  /** Those of both that are not finished: what figures count. */
  readonly open: readonly string[];
}

export const reachesNothing: Reach = { direct: [], dependants: [], open: [] };

export function cascade(state: CurrentState, holder: Holder): Reach {
  return cascades(state)(holder);
}

/** Cascades of many holders; computes the dependants once. */
export function cascades(state: CurrentState): (holder: Holder) => Reach {
  const below = dependantsOf(state);
  return (holder) => {
    const direct = directlyHeld(state, holder);
    const named = new Set(direct);
    const open = [...spread(below, direct)].filter((id) => {
      const item = state.work.get(id);
      return item === undefined || !isFinished(item);
    });
    return { direct: [...named], dependants: open.filter((id) => !named.has(id)), open };
  };
}
