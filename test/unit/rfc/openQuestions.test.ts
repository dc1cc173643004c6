/** Open questions as authors write them: what becomes a choice, and what stays text. */
import assert from 'node:assert/strict';
import { sameTextKey } from '../../../src/core/kit/text.ts';
import { parseQuestions, writtenQuestions } from '../../../src/core/rfc/lists.ts';

const read = (text: string, ...known: string[]) => writtenQuestions(text, new Set(known.map(sameTextKey)));

describe('open questions in the text of an RFC', () => {
  const store = 'Which store?';

  it('a list under a question becomes its choices, with the text after their names', () => {
    const text = `- [ ] Which store?
  - **SQLite**: no server
  - PostgreSQL — many writers (recommended)
  - \`files\``;
    const { rest, byText } = read(text, store);
    assert.equal(rest, '');
    assert.deepEqual(byText.get(sameTextKey(store)), {
      choices: [
        { label: 'SQLite', description: 'no server' },
        { label: 'PostgreSQL', description: 'many writers', recommended: true },
        { label: 'files' },
      ],
      more: '',
      all: '- **SQLite**: no server\n- PostgreSQL — many writers (recommended)\n- `files`',
    });
  });

  it('text around the questions stays, and other text under a question belongs to it', () => {
    const text = `We talked about two.

- [ ] Which store?

  It has to survive a crash.

  \`\`\`sql
  select 1;
  \`\`\`
- [x] Who runs it? **RESOLVED:** us
- a remark

The end.`;
    const { rest, byText } = read(text, store, 'Who runs it?');
    assert.equal(rest, 'We talked about two.\n\n- a remark\n\nThe end.');
    assert.equal(byText.get(sameTextKey(store))?.more, 'It has to survive a crash.\n\n```sql\nselect 1;\n```');
  });

  it('a question that the RFC does not list stays in the text', () => {
    const text = '- [ ] Which store?\n- [ ] Another one?';
    assert.equal(read(text, store).rest, '- [ ] Another one?');
    assert.equal(read(text).rest, text);
  });

  it('the mark of a question for a human is not part of its text', () => {
    assert.ok(read('- [ ] **HUMAN REQUIRED**: Which store?', store).byText.has(sameTextKey(store)));
  });

  it('where no point has a box, every point of a list is a question', () => {
    const text = `Before we build this:

1. Which store?
   - SQLite
   - PostgreSQL
2. Who runs it, and
   from when?
3. ~~Who pays?~~ Finance.

Ask in #storage.`;
    assert.deepEqual(parseQuestions(text), [
      { text: store, answered: false, choices: [{ label: 'SQLite' }, { label: 'PostgreSQL' }] },
      { text: 'Who runs it, and from when?', answered: false },
      { text: 'Who pays?', answered: true, answer: 'Finance.' },
    ]);
    const { rest, byText } = read(text, store, 'Who runs it, and from when?', 'Who pays?');
    assert.equal(rest, 'Before we build this:\n\nAsk in #storage.');
    assert.equal(byText.size, 3);
    assert.deepEqual(parseQuestions('- None.\n'), []);
    assert.equal(parseQuestions('- [ ] Which store?\n- a remark').length, 1);
  });

  const noChoices: [string, string][] = [
    ['one point', '  - SQLite'],
    ['the same twice', '  - SQLite\n  - SQLite'],
    ['a point that is itself a question', '  - [ ] SQLite?\n  - PostgreSQL'],
    ['a point with a nested list', '  - SQLite\n    - fast\n  - PostgreSQL'],
    ['more points than a form can show', Array.from({ length: 21 }, (_, number) => `  - number ${number}`).join('\n')],
    ['a name that is too long', `  - ${'x'.repeat(201)}\n  - y`],
  ];
  for (const [name, list] of noChoices)
    it(`${name} is text, not a choice`, () => {
      const written = read(`- [ ] Which store?\n${list}`, store).byText.get(sameTextKey(store))!;
      assert.deepEqual(written.choices, []);
      assert.notEqual(written.more, '');
    });

  it('lists that nest too deeply stay unchanged', () => {
    const text = `${'- '.repeat(60)}[ ] Which store?`;
    assert.equal(read(text, store).rest, text);
  });
});
