/** Gates, which read a part of the state, answer as programs that read all of it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gate, type GateQuery, type GateVerdict } from '../../../src/core/hold/gate.ts';
import { applyLine } from '../../../src/core/fold/fold.ts';
import {
  cascades,
  currentWork,
  heldItems,
  heldPlaces,
  openHolders,
  unfinishedWork,
} from '../../../src/core/hold/holds.ts';
import { heldWork } from '../../support/store/heldWork.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import type { CurrentState, State } from '../../../src/core/state/state.ts';
import { runs } from '../../support/runs.ts';
import { flow, makeLab, question, setHeld, update, work, type Lab, readFrom } from '../../support/store/lab.ts';
import { formatCurrent, formatState } from '../../../src/store/saved/snapshot.ts';
import { stateIn } from '../../../src/store/saved/current.ts';

/** Names that fold to each other, decomposed ones, wildcards that are also names, and many levels. */
const names = ['src', 'SRC', 'a', 'A', 'b', 'ä', 'Ä', 'a\u0308', 'ΑΣ', 'ας', 'ασ', 'x.ts', 'deep'];
const deep = Array.from({ length: 14 }, () => 'deep');
const path = fc
  .tuple(
    fc.constantFrom([], [], deep, deep.slice(0, 11)),
    fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
  )
  .map(([above, below]) => [...above, ...below].join('/'));
const wild = fc.constantFrom('*', '**', 'a*', '?', '*.ts', 'x.*', 's*');
const glob = fc.tuple(path, fc.option(fc.tuple(wild, fc.option(path))), fc.boolean()).map(([base, more, first]) => {
  if (more === null) return base;
  const [sign, below] = more;
  return [...(first ? [] : [base]), sign, ...(below === null ? (first ? [base] : []) : [below])].join('/');
});
const worktree = fc.constantFrom('.', '.', 'wt', 'wt/one', '../beside');
const items = ['T1', 'T2', 'T3', 'T4', 'W1'];
const agents = ['a-1', 'a-2', 'a-3'];
const actor = fc
  .tuple(fc.constantFrom(...agents), worktree, fc.constantFrom(undefined, 's-1', 's-2'), fc.boolean())
  .map(([id, place, session, isKnown]): Actor => ({
    kind: 'agent',
    id,
    ...(isKnown ? { worktree: place } : {}),
    ...(session === undefined ? {} : { session }),
  }));
const raised = fc.record({
  actor,
  work: fc.option(fc.constantFrom('T1', 'T2', 'T3', 'T4')),
  urgency: fc.constantFrom('medium', 'medium', 'critical'),
  mode: fc.constantFrom('sync', 'sync', 'sync', 'async'),
  holds: fc.array(glob, { maxLength: 2 }),
  added: fc.option(glob),
  then: fc.constantFrom(null, null, null, null, null, null, 'released', 'stopped', 'refused', 'refused', 'widened'),
});
const asked = fc.record({
  files: fc.array(fc.oneof(path, glob, fc.constant('.')), { maxLength: 2 }),
  areFolders: fc.boolean(),
  worktree,
  ignoreCase: fc.boolean(),
  work: fc.option(fc.constantFrom(...items), { nil: undefined }),
  session: fc.oneof(
    fc.constant(undefined),
    fc.constant('unknown' as const),
    fc.record({ agent: fc.constantFrom(...agents), id: fc.constantFrom(undefined, 's-1', 's-3') }),
  ),
});

const laterWork = fc.record({
  id: fc.constantFrom('T1', 'T2', 'T3', 'T4'),
  addHolds: fc.array(glob, { maxLength: 1 }),
  workflow: fc.constantFrom(undefined, 'W1'),
  addDependsOn: fc.constantFrom([], ['T1'], ['T2']),
  removeDependsOn: fc.constantFrom([], ['T1'], ['T2']),
  status: fc.constantFrom('todo', 'in_progress', 'failed'),
  by: fc.constantFrom(...agents),
});

type Raised = typeof raised extends fc.Arbitrary<infer T> ? T : never;
type Changed = typeof laterWork extends fc.Arbitrary<infer T> ? T : never;
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

function ask(lab: Lab, number: number, { actor: by, added, then, work: item, holds, urgency, mode }: Raised): void {
  const id = `Q-${String(number)}`;
  const human = { kind: 'human', id: lab.human.name } as const;
  lab.write([question(number, { work: item, urgency, mode, holds })], by);
  // Not every glob that is made here may be held.
  if (!lab.state.questions.has(id)) lab.write([question(number, { work: item })], by);
  if (added !== null) lab.write([{ kind: 'question.widened', v: 1, id, addHolds: [added] }], by);
  if (then === 'widened') setHeld(lab, id, 'all');
  if (then === 'released') lab.write([lab.signed({ kind: 'question.released', v: 1, id, note: 'Go on.' })], human);
  const answer = { choices: [], text: 'No.', effect: then === 'stopped' ? ('stop' as const) : ('do_not' as const) };
  if (then === 'stopped' || then === 'refused')
    lab.write([lab.signed({ kind: 'question.answered', v: 1, id, answer })], human);
}

