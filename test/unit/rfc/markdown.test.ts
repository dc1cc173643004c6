import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parseRfc, parseSection, readRfc, RfcMarkdownError } from '../../../src/core/rfc/markdown.ts';
import { rfcDocument } from '../../../src/core/records/rfc.ts';
import { sameTextKey } from '../../../src/core/kit/text.ts';
import { changedDocument, emptyDocument } from '../../../src/core/rfc/document.ts';
import { parseQuestions, writtenQuestions } from '../../../src/core/rfc/lists.ts';

describe('import of Markdown', () => {
  const folder = path.join(import.meta.dirname, '..', '..', 'fixtures', 'rfcs');

  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  const documents = readdirSync(folder).filter((name) => name.endsWith('.md'));

  it('is tested on documents of many kinds', () => {
    assert.ok(documents.length >= 12);
  });

  for (const name of documents)
    it(name, () => {
      const found = parseRfc(read(name));
      assert.deepEqual(found, JSON.parse(read(name.replace(/md$/, 'json'))));
      rfcDocument.parse({ title: 'None', ...found });
    });

  it('loses no words', () => {
    for (const name of documents) {
      const { title, sections = [] } = parseRfc(read(name));
      const kept = [title ?? '', ...sections.flatMap(({ heading, text }) => [heading, text])].join(' ');
      const body = read(name);
      for (const word of new Set(body.match(/[\p{L}\p{N}]{2,}/gu))) assert.ok(kept.includes(word), `${name}: ${word}`);
    }
  });

  for (const [name, text] of [
    ['nothing', ''],
    ['white space', ' \n\t\n'],
    ['front matter without a title', '---\nstatus: draft\n---\n'],
  ] as const)
    it(`refuses ${name}`, () => {
      assert.throws(() => parseRfc(text), RfcMarkdownError);
    });

  describe('between lines of dashes at the top', () => {
    const rest = '# Tokens\n\n## Summary\n\nShort.\n';
    for (const [what, top, where] of [
      ['fields of YAML', '---\ntitle: Old\nstatus: "x: y" # by Ada\n---\n', 'Front matter'],
      ['fields of TOML', '+++\ntitle = "Old"\n+++\n', 'Front matter'],
      ['fields with a block of code', '---\nrun: |\n  ```\n  x\n  ```\n---\n', 'Front matter'],
      ['only a comment', '---\n# DO NOT DEPLOY\n---\n', 'Front matter'],
      ['a sentence', '---\nDO NOT DEPLOY before the audit.\n---\n', 'Preamble'],
      ['a sentence between other marks', '+++\nDO NOT DEPLOY\n+++\n', 'Preamble'],
      ['a list', '---\n- DO NOT\n- DEPLOY\n---\n', 'Preamble'],
      ['fields that are not YAML', '---\na: b: c\n---\n', 'Preamble'],
      ['two fields of one name', '---\na: 1\na: 2\n---\n', 'Preamble'],
      ['paragraphs', '---\n\nDO NOT DEPLOY\n\nbefore the audit.\n\n---\n\n', 'Preamble'],
    ] as const)
      it(`${what} reaches the reader`, () => {
        const { title, sections = [] } = parseRfc(top + rest);
        assert.equal(title, 'Tokens');
        const [first, second] = sections;
        assert.equal(first?.heading, where);
        for (const line of top.split('\n').filter((one) => /\w/.test(one))) assert.ok(first.text.includes(line), line);
        assert.deepEqual([second?.key, second?.text], ['summary', 'Short.']);
        const section = parseSection(top + 'Because.\n', 'motivation').sections?.[0]?.text ?? '';
        for (const line of top.split('\n').filter((one) => /\w/.test(one))) assert.ok(section.includes(line), line);
      });
  });

  it('shows a heading without text, which takes no section from one with text', () => {
    const { sections } = parseRfc('# T\n\n## Motivation\n\n## Background\n\nBecause.\n\n## DO NOT DEPLOY\n');
    assert.deepEqual(
      sections?.map(({ key, heading, text }) => [key, heading, text]),
      [
        ['other', 'Motivation', '(empty)'],
        ['motivation', 'Background', 'Because.'],
        ['other', 'DO NOT DEPLOY', '(empty)'],
      ],
    );
  });

  it('keeps sections before a late heading of a higher rank', () => {
    const text = '# Title\n\n## Summary\n\nShort.\n\n## Rollout\n\nSlowly.\n\n# Beta\n\nLater.\n\n## Tests\n\nMany.';
    const { sections } = parseRfc(text);
    assert.deepEqual(
      sections?.map(({ key, heading, text: words }) => [key, heading, words]),
      [
        ['summary', 'Summary', 'Short.'],
        ['implementation_timeline', 'Rollout', 'Slowly.'],
        ['other', 'Beta', 'Later.\n\n## Tests\n\nMany.'],
      ],
    );
  });

  it('names a limit that the document exceeds', () => {
    assert.throws(() => parseRfc(`# T${'\n'.repeat(20_001)}x`), /has 20002 lines, the limit is 20,000/);
  });

  describe('of one section', () => {
    it('drops a heading that only repeats the section’s name', () => {
      assert.deepEqual(parseSection('## 2. Motivation\n\nBecause.\n', 'motivation'), {
        sections: [{ key: 'motivation', heading: '2. Motivation', text: 'Because.' }],
      });
    });
    it('keeps other headings', () => {
      assert.deepEqual(parseSection('# Keys\n\nTurn them.\n', 'detailed_design'), {
        sections: [{ key: 'detailed_design', heading: 'Detailed design', text: '# Keys\n\nTurn them.' }],
      });
    });
    it('reads open questions and alternatives', () => {
      assert.deepEqual(parseSection('- [ ] Who?\n', 'unresolved_questions').questions, [
        { text: 'Who?', answered: false },
      ]);
      assert.deepEqual(parseSection('- Wait: it may pass.\n', 'alternatives').alternatives, [
        { name: 'Wait', description: 'it may pass.', pros: [], cons: [] },
      ]);
    });
    it('refuses an empty result', () => {
      assert.throws(() => parseSection('## Summary\n', 'summary'), /is empty/);
    });
  });

  it('takes linear time for malicious input', () => {
    for (const nasty of [' ', '*', '_', '[ ]', '| ', '> ', '- ', '\n- ', '`', '#', '\\', '(', '<br ', ';  ', '~~'])
      try {
        parseRfc(
          `# T\n\n## Open questions\n\n- [x] ${nasty.repeat(5_000)}\n\n## Alternatives\n\n${nasty.repeat(5_000)}\n`,
        );
      } catch (error) {
        assert.ok(error instanceof RfcMarkdownError || error instanceof RangeError, String(error));
      }
  }).timeout(120_000);
});

