import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shownDeletionHash, type Unsigned } from '../../../src/app/decision/decisions.ts';
import { gateReasons } from '../../../src/core/hold/gate.ts';
import { blocksOf } from '../../../src/core/hold/holds.ts';
import { deletionOf } from '../../../src/core/work/fold.ts';
import { runs } from '../../support/runs.ts';
import { actsOnGraph, workIds } from '../../support/store/arbitraries.ts';
import { flow, makeLab, question, update, work, type Lab, type Signing } from '../../support/store/lab.ts';
import { heldFacts, lost } from '../../support/store/model.ts';
import { makeHuman } from '../../support/store/people.ts';
import { take } from '../../support/store/taking.ts';

function seen(lab: Lab, id: string): string {
  const deletion = deletionOf(lab.state, id);
  assert.ok(deletion, id);
  return shownDeletionHash(deletion);
}

/** What a human's deletion came to: why it was refused, or null. */
function remove(lab: Lab, id: string, changes: Partial<Signing> = {}): string | null {
  const record = { kind: 'work.deleted', v: 1, id } as const;
  const signed = lab.signed(record, { shown: changes.shown ?? seen(lab, id), ...changes });
  return lab.write([signed], { kind: 'human', id: lab.human.name }).refused[0]?.why ?? null;
}

const statusOf = ({ state }: Lab, id: string) => state.work.get(id)?.status;
const blockedBy = ({ state }: Lab, id: string) => blocksOf(state, id).map(({ holder }) => holder.id);

describe('the deletion of work by a human', () => {
  it('ends what others waited for with it; its question stays open, with its files, and can be answered', () => {
    const lab = makeLab();
    lab.write([work('T1', { holds: ['src/a'] }), work('T2', { dependsOn: ['T1'] }), question(1, { work: 'T1' })]);
    assert.match(lab.write([update('T1', { status: 'deleted' })]).refused[0]?.why ?? '', /while Q-1 holds it/);
    assert.deepEqual(blockedBy(lab, 'T2'), ['Q-1']);
    assert.equal(remove(lab, 'T1'), null);
    assert.equal(statusOf(lab, 'T1'), 'deleted');
    assert.deepEqual(blockedBy(lab, 'T2'), []);
    assert.ok(lab.state.undecided.has('Q-1') && lab.state.holders.has('Q-1'));
    const write = { agent: 'claude-002', worktree: '.', files: ['src/a'], ignoreCase: false } as const;
    assert.notDeepEqual(gateReasons(lab.state, write), []);
    const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { choices: [], text: 'Yes' } };
    lab.write([lab.signed(answer)], { kind: 'human', id: lab.human.name });
    assert.equal(lab.state.questions.get('Q-1')?.status, 'answered');
    assert.deepEqual(gateReasons(lab.state, write), []);
  });

  it('takes everything in a workflow with it, and names it all in advance', () => {
    const lab = makeLab();
    lab.write([flow('W1'), flow('W2', { workflow: 'W1' }), work('T1', { workflow: 'W2' }), work('T2')]);
    lab.write([work('T3', { dependsOn: ['T1'] }), question(1, { work: 'T1' }), question(2, { work: 'T2' })]);
    const deletion = deletionOf(lab.state, 'W1');
    const ids = (list?: readonly { readonly id: string }[]) => list?.map(({ id }) => id);
    assert.deepEqual(ids(deletion?.parts), ['W2', 'T1']);
    assert.deepEqual(ids(deletion?.holders), ['Q-1']);
    assert.deepEqual(ids(deletion?.dependants), ['T3']);
    assert.equal(remove(lab, 'W1'), null);
    assert.deepEqual(
      ['W1', 'W2', 'T1', 'T2', 'T3'].map((id) => statusOf(lab, id)),
      [...['deleted', 'deleted', 'deleted', 'todo', 'todo']],
    );
    assert.equal(deletionOf(lab.state, 'W1'), null);
    assert.match(lab.write([work('T4', { workflow: 'W1' })]).refused[0]?.why ?? '', /is not registered/);
  });

  it('of stopped work leaves the stop: what depended on it goes on only once that is lifted', () => {
    const lab = makeLab();
    lab.write([work('T1'), work('T2', { dependsOn: ['T1'] }), question(1, { work: 'T1', type: 'approval' })]);
    const stop = { choices: [], text: 'No.', effect: 'stop' as const };
    const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: stop };
    lab.write([lab.signed(answer)], { kind: 'human', id: lab.human.name });
    assert.equal(remove(lab, 'T1'), null);
    assert.deepEqual(blockedBy(lab, 'T2'), ['Q-1']);
  });

  it('counts only as it was shown, with a key that counts, for what exists', () => {
    const lab = makeLab();
    lab.write([work('T1')]);
    const before = seen(lab, 'T1');
    lab.write([work('T2', { dependsOn: ['T1'] })]);
    assert.match(remove(lab, 'T1', { shown: before }) ?? '', /T1 has changed since it was shown/);
    assert.match(remove(lab, 'T1', { signer: makeHuman('Mallory') }) ?? '', /key/);
    assert.match(remove(lab, 'T9', { shown: before }) ?? '', /T9 is not registered/);
    assert.match(lab.write([{ kind: 'work.deleted', v: 1, id: 'T1' }]).refused[0]?.reason ?? '', /forgery/);
    assert.equal(statusOf(lab, 'T1'), 'todo');
  });

  it('waits for what several people must decide', () => {
    const lab = makeLab(makeHuman('ada'), [makeHuman('grace')]);
    const rules = [{ people: ['ada', 'grace'], count: 2 }];
    const policy: Unsigned = {
      ...{ kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire' },
      quorum: { rules },
    };
    lab.write([lab.signed(policy)]);
    lab.write([work('T1'), question(1, { work: 'T1' })]);
    assert.match(remove(lab, 'T1') ?? '', /Q-1 holds T1, and takes more/);
    assert.equal(statusOf(lab, 'T1'), 'todo');
  });

  it('releases no question, RFC or file, and only work that waited for what is gone', () => {
    let freed = 0;
    fc.assert(
      fc.property(actsOnGraph(30), fc.constantFrom(...workIds), (acts, id) => {
        const lab = makeLab();
        for (const acting of acts) take(lab, acting);
        const deletion = deletionOf(lab.state, id);
        if (deletion === null) return;
        const before = heldFacts(lab.state);
        const holders = [...lab.state.holders];
        assert.equal(remove(lab, id), null);
        const gone = lost(before, heldFacts(lab.state));
        for (const fact of gone) {
          const [what, , holder] = fact.split(' ');
          assert.equal(what, 'work', fact);
          assert.ok(
            deletion.holders.some((one) => one.id === holder),
            fact,
          );
        }
        assert.deepEqual([...lab.state.holders], holders);
        freed += gone.length;
      }),
      { numRuns: runs(150) },
    );
    assert.ok(freed > 10, String(freed));
  });
});