function labWith(questions: readonly Raised[], itemHolds: readonly string[]): Lab {
  const lab = makeLab();
  lab.write([flow('W1'), work('T1', { workflow: 'W1' }), work('T2', { dependsOn: ['T1'] }), work('T3'), work('T4')]);
  for (const one of itemHolds) lab.write([update('T3', { addHolds: [one] })]);
  for (const [place, one] of questions.entries()) ask(lab, place + 1, one);
  const document = {
    title: 'Tokens',
    sections: [{ key: 'summary', heading: 'Summary', text: 'Short.' }],
    questions: [],
  };
  lab.write([{ kind: 'rfc.proposed', v: 1, id: 'RFC-1', document, tasks: ['T4'], holds: ['docs/**'] }]);
  if (questions[0]) ask(lab, lab.state.questions.size + 1, questions[0]);
  return lab;
}

function changeWork(lab: Lab, changes: readonly Changed[]): void {
  for (const { id, addDependsOn, removeDependsOn, addHolds, workflow, status, by } of changes) {
    lab.write([update(id, { addHolds })]);
    lab.write([update(id, { addDependsOn, ...(workflow === undefined ? {} : { workflow }) })]);
    lab.write([update(id, { removeDependsOn })]);
    lab.write([update(id, { status })], { kind: 'agent', id: by });
  }
}

function answer(state: CurrentState, { files, areFolders, ...query }: Asked): GateVerdict {
  const clean = files.filter((file) => file !== '');
  return gate(state, { ...query, files: clean, folders: new Set(areFolders ? clean : []) } satisfies GateQuery);
}

function currentFrom(state: State): CurrentState {
  const saved = stateIn(formatCurrent(state));
  assert.ok(saved);
  return saved;
}

describe('a saved state', () => {
  it('has what any question to the gate is about, and the whole one what later records are', () => {
    const found = { reasons: 0, allowed: 0, constraints: 0, held: 0, closed: 0 };
    fc.assert(
      fc.property(
        fc.array(raised, { maxLength: 12 }),
        fc.array(glob, { maxLength: 2 }),
        fc.array(laterWork, { maxLength: 3 }),
        fc.array(asked, { minLength: 10, maxLength: 20 }),
        fc.array(laterWork, { maxLength: 2 }),
        (questions, itemHolds, later, queries, first) => {
          const lab = labWith(questions, itemHolds);
          changeWork(lab, first);
          const { state } = lab;
          const unread = currentFrom(state);
          assert.deepEqual(openHolders(unread), openHolders(state));
          found.closed += state.questions.size - unread.questions.size;
          compare(unread, state);
          const saved = stateIn(formatState(state));
          assert.ok(saved);
          readFrom(saved, lab.lines);
          assert.deepEqual(saved, state);
          assert.deepEqual([...saved.questions.keys()], [...state.questions.keys()]);
          const from = lab.lines.length;
          changeWork(lab, later);
          for (const line of lab.lines.slice(from)) applyLine(saved, line, lab.trust);
          compare(currentFrom(saved), state);

          function compare(unread: CurrentState, state: State): void {
            for (const one of agents) assert.deepEqual(currentWork(unread, one), currentWork(state, one));
            assert.deepEqual(unfinishedWork(unread), unfinishedWork(state));
            assert.deepEqual([...heldWork(unread)], [...heldWork(state)]);
            assert.deepEqual([...heldItems(unread)], [...heldItems(state)]);
            found.held += heldItems(state).size;
            const reach = (from: CurrentState) => [...state.questions.values()].map(cascades(from));
            assert.deepEqual(reach(unread), reach(state));
            for (const query of queries) {
              const expected = answer(state, query);
              assert.deepEqual(answer(unread, query), expected);
              found.reasons += expected.reasons.length;
              found.constraints += expected.constraints.length;
              if (expected.reasons.length === 0) found.allowed += 1;
            }
            assert.deepEqual(heldPlaces(unread, 'wt'), heldPlaces(state, 'wt'));
          }
        },
      ),
      { numRuns: runs(2_000) },
    );
    assert.ok(
      Object.values(found).every((count) => count > runs(2_000) / 2),
      JSON.stringify(found),
    );
  });
});