/** Open questions as authors write them: what becomes a choice, and what stays text. */
describe('open questions in the text of an RFC', () => {
  const read = (text: string, ...known: string[]) => writtenQuestions(text, new Set(known.map(sameTextKey)));

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

/**
 * What the import reads from files structured like those of well-known projects. The sentences are our own; only the structure
 * is theirs. `UPDATE_GOLDENS=1` writes the expected results for review.
 */
describe('RFC files structured as in other projects', () => {
  const folder = path.join(import.meta.dirname, '..', '..', 'fixtures', 'rfcs', 'structures');

  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));

  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  it('are tested in at least twenty-five structures', () => {
    assert.ok(files.length >= 25);
  });

  for (const name of files)
    it(name, () => {
      const { document, notes } = readRfc(read(name));
      const { title, sections = [], alternatives, questions } = document;
      const found = {
        title,
        sections: sections.map(({ key, heading }) => `${key}: ${heading}`),
        alternatives,
        questions,
        notes: Object.fromEntries(notes),
      };
      const expected = path.join(folder, name.replace(/md$/, 'json'));
      if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(expected, `${JSON.stringify(found, null, 2)}\n`);
      assert.deepEqual(JSON.parse(JSON.stringify(found)), JSON.parse(readFileSync(expected, 'utf8')));
      rfcDocument.parse({ title: 'None', ...document });
    });

  it('keep every word and every comment', () => {
    for (const name of files) {
      const { title, sections = [] } = readRfc(read(name)).document;
      const kept = [title ?? '', ...sections.flatMap(({ heading, text }) => [heading, text])].join('\n');
      const body = read(name).replace(/^---\ntitle: (.*)\n---\n/, '$1');
      for (const word of new Set(body.match(/[\p{L}\p{N}]{2,}/gu))) {
        const isHeading = new RegExp(`^#+ .*${word}.*$`, 'mu').test(body);
        assert.ok(isHeading || kept.includes(word), `${name}: ${word}`);
      }
      for (const comment of body.match(/<!--.*?-->/gs) ?? []) assert.ok(kept.includes(comment), `${name}: ${comment}`);
    }
  });
});

