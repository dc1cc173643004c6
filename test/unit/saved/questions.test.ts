/** A saved state answers the gate without loading its questions, and must answer like the full state. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gate } from '../../../src/core/hold/gate.ts';
import type { GateQuery } from '../../../src/core/hold/gate.ts';
import { isRfc, openHolders } from '../../../src/core/hold/holds.ts';
import type { HolderBrief } from '../../../src/core/hold/holds.ts';
import { isStop, isWaiting } from '../../../src/core/state/state.ts';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { waitingCount, waitingOrder } from '../../../src/app/question/views.ts';
import { confirmableQuestions } from '../../../src/core/question/assumptions.ts';
import { sameShapes } from '../../../src/core/question/shape.ts';
import { noticesOf } from '../../../src/core/waiting/reminders.ts';
import { dueQuestions } from '../../../src/core/question/question.ts';
import type { State } from '../../../src/core/state/state.ts';
import { undecidedQuestions } from '../../../src/core/state/undecided.ts';
import { isoTime } from '../../../src/store/saved/questions.ts';
import { formatState } from '../../../src/store/saved/state.ts';
import { runs } from '../../support/runs.ts';
import { actsOnGraph, workIds } from '../../support/store/arbitraries.ts';
import { asksForEffects, makeLab, question, work } from '../../support/store/lab.ts';
import { take } from '../../support/store/taking.ts';
import { savedFrom, unreadFrom } from '../../support/store/unread.ts';

const queries: readonly Partial<GateQuery>[] = [
  ...workIds.map((id) => ({ work: id })),
  ...['src/a/x.ts', 'src/b/y/z.ts', 'docs/readme.md', 'lib/x.ts', 'lib/y.ts', '.'].map((file) => ({ files: [file] })),
  { files: ['src/a', 'docs/readme.md'], ignoreCase: true, worktree: 'wt/one' },
  { files: ['anything/else.ts'], worktree: '../beside' },
  { session: 'unknown' },
  { session: 'unknown', worktree: 'wt/one' },
  ...['copilot-001', 'claude-002', 'agent-1', 'a-001'].map((agent) => ({ session: { agent } })),
  { session: { agent: 'copilot-001', id: 's-1' }, work: 'T1', files: ['src/a/x.ts'] },
];

/** A question that begins to hold later than others comes after them, until it is loaded from where it was saved. */
const byId = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
  [...all].sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }));
const waitingOf = ({ questions }: State) => [...questions.values()].filter(isWaiting);
const ordered = ({ reasons, ...rest }: ReturnType<typeof gate>) => ({
  ...rest,
  reasons: byId(
    reasons.map((reason) => ({ id: `${reason.holder?.id ?? ''} ${reason.code} ${reason.subject}`, reason })),
  ),
});

