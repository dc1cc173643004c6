/** Holds by a naive reading of the rules: slow, and independent of the code it checks. */
import type { Question, State } from '../../../src/core/state/state.ts';

/** RFCs that no human has approved, rejected or withdrawn. */
function openRfcs(state: State) {
  return [...state.rfcs.values()].filter(({ approval, ended }) => approval === null && ended === null);
}

/** Whether the question waits for a human, or a human has stopped it. */
function stopsWork({ mode, resolution, lifted }: Question): boolean {
  return resolution === null ? mode === 'sync' : resolution.answer?.effect === 'stop' && lifted === null;
}

/** Pairs "item holder" of everything held: applies the rules to all pairs until nothing changes. */
export function naiveHolds(state: State): Set<string> {
  const items = [...state.work.values()];
  const pairs = new Set<string>();
  const stopped = new Set<string | null>();
  for (const question of state.questions.values()) {
    if (!stopsWork(question)) continue;
    for (const id of [question.work, ...question.alsoWork])
      if (id !== null && question.resolution !== null) stopped.add(id);
    for (const id of [question.work, ...question.alsoWork]) if (id !== null) pairs.add(`${id} ${question.id}`);
    const named = items.find((item) => item.id === question.work);
    const open = question.resolution === null;
    if (open && question.urgency === 'critical' && named?.workflow) pairs.add(`${named.workflow} ${question.id}`);
  }
  for (const rfc of openRfcs(state)) for (const id of [...rfc.workflows, ...rfc.tasks]) pairs.add(`${id} ${rfc.id}`);
  for (let before = -1; before !== pairs.size;) {
    before = pairs.size;
    for (const item of items)
      for (const question of [...state.questions.keys(), ...state.rfcs.keys()])
        for (const other of items) {
          const passes = (other.status !== 'done' && other.status !== 'deleted') || stopped.has(other.id);
          const waits = item.workflow === other.id || (item.dependsOn.includes(other.id) && passes);
          if (waits && pairs.has(`${other.id} ${question}`)) pairs.add(`${item.id} ${question}`);
        }
  }
  return pairs;
}

/** Everything stopped, as facts: `work T Q`, `file <worktree> <glob> Q`, `stopped T RFC`, and blockers of approvals. */
export function heldFacts(state: State): Set<string> {
  const facts = new Set([...naiveHolds(state)].map((pair) => `work ${pair}`));
  for (const question of state.questions.values()) {
    if (question.resolution?.answer?.effect === 'do_not' && question.lifted === null)
      facts.add(`refused ${question.id}`);
    if (!stopsWork(question)) continue;
    const own = question.holds;
    const named = [question.work ?? '', ...question.alsoWork];
    const scopes = own.length > 0 ? own : named.flatMap((id) => state.work.get(id)?.holds ?? []);
    for (const glob of [...scopes, ...question.addedHolds])
      facts.add(`file ${question.asker.worktree ?? '*'} ${glob} ${question.id}`);
    if (question.widened !== null) facts.add(wide(question.id));
    if (question.work === null && question.alsoWork.length === 0)
      facts.add(`session ${question.asker.id} ${question.id}`);
  }
  for (const rfc of openRfcs(state)) {
    const scopes =
      rfc.holds.length > 0
        ? rfc.holds
        : [...rfc.workflows, ...rfc.tasks].flatMap((id) => state.work.get(id)?.holds ?? []);
    for (const glob of [...scopes, ...rfc.addedHolds]) facts.add(`file ${rfc.asker.worktree ?? '*'} ${glob} ${rfc.id}`);
    if (rfc.widened !== null) facts.add(wide(rfc.id));
  }
  for (const [id, rfc] of state.stopped) facts.add(`stopped ${id} ${rfc}`);
  for (const rfc of state.rfcs.values()) {
    for (const { number, blocking, resolved } of rfc.threads)
      if (blocking && !resolved) facts.add(`thread ${String(number)} ${rfc.id}`);
    for (const { number, required, asked } of rfc.questions)
      if (required && !state.questions.get(asked ?? '')?.resolution) facts.add(`asks ${String(number)} ${rfc.id}`);
  }
  return facts;
}

/** The fact that every file of every worktree is held. */
function wide(id: string): string {
  return `file * ** ${id}`;
}

/** The facts that only a human can cause. */
export function widened(facts: ReadonlySet<string>): string[] {
  return [...facts].filter((fact) => fact.startsWith('file * ** '));
}

/** Facts that no longer apply. */
export function lost(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...before].filter((fact) => !after.has(fact));
}

/** Matches a glob by trying every interpretation: exponential, so only for short inputs. */
export function naiveGlob(pattern: string, path: string): boolean {
  const given = path.split('/');
  // A pattern includes everything beneath its matches, so some prefix of the path must match.
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
