import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseRfc, parseSection, RfcMarkdownError } from '../../../src/core/rfc/markdown.ts';
import { rfcDocument } from '../../../src/core/records/rfc.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'fixtures', 'rfcs');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

describe('import of Markdown', () => {
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
