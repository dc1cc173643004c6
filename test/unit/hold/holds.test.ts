import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { blocksOf, cascade, effectiveStatus, heldItems, openHolders } from '../../../src/core/hold/holds.ts';
import { heldWork } from '../../support/store/heldWork.ts';
import { gateReasons } from '../../../src/core/hold/gate.ts';
import { anyRecord } from '../../../src/core/records/records.ts';
import { isFinished, type State, recipientOf } from '../../../src/core/state/state.ts';
import { runs } from '../../support/runs.ts';
import { actsOnGraph, unsignedRecord } from '../../support/store/arbitraries.ts';
import { flow, makeLab, noon, question, update, work } from '../../support/store/lab.ts';
import { heldFacts, lost, naiveHolds, widened } from '../../support/store/model.ts';
import { take } from '../../support/store/taking.ts';

function pairs(held: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  return new Set([...held].flatMap(([id, holders]) => [...holders].map((holder) => `${id} ${holder}`)));
}

/** From the holders on: items that are not finished. */
function spread(state: State): Set<string> {
  return new Set(openHolders(state).flatMap((holder) => cascade(state, holder).open.map((id) => `${id} ${holder.id}`)));
}

const itemIn = (pair: string) => pair.split(' ')[0] ?? '';

function unfinished({ work: items }: State, held: ReadonlySet<string>): Set<string> {
  return new Set([...held].filter((pair) => !isFinished(items.get(itemIn(pair))!)));
}

