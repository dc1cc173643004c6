/** Programs that read a part of a saved state answer as those that read all of it: gates by keys, others by lists of work. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { heldPlaces } from '../../../src/core/hold/bases.ts';
import { gate } from '../../../src/core/hold/gate.ts';
import type { GateQuery, GateVerdict } from '../../../src/core/hold/gate.ts';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { cascades, heldItems, heldWork } from '../../../src/core/hold/cascade.ts';
import { currentWork, mayOwnWork, openHolders, unfinishedWork } from '../../../src/core/hold/holds.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import type { State } from '../../../src/core/state/state.ts';
import { runs } from '../../support/runs.ts';
import {
  bot,
  asksForEffects,
  asksForWidening,
  flow,
  makeLab,
  question,
  setHeld,
  update,
  work,
} from '../../support/store/lab.ts';
import type { Lab } from '../../support/store/lab.ts';
import { savedFrom, unreadFrom } from '../../support/store/unread.ts';

/** Names that fold to each other, decomposed ones, wildcards that are also names, and more levels than keys have. */
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
  lab.write([asksForWidening, asksForEffects]);
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

function answer(state: State, { files, areFolders, ...query }: Asked): GateVerdict {
  const clean = files.filter((file) => file !== '');
  return gate(state, { ...query, files: clean, folders: new Set(areFolders ? clean : []) } satisfies GateQuery);
}