/** Documents that people wrote are never refused for their length, and lose nothing. */
const long = (start: string, length: number) => `${start} ${'word '.repeat(length / 5)}`.trim();

function whole(text: string) {
  const read = readRfc(text);
  const document = rfcDocument.parse(changedDocument(emptyDocument('None'), read.document));
  return {
    ...document,
    notes: Object.fromEntries(read.notes),
    text: document.sections.map((one) => one.text).join('\n'),
  };
}

describe('a long document', () => {
  it('has an alternative that is too long only in the text', () => {
    const [name, description] = [long('Keep', 300), long('It', 12_000)];
    const { alternatives, notes, text } = whole(
      `# T\n\n## Alternatives\n\n### ${name}\n\nIt works.\n\n### B\n\n${description}\n\n### A\n\nPros:\n- fast\n`,
    );
    assert.deepEqual(alternatives, [{ name: 'A', pros: ['fast'], cons: [] }]);
    for (const words of [name, description]) assert.ok(text.includes(words));
    assert.deepEqual(notes, { alternative_as_text: 2 });
  });

  it('has its title and headings shortened, and kept whole in the text', () => {
    const title = long('Title', 400);
    const heading = long('Heading', 400);
    const document = whole(`# ${title}\n\n## ${heading}\n\nText.\n`);
    assert.equal(document.title.length, 200);
    assert.equal(document.sections.find((one) => one.heading.startsWith('Heading'))?.text, `${heading}\n\nText.`);
    assert.ok(document.text.includes(title));
  });

  it('may have more than a hundred of everything', () => {
    const many = (count: number, line: (index: number) => string) =>
      Array.from({ length: count }, (_, i) => line(i)).join('\n');
    const document = whole(
      `# T\n\n## Alternatives\n\n### A\n\nPros:\n${many(150, (i) => `- pro ${String(i)}`)}\n\n${many(150, (i) => `### Other ${String(i)}\n`)}
## Open questions\n\n${many(150, (i) => `- [${i === 120 ? ' ' : 'x'}] Question ${String(i)}?`)}\n\n${many(150, (i) => `## Part ${String(i)}\n\nText ${String(i)}.\n`)}`,
    );
    assert.equal(document.alternatives.length, 100);
    assert.equal(document.sections.length, 100);
    for (let part = 0; part < 150; part++) assert.ok(document.text.includes(`Text ${String(part)}.`));
    assert.deepEqual(document.questions.at(-1), {
      text: '51 further questions: they are in the text.',
      answered: false,
    });
    assert.deepEqual(document.notes, {
      alternative_as_text: 51,
      question_as_text: 51,
      section_joined: 52,
    });
  });

  it('has long questions shortened, and two that differ only after the cut become one open question', () => {
    const question = long('Why', 2_500);
    const { questions } = whole(`# T\n\n## Open questions\n\n- [x] ${question} a?\n- [ ] ${question} b?\n`);
    assert.equal(questions.length, 1);
    const [only] = questions;
    assert.equal(only?.answered, false);
    assert.ok(only.text.length <= 2_000 && only.text.endsWith('…'));
  });

  it('never has a character cut in two', () => {
    for (let before = 190; before < 205; before++)
      assert.doesNotMatch(whole(`# ${'a'.repeat(before)}${'😀'.repeat(20)}\n`).title, /\p{Surrogate}/u);
  });

  it('is accepted whatever it consists of', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '## Alternatives',
        '### A',
        '## Open questions',
        '- [ ] Who?',
        '- [x] Who? **Resolved:** us',
        'Pros:',
        'Cons:',
        '- a',
        '  - b',
        '+ c',
        '| Pros | Cons |\n|---|---|\n| a | b |',
        '| A | B |\n|---|---|\n| Pros | c |',
        '<!-- note',
        '-->',
        '```',
        '**Option 1: x**',
        '* Good, because',
        '* Good, because it is',
        '',
        '---',
        '# T',
      ),
      fc.integer({ min: 1, max: 3_000 }).map((length) => long('word', length)),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (pieces) => {
        const text = pieces.join('\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu, '?');
        if (text.trim() === '') return;
        let read;
        try {
          read = parseRfc(`# Title\n\n${text}`);
        } catch (error) {
          if (error instanceof RangeError) return;
          throw error;
        }
        rfcDocument.parse(changedDocument(emptyDocument('None'), read));
      }),
      { numRuns: 300 },
    );
  }).timeout(60_000);
});