describe('holds', () => {
  it('are the same in the model, the incremental state and the graph walk after each action', () => {
    let compared = 0;
    let heldSome = 0;
    fc.assert(
      fc.property(actsOnGraph(25), (acts) => {
        const lab = makeLab();
        for (const acting of acts) {
          take(lab, acting);
          const expected = naiveHolds(lab.state);
          assert.deepEqual(spread(lab.state), unfinished(lab.state, expected), 'spread');
          assert.deepEqual(heldItems(lab.state), new Set([...expected].map(itemIn)), 'items');
          assert.deepEqual(pairs(heldWork(lab.state)), expected, 'climbed');
          compared++;
          if (expected.size > 0) heldSome++;
        }
      }),
      { numRuns: runs(120) },
    );
    assert.ok(heldSome > compared / 5, `only ${String(heldSome)} of ${String(compared)} states held anything`);
  }).timeout(60_000);

  it('are tested with every kind of record', () => {
    const written = fc.sample(unsignedRecord, 20_000).map((record) => (record as { kind?: unknown } | null)?.kind);
    assert.deepEqual(
      anyRecord.kinds.filter((kind) => !written.includes(kind)),
      [],
    );
  });

  it('never shrink without a human’s key, and a decision lifts only its own holds', () => {
    let released = 0;
    let wide = 0;
    let refused = 0;
    fc.assert(
      fc.property(actsOnGraph(50), (acts) => {
        const lab = makeLab();
        for (const acting of acts) {
          const before = heldFacts(lab.state);
          const { admitted } = take(lab, acting);
          const after = heldFacts(lab.state);
          const gone = lost(before, after);
          if ('records' in acting) {
            assert.deepEqual(gone, []);
            assert.deepEqual(widened(after), widened(before), 'holds on all files are unchanged');
          } else {
            const own =
              'rules' in acting
                ? `RFC-${String(acting.on)}`
                : 'widens' in acting
                  ? acting.widens
                  : `Q-${String('answers' in acting ? acting.answers : 'lifts' in acting ? acting.lifts : acting.decides)}`;
            wide += widened(after).length;
            refused += [...after].filter((fact) => fact.startsWith('refused ')).length;
            assert.ok(
              // An answer to an RFC’s question for a human is also an answer to that question.
              gone.every((fact) => fact.endsWith(` ${own}`) || fact.startsWith('asks ')),
              gone.join('; '),
            );
            assert.ok(gone.length === 0 || admitted.filter(({ signed }) => signed).length === 1);
            if (gone.length > 0) released++;
          }
        }
      }),
      { numRuns: runs(600) },
    );
    assert.ok(released > runs(100), `only ${String(released)} decisions released anything`);
    assert.ok(refused > runs(100), `only ${String(refused)} actions were refused`);
    assert.ok(wide > runs(100), `only ${String(wide)} states had a hold on all files`);
  }).timeout(90_000);

  it('of one person’s agent never become smaller by what another person’s agent does, nor do its questions and designs change', () => {
    const whole = <T>(value: T): T =>
      JSON.parse(
        JSON.stringify(value).replaceAll('copilot-001', 'Ada/copilot-001').replaceAll('claude-002', 'Grace/claude-002'),
      ) as T;
    const agent = 'Ada/copilot-001';
    let held = 0;
    fc.assert(
      fc.property(actsOnGraph(50), (acts) => {
        const lab = makeLab();
        Object.assign(lab.state, { shared: { name: 'team', roots: [], at: noon } });
        const reasons = () =>
          gateReasons(lab.state, { worktree: '.', ignoreCase: false, session: { agent } }).map(
            ({ holder }) => holder?.id ?? '',
          );
        const owned = () => [
          ...[...lab.state.questions.values()]
            .filter(({ asker }) => asker.id === agent)
            .map((one) => [one.id, one.resolution, one.parked, one.askBacks, recipientOf(lab.state, one)]),
          ...[...lab.state.rfcs.values()]
            .filter(({ asker, keeper }) => asker.id === agent && keeper !== 'Grace/claude-002')
            .map(({ id, status, revisions }) => [id, status, revisions]),
        ];
        for (const acting of acts.map((one) => ('records' in one ? { ...whole(one), time: one.time } : one))) {
          // Neither the server nor a signature lets an agent act as these.
          if (
            'records' in acting &&
            (acting.actor.kind === 'human' || (acting.actor.kind !== 'agent' && acting.actor.id.includes('/')))
          )
            continue;
          const before = { reasons: reasons(), owned: owned() };
          take(lab, acting);
          if (!('records' in acting) || acting.actor.id === agent) continue;
          const after = reasons();
          held += before.reasons.length;
          assert.deepEqual(
            before.reasons.filter((id) => !after.includes(id)),
            [],
          );
          assert.deepEqual(owned(), before.owned);
        }
      }),
      { numRuns: runs(200) },
    );
    assert.ok(held > 100, `only ${String(held)} reasons`);
  });

  it('leave no trace when a line is undone', () => {
    fc.assert(
      fc.property(actsOnGraph(15), (acts) => {
        const lab = makeLab();
        for (const acting of acts.slice(0, -1)) take(lab, acting);
        const before = structuredClone(lab.state);
        for (const acting of acts.slice(-1)) take(lab, acting).undo();
        assert.deepEqual(lab.state, before);
      }),
      { numRuns: runs(300) },
    );
  });

  /** @param held held items with their holders, such as `T1 Q-1` */
  function check(name: string, records: readonly object[], held: readonly string[]): void {
    it(name, () => {
      const lab = makeLab();
      const { refused } = lab.write(records);
      assert.deepEqual(refused, []);
      assert.deepEqual([...pairs(heldWork(lab.state))].sort(), [...held].sort());
      assert.deepEqual(spread(lab.state), unfinished(lab.state, new Set(held)));
    });
  }

  const chain = [
    flow('W1'),
    work('T1', { workflow: 'W1' }),
    work('T2', { workflow: 'W1', dependsOn: ['T1'] }),
    work('T3'),
  ];
  check('cover a task and its dependants', [...chain, question(1, { work: 'T1' })], ['T1 Q-1', 'T2 Q-1']);
  check(
    'cover the whole workflow for a critical question',
    [...chain, question(1, { work: 'T2', urgency: 'critical' })],
    ['W1 Q-1', 'T1 Q-1', 'T2 Q-1'],
  );
  check('cover the tasks of a workflow', [...chain, question(1, { work: 'W1' })], ['W1 Q-1', 'T1 Q-1', 'T2 Q-1']);
  check('do not exist for an async question', [...chain, question(1, { work: 'T1', mode: 'async' })], []);
  check(
    'count twice for two questions on one task',
    [...chain, question(1, { work: 'T3' }), question(2, { work: 'T3' })],
    ['T3 Q-1', 'T3 Q-2'],
  );
  check(
    'begin when an async question is asked again as sync',
    [...chain, question(1, { work: 'T3', mode: 'async' }), { kind: 'question.widened', v: 1, id: 'Q-1', mode: 'sync' }],
    ['T3 Q-1'],
  );
  check(
    'remain when a question expires',
    [...chain, question(1, { work: 'T3' }), { kind: 'question.expired', v: 1, id: 'Q-1' }],
    ['T3 Q-1'],
  );
  check(
    'cover the workflow after escalation',
    [...chain, question(1, { work: 'T1' }), { kind: 'question.escalated', v: 1, id: 'Q-1' }],
    ['W1 Q-1', 'T1 Q-1', 'T2 Q-1'],
  );
  check(
    'cover a task that joins a held workflow',
    [...chain, question(1, { work: 'W1' }), update('T3', { workflow: 'W1' })],
    ['W1 Q-1', 'T1 Q-1', 'T2 Q-1', 'T3 Q-1'],
  );

  const finished = [...chain, work('T4', { dependsOn: ['T2'] }), update('T2', { status: 'done' })];
  check(
    'of a finished dependency do not reach what depended on it',
    [...finished, question(1, { work: 'T2' })],
    ['T2 Q-1'],
  );
  check(
    'of the workflow of a finished dependency do not reach what depended on it',
    [...finished, question(1, { work: 'T1', urgency: 'critical' })],
    ['W1 Q-1', 'T1 Q-1', 'T2 Q-1'],
  );
  check(
    'of a finished workflow still reach its tasks',
    [...chain, update('W1', { status: 'done' }), question(1, { work: 'W1' })],
    ['W1 Q-1', 'T1 Q-1', 'T2 Q-1'],
  );
  check(
    'of a cancelled or failed dependency reach what depends on it',
    [
      ...[work('T1'), work('T2'), work('T3', { dependsOn: ['T1', 'T2'] })],
      ...[update('T1', { status: 'cancelled' }), update('T2', { status: 'failed' })],
      ...[question(1, { work: 'T1' }), question(2, { work: 'T2' })],
    ],
    ['T1 Q-1', 'T2 Q-2', 'T3 Q-1', 'T3 Q-2'],
  );
  check(
    'reach what depends on a finished item again once it is reopened',
    [...finished, question(1, { work: 'T2' }), update('T2', { status: 'todo' })],
    ['T2 Q-1', 'T4 Q-1'],
  );

  it('of a human’s stop reach what depended on the item, although its agent marked it done before the answer', () => {
    const lab = makeLab();
    const records = [work('D'), work('T', { dependsOn: ['D'] }), question(1, { work: 'D', mode: 'async' })];
    const { refused } = lab.write([...records, update('D', { status: 'done' })]);
    const stop: Unsigned = {
      kind: 'question.answered',
      v: 1,
      id: 'Q-1',
      answer: { text: 'No.', choices: [], effect: 'stop' },
    };
    const answered = lab.write([lab.signed(stop)], { kind: 'human', id: lab.human.name });
    assert.deepEqual([...refused, ...answered.refused], []);
    assert.deepEqual([...pairs(heldWork(lab.state))].sort(), ['D Q-1', 'T Q-1']);
    assert.deepEqual([...spread(lab.state)], ['T Q-1']);
    const later = work('L', { dependsOn: ['D'], status: 'in_progress' });
    const isRefused = lab.write([update('T', { status: 'in_progress' }), later]).refused.map(({ reason }) => reason);
    assert.deepEqual(isRefused, ['held', 'held']);
  });

  it('cannot be shrunk by an agent that marks held work, or a dependency of another agent, as finished', () => {
    for (const status of ['done', 'cancelled'])
      for (const target of ['W1', 'T1', 'T2']) {
        const lab = makeLab();
        lab.write([flow('W1'), work('T1', { workflow: 'W1', assignee: 'other-001' }), question(1, { work: 'W1' })]);
        lab.write([work('T2', { dependsOn: ['T1'] }), work('T3', { dependsOn: ['T2'] })]);
        const before = pairs(heldWork(lab.state));
        const { refused } = lab.write([update(target, { status })]);
        assert.deepEqual(
          refused.map(({ reason }) => reason),
          ['held'],
        );
        // Neither do the detours: a failed or parked item is as little finished, and cannot become so.
        lab.write([update(target, { status: 'failed' }), update(target, { status: 'todo' })]);
        assert.equal(lab.write([update(target, { status })]).refused.length, 1);
        assert.deepEqual(pairs(heldWork(lab.state)), before);
      }
  });

  it('restore the previous status when they end', () => {
    const lab = makeLab();
    lab.write([work('T1', { status: 'in_progress' }), question(1, { work: 'T1' })]);
    const item = lab.state.work.get('T1')!;
    assert.equal(effectiveStatus(item, blocksOf(lab.state, 'T1')), 'blocked_pending_human_input');
    lab.write([lab.signed({ kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' })]);
    assert.equal(effectiveStatus(lab.state.work.get('T1')!, blocksOf(lab.state, 'T1')), 'in_progress');
  });

  it('can be computed for one question', () => {
    const lab = makeLab();
    lab.write([...chain, question(1, { work: 'T1' }), question(2)]);
    const reach = (id: string) => cascade(lab.state, lab.state.questions.get(id)!);
    assert.deepEqual(reach('Q-1'), { direct: ['T1'], dependants: ['T2'], open: ['T1', 'T2'] });
    assert.deepEqual(reach('Q-2'), { direct: [], dependants: [], open: [] });
  });
});
