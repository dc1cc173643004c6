/** Answers signed together, as the fold takes them: all that the list names, in one line, or none. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shownHash, type Unsigned } from '../../../src/app/decision/decisions.ts';
import { anyRecord, type JournalRecord } from '../../../src/core/records/records.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, question, type Lab } from '../../support/store/lab.ts';

const human = { kind: 'human', id: 'Ada' } as const;
const choices = [{ label: 'Yes' }, { label: 'No' }];
const all = ['Q-1', 'Q-2', 'Q-3', 'Q-4'];
type Answered = Extract<JournalRecord, { kind: 'question.answered' }>;

/** Four open questions, all but the last of which the human answers in one act. */
function scene(more: object = {}) {
  const lab = makeLab();
  const asked = all.map((_, index) => question(index + 1, { choices, type: 'decision', ...more }));
  assert.deepEqual(lab.write(asked).refused, []);
  return { lab, records: signedTogether(lab, ['Q-1', 'Q-2', 'Q-3']) };
}

function signedTogether(lab: Lab, ids: readonly string[], changes: object = {}): Answered[] {
  const together = ids.map((id) => ({ id, shown: shownHash(lab.state, lab.state.questions.get(id)!) }));
  return ids.map((id) => {
    const record: Unsigned = {
      ...{ kind: 'question.answered', v: 1, id, together },
      answer: { choices: ['Yes'] },
      ...changes,
    };
    return anyRecord.safeParse(lab.signed(record)).data as Answered;
  });
}

const decided = ({ state }: Lab) => all.filter((id) => state.questions.get(id)?.resolution !== null);

describe('answers signed together', () => {
  it('answer each question of the list, and name the others', () => {
    const { lab, records } = scene();
    assert.deepEqual(lab.write(records, human).refused, []);
    assert.deepEqual(decided(lab), ['Q-1', 'Q-2', 'Q-3']);
    const { answer, with: others, by } = lab.state.questions.get('Q-2')!.resolution!;
    assert.deepEqual([answer, others, by], [{ choices: ['Yes'] }, ['Q-1', 'Q-3'], 'Ada']);
  });

  const forged: Readonly<Record<string, (records: readonly Answered[], lab: Lab) => readonly unknown[]>> = {
    'with one left out': ([one, , three]) => [one, three],
    'with only one of them': ([one]) => [one],
    'in another order': (records) => records.toReversed(),
    'with one of them twice': (records) => [...records, records[0]],
    'with another one in the place of one': (records) => records.with(2, records[0]!),
    'with another question added to the list': (records, lab) =>
      [...records, ...signedTogether(lab, ['Q-4', 'Q-3']).slice(0, 1)].map((one) => ({
        ...one,
        together: [
          ...records[0]!.together!,
          { id: 'Q-4', shown: shownHash(lab.state, lab.state.questions.get('Q-4')!) },
        ],
      })),
    'with an answer by itself beside them': (records, lab) => [
      ...records,
      lab.signed({
        kind: 'question.answered',
        v: 1,
        id: 'Q-4',
        answer: { choices: ['Yes'] },
        together: records[0]!.together,
      }),
    ],
    'with a question removed from the list': (records) =>
      records.slice(0, 2).map((one) => ({ ...one, together: one.together!.slice(0, 2) })),
    'without the list': (records) => records.map(({ together: _, ...one }) => one),
    'with another hash in the list': (records) =>
      records.map((one) => ({ ...one, together: one.together!.map((each) => ({ ...each, shown: hashOf(1) })) })),
    'with a question twice in the list': (_, lab) => signedTogether(lab, ['Q-1', 'Q-1', 'Q-2']),
    'with lists that do not name their own question': (records, lab) =>
      signedTogether(lab, ['Q-1', 'Q-2'], { together: records[0]!.together!.slice(1) }),
    'with other answers': (_, lab) => [
      ...signedTogether(lab, ['Q-1', 'Q-2']).slice(0, 1),
      ...signedTogether(lab, ['Q-1', 'Q-2'], { answer: { choices: ['No'], effect: 'do_not' } }).slice(1),
    ],
    'in two lines': (records, lab) => {
      const [first, ...rest] = records;
      lab.write([first], human);
      return rest;
    },
  };
  for (const [how, forge] of Object.entries(forged))
    it(`have no effect ${how}`, () => {
      const { lab, records } = scene();
      const { admitted, refused } = lab.write(forge(records, lab), human);
      assert.deepEqual([admitted, decided(lab)], [[], []]);
      assert.ok(refused.length > 0 && refused.every(({ reason }) => reason === 'forgery'));
    });

  it('have no effect again, nor after one of the questions has changed', () => {
    const { lab, records } = scene();
    lab.write(records, human);
    assert.equal(lab.write(records, human).refused.length, 3);
    const other = scene();
    const signed = () => signedTogether(other.lab, ['Q-1', 'Q-2', 'Q-3']);
    const before = signed();
    other.lab.write([{ kind: 'question.widened', v: 1, id: 'Q-2', addHolds: ['src/more'] }]);
    const moved = signed().map((one, index) => ({ ...one, together: before[index]!.together }));
    assert.equal(other.lab.write(moved, human).admitted.length, 0);
    assert.deepEqual(decided(other.lab), []);
  });

  it('are refused for critical questions', () => {
    const critical = scene({ urgency: 'critical' });
    assert.match(critical.lab.write(critical.records, human).refused[0]?.why ?? '', /is decided by itself/);
    assert.deepEqual(decided(critical.lab), []);
  });

  it('property: whatever is done to the records, only what each signed list names is answered', () => {
    const { lab: sample, records } = scene();
    const foreign = [...records, question(1), { kind: 'question.answered' }, null, 'x'].map((one) => one as unknown);
    assert.ok(sample.lines.length > 0);
    const change = fc.oneof(
      fc.record({ do: fc.constant('drop' as const), at: fc.nat(6) }),
      fc.record({ do: fc.constant('swap' as const), at: fc.nat(6), to: fc.nat(6) }),
      fc.record({ do: fc.constant('insert' as const), at: fc.nat(6), what: fc.nat(foreign.length - 1) }),
      fc.record({ do: fc.constant('edit' as const), at: fc.nat(6), id: fc.constantFrom(...all) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        const { lab, records: own } = scene();
        const line: unknown[] = [...own];
        for (const one of changes) {
          if (one.do === 'drop') line.splice(one.at, 1);
          else if (one.do === 'insert') line.splice(one.at, 0, [...own, ...foreign.slice(3)][one.what]);
          else if (one.do === 'edit') line[one.at % (line.length || 1)] = { ...own[0], id: one.id };
          else line.splice(one.to, 0, ...line.splice(one.at, 1));
        }
        lab.write(line, human);
        const ids = decided(lab);
        assert.ok(!ids.includes('Q-4'));
        // One whose content was edited has no effect; the others of its act were signed as they are.
        const isEdited = changes.some((one) => one.do === 'edit');
        assert.ok(isEdited || ids.length === 0 || ids.length === 3, ids.join());
      }),
      { numRuns: 60 },
    );
  });
});
