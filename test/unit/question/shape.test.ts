/** Which open questions have the same shape, and what differs in them. */
import { undecidedQuestions } from '../../../src/core/state/state.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sameShapes, templateOf } from '../../../src/core/question/shape.ts';
import { makeLab, question } from '../../support/store/lab.ts';

const choices = [{ label: 'Yes' }, { label: 'No' }];

function labOf(texts: readonly (string | object)[]) {
  const lab = makeLab();
  texts.forEach((one, index) => {
    const more = typeof one === 'string' ? { text: one } : one;
    const actor = { kind: 'agent', id: `bot-${String(index + 1)}`, worktree: '.' } as const;
    const { refused } = lab.write([question(index + 1, { type: 'decision', choices, ...more })], actor);
    assert.deepEqual(refused, []);
  });
  return lab;
}

function groups(...texts: readonly (string | object)[]) {
  const { state } = labOf(texts);
  return sameShapes(state, undecidedQuestions(state)).map((group) => ({
    template: templateOf(group),
    ids: group.questions.map(({ id }) => id).join(' '),
    differs: group.questions.map(({ id }) =>
      (group.parts.get(id) ?? []).filter((part) => part.differs).map(({ text }) => text),
    ),
  }));
}

describe('questions of the same shape', () => {
  it('differ in one name, no matter which agent asks', () => {
    assert.deepEqual(groups('Add dependency zod?', 'Which way?', 'Add dependency left-pad?', 'Add dependency vite?'), [
      { template: 'Add dependency …?', ids: 'Q-1 Q-3 Q-4', differs: [['zod'], ['left-pad'], ['vite']] },
    ]);
  });

  it('differ in versions, paths and quoted names at several places', () => {
    assert.deepEqual(
      groups(
        'May I raise `lodash` from 4.17.20 to 4.17.21 in apps/web/package.json?',
        'May I raise `vite` from 5.0.0 to 5.1.0 in apps/web/package.json?',
      ),
      [
        {
          template: 'May I raise `…` from … to … in apps/web/package.json?',
          ids: 'Q-1 Q-2',
          differs: [
            ['lodash', '4.17.20', '4.17.21'],
            ['vite', '5.0.0', '5.1.0'],
          ],
        },
      ],
    );
  });

  it('may differ in two words at one place, also in their number', () => {
    assert.deepEqual(groups('May I use the port of the old server?', 'May I use the port of the mail server?'), [
      { template: 'May I use the port of the … server?', ids: 'Q-1 Q-2', differs: [['old'], ['mail']] },
    ]);
    assert.equal(groups('Add the package zod for now?', 'Add the package zod mini for now?').length, 1);
  });

  it('share at least half of their words, and the first, and none turns the sentence into its opposite', () => {
    assert.deepEqual(groups('Use zod mini?', 'Use left pad?'), []);
    assert.deepEqual(groups('Keep the old table?', 'Drop the old table?'), []);
    assert.deepEqual(groups('Shall I really drop the table?', 'Shall I not drop the table?'), []);
    assert.deepEqual(groups('You do want the change?', 'You don’t want the change?'), []);
    assert.deepEqual(groups('Add zod to the server?', 'Add zod to the client and deploy?'), []);
  });

  it('have the same type, urgency, mode and choices', () => {
    const text = (number: number) => `Add dependency p${String(number)}?`;
    const first = { text: text(1) };
    for (const more of [
      { type: 'clarification' },
      { urgency: 'high' },
      { mode: 'async' },
      { choices: [choices[1], choices[0]] },
      { choices: [{ label: 'Yes', description: 'And publish it' }, choices[1]] },
      { multiple: true },
      { freeText: false },
    ])
      assert.deepEqual(groups(first, { text: text(2), ...more }), [], JSON.stringify(more));
    assert.equal(groups(first, { text: text(2) }).length, 1);
  });

  it('are never critical ones, nor those with more than a list can show, nor decided ones', () => {
    const text = (number: number) => `Add dependency p${String(number)}?`;
    for (const more of [
      { urgency: 'critical' },
      { choices: [] },
      { context: 'a\nb' },
      { mode: 'async', assumption: 'Yes' },
      { alternatives: ['None'] },
      { text: 'Add dependency p1?\n\nAnd publish it?' },
      { text: 'Add dependency p\u202E1?' },
      { text: `Add dependency p1 ${'or more '.repeat(60)}?` },
    ])
      assert.deepEqual(groups({ text: text(1), ...more }, { text: text(2), ...more }), [], JSON.stringify(more));
    const lab = labOf([text(1), text(2)]);
    lab.write([lab.signed({ kind: 'question.released', v: 1, id: 'Q-1', note: 'No.' })], { kind: 'human', id: 'Ada' });
    assert.deepEqual(sameShapes(lab.state, undecidedQuestions(lab.state)), []);
  });

  it('are in the largest group that they fit', () => {
    assert.deepEqual(
      groups(
        'Add library zod to the web app?',
        'Add library zod to the api app?',
        'Add library vite to the api app?',
        'Add library yargs to the api app?',
      ).map(({ ids }) => ids),
      ['Q-2 Q-3 Q-4'],
    );
  });

  it('property: groups are disjoint, and the parts of a text are the whole text', () => {
    const word = fc.constantFrom(
      'Add',
      'the',
      'package',
      'zod',
      'vite',
      '1.2.3',
      'src/a.ts',
      'not',
      'to',
      '`x`',
      'it?',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 7 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 2, maxLength: 12 }), (texts) => {
        const { state } = labOf(texts);
        const found = sameShapes(state, undecidedQuestions(state));
        const ids = found.flatMap(({ questions }) => questions.map(({ id }) => id));
        assert.equal(new Set(ids).size, ids.length);
        for (const { questions, parts } of found) {
          assert.ok(questions.length > 1);
          const rest = new Set<string>();
          for (const { id, raised } of questions) {
            const own = parts.get(id) ?? [];
            assert.equal(own.map((part) => part.text).join(''), raised.text);
            rest.add(JSON.stringify(own.filter(({ differs }) => !differs).map((part) => part.text)));
          }
          assert.equal(rest.size, 1, [...rest].join(' | '));
        }
      }),
    );
  });
});
