/**
 * Decisions that may contradict each other: on one scope, each active one and the one before it, unless one names the
 * other as related or an active event names both.
 */
import { concerns, scopeKey, type BriefedEvent, type DecisionConflict, type Group } from './briefing.ts';

interface Wanted {
  readonly focus: string | null;
  readonly ignoreCase: boolean;
  readonly limit: number;
}

/** Of very many decisions the latest are compared: a briefing must not wait. */
const comparedAtMost = 200;

/**
 * The latest first. With a focus: those on scopes that concern it.
 * @param events in the order of their numbers
 * @param relatedTo the ids of events that an event names
 */
export function conflictingDecisions(
  events: Iterable<BriefedEvent>,
  relatedTo: ReadonlyMap<string, readonly string[]>,
  { focus, ignoreCase, limit }: Wanted,
): Group<DecisionConflict> {
  const active = [...events].filter(({ status }) => status === 'active');
  const pairs: DecisionConflict[] = [];
  const latest = new Map<string, BriefedEvent>();
  for (const event of active)
    if (event.type === 'decision') {
      const scopes = event.scopes.map((scope) => ({ scope, key: scopeKey(scope, ignoreCase) }));
      for (const { scope, key } of scopes) {
        const before = latest.get(key);
        if (before && (focus === null || concerns(scope, focus, ignoreCase)))
          pairs.push({ scope, decisions: [event, before] });
      }
      for (const { key } of scopes) latest.set(key, event);
    }
  pairs.sort(latestFirst);
  const compared = pairs.slice(0, comparedAtMost);
  const related = relatedPairs(active, relatedTo, compared);
  const seen = new Set<string>();
  // Two that share several scopes are one conflict.
  const found = compared.filter(({ decisions }) => {
    const key = keyOf(...decisions);
    const isNew = !seen.has(key) && !related.has(key);
    seen.add(key);
    return isNew;
  });
  return { items: found.slice(0, limit), more: Math.max(0, found.length - limit) };
}

function latestFirst(a: DecisionConflict, b: DecisionConflict): number {
  return b.decisions[0].number - a.decisions[0].number || (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : 0);
}

type Named = Pick<BriefedEvent, 'id'>;

const keyOf = (newer: Named, older: Named) => `${newer.id} ${older.id}`;

/** Those of which one names the other, or that one active event names. */
function relatedPairs(
  active: readonly BriefedEvent[],
  relatedTo: ReadonlyMap<string, readonly string[]>,
  pairs: readonly DecisionConflict[],
): ReadonlySet<string> {
  const named = new Map<string, Set<string>>();
  for (const { id } of active) {
    const related = relatedTo.get(id) ?? [];
    if (related.length > 0) for (const one of [id, ...related]) (named.get(one) ?? put(named, one)).add(id);
  }
  return new Set(
    pairs.flatMap(({ decisions: [newer, older] }) => {
      const [one, other] = [named.get(newer.id), named.get(older.id)];
      return one && other && [...one].some((id) => other.has(id)) ? [keyOf(newer, older)] : [];
    }),
  );
}

function put(named: Map<string, Set<string>>, id: string): Set<string> {
  const made = new Set<string>();
  named.set(id, made);
  return made;
}
