/**
 * A human extends a hold to all files of the workspace, or limits it to the named files again: which records count and what they do.
 */
import assert from 'node:assert/strict';
import { shownHash, type Unsigned } from '../../../src/app/decision/decisions.ts';
import { shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { isAttempt } from '../../../src/core/fold/fold.ts';
import { waitingHolds } from '../../../src/core/memory/briefing.ts';
import { definitionOf } from '../../../src/core/decision/decisions.ts';
import { gate, type GateQuery } from '../../../src/core/hold/gate.ts';
import { fileScopes } from '../../../src/core/hold/holds.ts';
import { anyRecord } from '../../../src/core/records/records.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, question, setHeld, work, type Lab } from '../../support/store/lab.ts';
import { rule } from '../../support/store/rulings.ts';
import type { RfcRuling } from '../../support/store/arbitraries.ts';

const rfc = {
  kind: 'rfc.proposed',
  v: 1,
  id: 'RFC-1',
  document: { title: 'Tokens', sections: [{ key: 'summary', heading: 'Summary', text: 'Short.' }], questions: [] },
  tasks: ['T2'],
  holds: ['src/tokens'],
};

/** Q-1 holds `src/one` of T1, Q-2 is async, RFC-1 holds `src/tokens`. */
function scene(): Lab {
  const lab = makeLab();
  const records = [
    work('T1'),
    work('T2'),
    question(1, { work: 'T1', holds: ['src/one'] }),
    question(2, { mode: 'async', work: 'T2' }),
    rfc,
  ];
  for (const record of records) assert.deepEqual(lab.write([record]).refused, []);
  return lab;
}

function denies(lab: Lab, query: Partial<GateQuery> & { readonly files: readonly string[] }): string[] {
  const { reasons } = gate(lab.state, { worktree: '.', ignoreCase: false, ...query });
  return reasons.map(({ code, subject, holder }) => `${code} ${subject} ${holder?.id ?? ''}`);
}

const elsewhere = ['docs/readme.md'];
const widen: Unsigned = { kind: 'hold.widened', v: 1, id: 'Q-1' };
const narrow: Unsigned = { kind: 'hold.narrowed', v: 1, id: 'Q-1' };

describe('a hold on all files', () => {
  for (const id of ['Q-1', 'RFC-1'])
    describe(`by ${id}`, () => {
      const held = (lab: Lab) => (id === 'Q-1' ? lab.state.questions.get(id)! : lab.state.rfcs.get(id)!);
      const named = id === 'Q-1' ? ['src/one'] : ['src/tokens'];

      it('begins and ends with a signed record of a human', () => {
        const lab = scene();
        assert.deepEqual(denies(lab, { files: elsewhere }), []);
        assert.deepEqual(setHeld(lab, id, 'all').refused, []);
        assert.deepEqual(denies(lab, { files: elsewhere }), [`held_file docs/readme.md ${id}`]);
        assert.deepEqual(denies(lab, { files: ['.'] }).includes(`held_file . ${id}`), true);
        assert.deepEqual(fileScopes(lab.state, held(lab)), ['**']);
        assert.equal(held(lab).widened?.by, lab.human.name);
        assert.deepEqual(setHeld(lab, id, 'named').refused, []);
        assert.deepEqual(denies(lab, { files: elsewhere }), []);
        assert.deepEqual(denies(lab, { files: named }), [`held_file ${named[0]!} ${id}`]);
        assert.deepEqual(fileScopes(lab.state, held(lab)), named);
      });

      it('covers every worktree, also those outside the workspace folder', () => {
        const lab = scene();
        setHeld(lab, id, 'all');
        for (const worktree of ['.', 'wt/one', '../beside'])
          assert.deepEqual(denies(lab, { files: ['a.ts'], worktree }), [`held_file a.ts ${id}`], worktree);
        setHeld(lab, id, 'named');
        assert.deepEqual(denies(lab, { files: named, worktree: '../beside' }), []);
      });

      it('does not change what is held of work and sessions', () => {
        const lab = scene();
        const ask = () =>
          ['T1', 'T2'].map(
            (one) =>
              gate(lab.state, { work: one, worktree: '.', ignoreCase: false, session: { agent: 'other' } }).reasons
                .length,
          );
        const before = ask();
        setHeld(lab, id, 'all');
        assert.deepEqual(ask(), before);
      });

      it('appears in every briefing, whatever its focus', () => {
        const lab = scene();
        setHeld(lab, id, 'all');
        const { items } = waitingHolds(
          lab.state,
          { focus: elsewhere[0]!, worktree: '../beside', ignoreCase: false },
          5,
        );
        const listed = items.map((one) => [one.id, one.all_files_by, one.concerns_focus]);
        assert.deepEqual(listed[0], [id, lab.human.name, true]);
        assert.deepEqual(listed[1]?.slice(1), [null, false]);
      });
    });

  describe('ends with', () => {
    const endings: Record<string, Unsigned> = {
      'an answer to the question': {
        kind: 'question.answered',
        v: 1,
        id: 'Q-1',
        answer: { text: 'Yes.', choices: [] },
      },
      'a cancellation of the question': { kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'No.' },
      'a release of the question': { kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' },
    };
    for (const [name, record] of Object.entries(endings))
      it(name, () => {
        const lab = scene();
        setHeld(lab, 'Q-1', 'all');
        assert.deepEqual(lab.write([lab.signed(record)]).refused, []);
        assert.deepEqual(denies(lab, { files: elsewhere }), []);
        assert.equal(lab.state.questions.get('Q-1')?.widened, null);
      });
    for (const ruling of ['approve', 'reject', 'stop', 'withdraw'] satisfies RfcRuling[])
      it(`the ruling "${ruling}" on the RFC`, () => {
        const lab = scene();
        lab.write([{ kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 }]);
        setHeld(lab, 'RFC-1', 'all');
        assert.deepEqual(rule(lab, 'RFC-1', ruling).refused, []);
        assert.deepEqual(denies(lab, { files: elsewhere }), []);
        assert.equal(lab.state.rfcs.get('RFC-1')?.widened, null);
      });
  });

  describe('remains', () => {
    const acts: Record<string, readonly object[]> = {
      'when the question expires': [{ kind: 'question.expired', v: 1, id: 'Q-1' }],
      'when it becomes critical': [{ kind: 'question.escalated', v: 1, id: 'Q-1' }],
      'when an agent adds files': [{ kind: 'question.widened', v: 1, id: 'Q-1', addHolds: ['src/more'] }],
      'when the agent says that the work is done': [{ kind: 'work.updated', v: 1, id: 'T1', status: 'done' }],
    };
    for (const [name, records] of Object.entries(acts))
      it(name, () => {
        const lab = scene();
        setHeld(lab, 'Q-1', 'all');
        lab.write(records);
        assert.deepEqual(denies(lab, { files: elsewhere }), ['held_file docs/readme.md Q-1']);
      });

    it('when a human sends the RFC back and a revision is submitted', () => {
      const lab = scene();
      lab.write([{ kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 }]);
      setHeld(lab, 'RFC-1', 'all');
      assert.deepEqual(rule(lab, 'RFC-1', 'send back').refused, []);
      lab.write([
        { kind: 'rfc.revised', v: 1, id: 'RFC-1', revision: 2, document: { ...rfc.document, title: 'More' } },
      ]);
      lab.write([{ kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 2 }]);
      assert.equal(lab.state.rfcs.get('RFC-1')?.status, 'under_review');
      assert.deepEqual(denies(lab, { files: elsewhere }), ['held_file docs/readme.md RFC-1']);
    });
  });

  it('can be limited again when the question has expired', () => {
    const lab = scene();
    lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
    assert.deepEqual(setHeld(lab, 'Q-1', 'all').refused, []);
    assert.deepEqual(setHeld(lab, 'Q-1', 'named').refused, []);
    assert.deepEqual(denies(lab, { files: ['src/one'] }), ['held_file src/one Q-1']);
  });

  describe('is neither set nor lifted by', () => {
    interface Case {
      /** Records written before by a human. */
      readonly before?: (lab: Lab) => void;
      readonly records: (lab: Lab) => readonly unknown[];
      /** The expected reason, where the case has its own. */
      readonly why?: RegExp;
      readonly reason?: 'invalid';
    }
    const forged: Record<string, Case> = {
      'a signature over another displayed state': {
        records: (lab) => {
          const shown = shownHash(lab.state, lab.state.questions.get('Q-1')!);
          lab.write([{ kind: 'question.escalated', v: 1, id: 'Q-1' }]);
          return [lab.signed(widen, { shown })];
        },
        why: /^Q-1 has changed since it was shown$/,
      },
      'a human’s decision on a question that holds no work': {
        records: (lab) => [lab.signed({ ...widen, id: 'Q-2' })],
        why: /^Q-2 holds nothing$/,
        reason: 'invalid',
      },
      'a human’s decision on a closed question': {
        before: (lab) => lab.write([lab.signed({ kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'No.' })]),
        records: (lab) => [lab.signed(widen)],
        reason: 'invalid',
      },
      'a human’s decision on a closed RFC': {
        before: (lab) => rule(lab, 'RFC-1', 'withdraw'),
        records: (lab) => [lab.signed({ ...widen, id: 'RFC-1' })],
        reason: 'invalid',
      },
      'a human’s decision on an unknown ID': {
        records: (lab) => [lab.signed({ ...widen, id: 'Q-9' })],
        why: /^Q-9 holds nothing$/,
        reason: 'invalid',
      },
      'a widening of a hold that is already widened': {
        records: (lab) => [lab.signed(narrow)],
        why: /^Q-1 holds what was named only$/,
        reason: 'invalid',
      },
      'a narrowing of a hold that is not widened': {
        before: (lab) => setHeld(lab, 'Q-1', 'all'),
        records: (lab) => [lab.signed(widen)],
        why: /^Q-1 already holds every file$/,
        reason: 'invalid',
      },
    };
    for (const [name, { before, records, why = /./, reason = 'forgery' }] of Object.entries(forged))
      it(name, () => {
        const lab = scene();
        before?.(lab);
        const written = records(lab);
        assert.equal(written.length, 1);
        const held = denies(lab, { files: elsewhere });
        const { admitted, refused } = lab.write(written, { kind: 'human', id: 'Ada' });
        assert.deepEqual(admitted, []);
        assert.deepEqual(
          refused.map((one) => [one.reason, isAttempt(one)]),
          [[reason, true]],
        );
        assert.match(refused[0]?.why ?? '', why);
        assert.deepEqual(denies(lab, { files: elsewhere }), held);
      });

    it('an agent’s globs', () => {
      const lab = scene();
      for (const glob of ['**', '*', '.', './', '**/*', '?*', '*/**']) {
        const { refused } = lab.write([{ kind: 'question.widened', v: 1, id: 'Q-1', addHolds: [glob] }]);
        assert.match(refused[0]?.why ?? '', /only a human can hold everything, in Holdpoint’s form/i, glob);
      }
      assert.deepEqual(denies(lab, { files: elsewhere }), []);
    });
  });

  it('is part of what a signature covers, with its author, its time and the named files', () => {
    const lab = scene();
    const hash = () =>
      hashOf(definitionOf({ kind: 'hold.widened' }).shown(lab.state, { kind: 'hold.widened', v: 1, id: 'Q-1' }));
    const rfcHash = () => shownRfcHash(lab.state, lab.state.rfcs.get('RFC-1')!);
    const [before, rfcBefore] = [hash(), rfcHash()];
    setHeld(lab, 'Q-1', 'all');
    setHeld(lab, 'RFC-1', 'all');
    const wide = hash();
    assert.notEqual(wide, before);
    assert.notEqual(rfcHash(), rfcBefore);
    lab.write([{ kind: 'question.widened', v: 1, id: 'Q-1', addHolds: ['src/more'] }]);
    assert.notEqual(hash(), wide);
    setHeld(lab, 'RFC-1', 'named');
    assert.equal(rfcHash(), rfcBefore, 'hashes of holds that were not widened are as before');
    assert.equal(
      definitionOf({ kind: 'hold.widened' }).shown(lab.state, { kind: 'hold.widened', v: 1, id: 'Q-9' }),
      null,
    );
  });

  it('leaves no trace when its line is undone', () => {
    const lab = scene();
    const before = structuredClone(lab.state);
    setHeld(lab, 'Q-1', 'all').undo();
    assert.deepEqual(lab.state, before);
  });

  it('is set by signed records only', () => {
    for (const kind of ['hold.widened', 'hold.narrowed']) {
      assert.equal(anyRecord.isSigned(kind), true);
      assert.equal(anyRecord.safeParse({ kind, v: 1, id: 'Q-1' }).success, false);
    }
  });
});