describe('keys of holds', () => {
  it('find what any question to the gate is about, also after work has changed', () => {
    const found = { reasons: 0, allowed: 0, constraints: 0, held: 0, without: 0 };
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
          const unread = unreadFrom(state);
          assert.deepEqual(openHolders(unread), openHolders(state));
          const from = lab.lines.length;
          changeWork(lab, later);
          for (const line of lab.lines.slice(from)) applyLine(unread, line, lab.trust);
          for (const one of agents) {
            assert.deepEqual(currentWork(unread, one), currentWork(state, one));
            const owns = [...state.work.values()].some(({ assignee }) => assignee === one);
            if (owns) assert.ok(mayOwnWork(unread, one));
            else found.without += Number(!mayOwnWork(unread, one));
          }
          assert.deepEqual(unfinishedWork(unread), unfinishedWork(state));
          assert.deepEqual([...heldWork(unread)], [...heldWork(state)]);
          assert.deepEqual([...heldItems(unread)], [...heldItems(state)]);
          found.held += heldItems(state).size;
          // Also of questions that hold nothing now, whose work may lose its dependants.
          const reach = (from: State) => [...state.questions.values()].map(cascades(from));
          assert.deepEqual(reach(unread), reach(state));
          for (const query of queries) {
            const expected = answer(state, query);
            assert.deepEqual(answer(unread, query), expected);
            found.reasons += expected.reasons.length;
            found.constraints += expected.constraints.length;
            if (expected.reasons.length === 0) found.allowed += 1;
          }
          const sorted = (from: State) => [...new Set(heldPlaces(from, 'wt'))].sort();
          assert.deepEqual(sorted(unread), sorted(state));
        },
      ),
      { numRuns: runs(2_000) },
    );
    assert.ok(
      Object.values(found).every((count) => count > runs(2_000)),
      JSON.stringify(found),
    );
  });

  it('find what is refused among hundreds of refusals, and read no others', () => {
    const lab = makeLab();
    const human = { kind: 'human', id: lab.human.name } as const;
    const many = 300;
    lab.write([asksForEffects, ...Array.from({ length: many }, (_, at) => work(`T${String(at + 1)}`))]);
    const more: Readonly<Partial<Record<number, object>>> = { 7: { holds: ['lib/seven'] }, 8: { work: null } };
    for (let number = 1; number <= many; number++) {
      const asker = number === 8 ? { ...bot, session: 's-8' } : bot;
      lab.write([question(number, { work: `T${String(number)}`, ...more[number] })], asker);
      const answer = { choices: [], text: `Not ${String(number)}.`, effect: 'do_not' as const };
      lab.write([lab.signed({ kind: 'question.answered', v: 1, id: `Q-${String(number)}`, answer })], human);
    }
    assert.equal(lab.state.refused.size, many);
    const { questions, ...unread } = unreadFrom(lab.state);
    const read = new Set<string>();
    const get = (id: string) => {
      read.add(id);
      return questions.get(id);
    };
    const state = { ...unread, questions: { get } as unknown as State['questions'] };
    const ask = (query: Partial<GateQuery>) => {
      const whole = { worktree: '.', ignoreCase: false, ...query };
      const { constraints } = gate(state, whole);
      assert.deepEqual(constraints, gate(lab.state, whole).constraints);
      return constraints.length;
    };
    assert.equal(ask({ files: ['lib/seven/x.ts'] }), 1);
    assert.equal(ask({ session: { agent: 'a-9', id: 's-8' } }), 1);
    assert.equal(ask({ work: 'T41' }), 1);
    assert.equal(ask({ files: ['docs/a.md'], session: { agent: bot.id, id: 's-9' } }), 0);
    assert.deepEqual([...read].sort(), ['Q-41', 'Q-7', 'Q-8']);
  });

  it('find it at every depth, also where globs are deeper than keys', () => {
    const lab = makeLab();
    const levels = Array.from({ length: 20 }, (_, at) => `level-${String(at)}`);
    lab.write([question(1, { holds: [levels.slice(0, 16).join('/')] })]);
    const unread = unreadFrom(lab.state);
    for (const depth of levels.keys()) {
      const query = { files: [levels.slice(0, depth + 1).join('/')], worktree: '.', ignoreCase: false };
      assert.equal(gate(unread, query).verdict, 'deny', String(depth));
    }
  });

  it('find it among thousands of holds on the same folder, of the same agent', () => {
    const lab = makeLab();
    lab.write([asksForWidening, asksForEffects]);
    const many = 2_100;
    lab.write(Array.from({ length: many }, (_, at) => question(at + 1, { holds: [`src/*${String(at)}.ts`] })));
    lab.write([question(many + 1, { holds: ['lib/a'] })], { kind: 'agent', id: 'a-1', worktree: '.' });
    const unread = unreadFrom(lab.state);
    for (const query of [
      { files: ['src/x77.ts'] },
      { files: ['src'] },
      { files: ['lib/a/b'] },
      { files: ['lib'] },
      { files: ['docs'] },
      { session: { agent: 'a-1' } },
      { session: { agent: 'copilot-001' } },
      { session: { agent: 'a-2' } },
    ]) {
      const whole = { worktree: '.', ignoreCase: false, ...query };
      const expected = gate(lab.state, whole);
      assert.deepEqual(gate(unread, whole), expected);
    }
  });

  it('read few parts of a large saved state, for whatever concerns few of its holds', () => {
    const lab = makeLab();
    const items = Array.from({ length: 50 }, (_, at) => work(`T${String(at)}`, { holds: [`src/area-${String(at)}`] }));
    lab.write(items);
    lab.write(
      Array.from({ length: 3_000 }, (_, at) =>
        question(at + 1, { work: `T${String(at % 40)}`, holds: at % 2 === 0 ? [] : [`lib/${String(at)}/**`] }),
      ),
    );
    const { unread = null } = savedFrom(lab.state);
    assert.ok(unread);
    const asks: (readonly string[] | null)[] = [];
    const noting = {
      ...lab.state,
      unread: {
        ...unread,
        holds: (keys: readonly string[] | null) => {
          asks.push(keys);
          return unread.holds(keys);
        },
      },
    };
    const query = { worktree: '.', ignoreCase: false };
    assert.equal(gate(noting, { ...query, work: 'T45', files: ['docs/a.md'] }).verdict, 'allow');
    assert.equal(gate(noting, { ...query, files: ['lib/77/x.ts'] }).reasons.length, 1);
    assert.equal(gate(noting, { ...query, work: 'T7' }).reasons.length, 75);
    assert.equal(gate(noting, { ...query, session: { agent: 'a-1' } }).verdict, 'allow');
    assert.ok(asks.length >= 4);
    for (const keys of asks) {
      assert.ok(keys !== null, 'all are looked at');
      const found = [...unread.holds(keys)].length;
      assert.ok(found <= 75, String(found));
    }
  });
});
