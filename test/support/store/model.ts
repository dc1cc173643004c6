/** Holds by the plainest reading of the rules, slow and written apart from the code it checks. */
import type { State } from '../../../src/core/state.ts';

/** Pairs "item question" of everything held: rules are applied to all pairs until nothing new follows. */
export function naiveHolds(state: State): Set<string> {
  const items = [...state.work.values()];
  const pairs = new Set<string>();
  for (const question of state.questions.values()) {
    const decided = question.resolution !== null;
    if (question.mode !== 'sync' || decided || question.raised.work === null) continue;
    pairs.add(`${question.raised.work} ${question.id}`);
    const named = items.find((item) => item.id === question.raised.work);
    if (question.urgency === 'critical' && named?.workflow) pairs.add(`${named.workflow} ${question.id}`);
  }
  for (let before = -1; before !== pairs.size;) {
    before = pairs.size;
    for (const item of items)
      for (const question of state.questions.keys())
        for (const other of items) {
          const waits = item.workflow === other.id || item.dependsOn.includes(other.id);
          if (waits && pairs.has(`${other.id} ${question}`)) pairs.add(`${item.id} ${question}`);
        }
  }
  return pairs;
}

/** What is stopped, as a set of facts: `work T Q`, `file <worktree> <glob> Q`. */
export function heldFacts(state: State): Set<string> {
  const facts = new Set([...naiveHolds(state)].map((pair) => `work ${pair}`));
  for (const question of state.questions.values()) {
    if (question.mode !== 'sync' || question.resolution !== null) continue;
    const own = question.raised.holds;
    const scopes = own.length > 0 ? own : (state.work.get(question.raised.work ?? '')?.holds ?? []);
    for (const glob of [...scopes, ...question.addedHolds])
      facts.add(`file ${question.asker.worktree ?? '*'} ${glob} ${question.id}`);
    if (question.raised.work === null) facts.add(`session ${question.asker.id} ${question.id}`);
  }
  return facts;
}

/** What was held and is not any more. */
export function lost(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...before].filter((fact) => !after.has(fact));
}

/** A glob by trying every way to read it: exponential, for short inputs only. */
export function naiveGlob(pattern: string, path: string): boolean {
  const given = path.split('/');
  // A pattern holds what it names and all beneath, so some beginning of the path must be what it names.
  return given.some((_, index) => segments(pattern.split('/'), given.slice(0, index + 1)));
}

function segments(wanted: readonly string[], given: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return given.length === 0;
  if (first === '**') return given.some((_, skip) => segments(rest, given.slice(skip))) || segments(rest, []);
  const [name, ...others] = given;
  return name !== undefined && letters(first, name) && segments(rest, others);
}

function letters(wanted: string, given: string): boolean {
  if (wanted === '') return given === '';
  if (wanted.startsWith('*'))
    return Array.from({ length: given.length + 1 }, (_, skip) => skip).some((skip) =>
      letters(wanted.slice(1), given.slice(skip)),
    );
  return (
    given !== '' &&
    (wanted.startsWith('?') || wanted.startsWith(given.charAt(0))) &&
    letters(wanted.slice(1), given.slice(1))
  );
}
