/** Documents that people wrote are never refused for their length, and lose nothing. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changedDocument, emptyDocument } from '../../../src/core/rfc/document.ts';
import { parseRfc, readRfc } from '../../../src/core/rfc/markdown.ts';
import { rfcDocument } from '../../../src/core/records/rfc.ts';

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