describe('questions of a saved state', () => {
  it('hold what they held, and load unchanged, after any acts', () => {
    let held = 0;
    fc.assert(
      fc.property(actsOnGraph(25), (acts) => {
        const lab = makeLab();
        for (const acting of acts) take(lab, acting);
        const { state } = lab;
        const unread = unreadFrom(state);
        assert.deepEqual(byId(openHolders(unread)), byId(openHolders(state)));
        for (const asker of state.agents.keys()) ask({ session: { agent: asker } });
        for (const query of queries) ask(query);
        const saved = savedFrom(state);
        assert.deepEqual(new Map(saved.questions), state.questions);
        assert.equal([...formatState(saved)].join(''), [...formatState(state)].join(''), 'saved again, the same');
        assert.deepEqual([...saved.holders].sort(), [...state.holders].sort());
        assert.deepEqual(undecidedQuestions(savedFrom(state)), waitingOf(state));
        assert.deepEqual(undecidedQuestions(state), waitingOf(state));

        function ask(query: Partial<GateQuery>): void {
          const whole = { worktree: '.', ignoreCase: false, ...query };
          const decision = gate(state, whole);
          assert.deepEqual(ordered(gate(unread, whole)), ordered(decision));
          held += decision.reasons.length;
        }
      }),
      { numRuns: runs(150) },
    );
    assert.ok(held > runs(1_000), `held only ${String(held)} times`);
  });

  it('follow further lines, also undone ones, as if all of them had been loaded', () => {
    let later = 0;
    fc.assert(
      fc.property(
        actsOnGraph(25),
        fc.nat(25),
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        (acts, cut, undone) => {
          const lab = makeLab();
          let saved = savedFrom(lab.state);
          let from = lab.lines.length;
          for (const [number, acting] of acts.entries()) {
            take(lab, acting);
            if (number !== cut) continue;
            saved = savedFrom(lab.state);
            from = lab.lines.length;
          }
          for (const [number, line] of lab.lines.slice(from).entries()) {
            if (undone[number] === true) applyLine(saved, line, lab.trust).undo();
            later += applyLine(saved, line, lab.trust).admitted.length;
          }
          const { state } = lab;
          const ids = (of: State) => byId(openHolders(of)).map(({ id }) => id);
          assert.deepEqual(ids(saved), ids(state));
          assert.ok(saved.unread, 'not all questions were loaded');
          assert.deepEqual(new Set(saved.undecided), new Set(waitingOf(state).map(({ id }) => id)));
          for (const query of queries) {
            const whole = { worktree: '.', ignoreCase: false, ...query };
            assert.deepEqual(ordered(gate(saved, whole)), ordered(gate(state, whole)));
          }
          const now = '2027-01-01T00:00:00.000Z';
          assert.deepEqual(dueQuestions(saved, now), dueQuestions(state, now));
          assert.equal([...formatState(saved)].join(''), [...formatState(state)].join(''));
        },
      ),
      { numRuns: runs(150) },
    );
    assert.ok(later > runs(500), `only ${String(later)} records came later`);
  });

  it('have times in the form of toISOString', () => {
    const last = 8_640_000_000_000_000;
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -last, max: last }), fc.integer({ min: 0, max: 4e12 })), (ms) => {
        assert.equal(isoTime(ms), new Date(ms).toISOString());
      }),
    );
  });

  it('are ordered, counted and grouped without their texts', () => {
    const lab = makeLab();
    const text = 'May it? '.repeat(200);
    lab.write(
      Array.from({ length: 1_000 }, (_, at) => question(at + 1, { text: `${text}${String(at)}`, choices: [] })),
    );
    let read = 0;
    const saved = savedFrom(lab.state, (bytes) => (read += bytes));
    read = 0; // opening a small file reads all of it
    const { state } = lab;
    assert.deepEqual(waitingOrder(saved), waitingOrder(state));
    assert.equal(waitingCount(saved), 1_000);
    assert.deepEqual([confirmableQuestions(saved), sameShapes(saved, saved.questions.values())], [[], []]);
    for (const one of saved.questions.values())
      assert.equal(
        noticesOf(saved, one, one.raisedAt).length,
        noticesOf(state, state.questions.get(one.id)!, one.raisedAt).length,
      );
    assert.ok(read < 1_000 * 100, `${String(read)} bytes were read, and a text has ${String(text.length)}`);
    assert.equal(saved.questions.get('Q-7')?.raised.text, state.questions.get('Q-7')?.raised.text);
  });

  it('are found without the closed ones, in the order of their numbers', () => {
    const lab = makeLab();
    lab.write([asksForEffects]);
    lab.write(Array.from({ length: 100 }, (_, at) => question(at + 1, { mode: 'async' })));
    const open = [3, 40, 97];
    const closed = Array.from({ length: 100 }, (_, at) => at + 1).filter((number) => !open.includes(number));
    lab.write(
      closed.map((number) => ({ kind: 'question.withdrawn', v: 1, id: `Q-${String(number)}`, reason: 'Moot.' })),
    );
    const { state } = lab;
    // As one that was reopened.
    state.undecided.delete('Q-3');
    state.undecided.add('Q-3');
    for (const one of [state, savedFrom(state), unreadFrom(state)])
      assert.deepEqual(
        undecidedQuestions(one).map(({ id }) => id),
        ['Q-3', 'Q-40', 'Q-97'],
      );
  });

  it('are found by what only one of those that held alike became', () => {
    const lab = makeLab();
    const answer = { choices: [], text: 'No.', effect: 'stop' as const };
    lab.write([work('T1'), question(1, { work: 'T1' }), question(2, { work: 'T1' }), asksForEffects]);
    lab.write([lab.signed({ kind: 'question.answered', v: 1, id: 'Q-2', answer })], {
      kind: 'human',
      id: lab.human.name,
    });
    const unread = unreadFrom(lab.state);
    const found = (wanted: (brief: HolderBrief) => boolean) => openHolders(unread, wanted).map(({ id }) => id);
    assert.deepEqual(
      found((brief) => !isRfc(brief) && isStop(brief)),
      ['Q-2'],
    );
    assert.deepEqual(
      found((brief) => !isRfc(brief) && brief.resolution === null),
      ['Q-1'],
    );
    assert.deepEqual(
      found(() => false),
      [],
    );
  });

  it('load as one object each, whichever caller is first', () => {
    const lab = makeLab();
    lab.write([work('T1'), question(1, { work: 'T1' }), question(2)]);
    const saved = savedFrom(lab.state);
    const { unread } = saved;
    const [first] = openHolders(saved);
    assert.ok(unread);
    assert.equal(unread.brief('RFC-1'), null);
    assert.equal(unread.brief('Q-3'), null);
    assert.equal(saved.questions.get('Q-1'), first);
    assert.equal(saved.unread, unread, 'not all were loaded');
    assert.deepEqual([...saved.questions.keys()], ['Q-1', 'Q-2']);
    assert.equal(saved.questions.get('Q-1'), first);
    assert.equal(saved.unread, null);
  });

  it('cannot be saved when one is missing', () => {
    const lab = makeLab();
    lab.write([question(1), question(2)]);
    lab.state.questions.delete('Q-1');
    assert.throws(() => [...formatState(lab.state)], /Q-2 stands in the place of Q-1/);
  });
});
