import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { parse, stringify } from 'yaml';
import { frontMattered, relativeLink, asBlockQuote, quotedDocument } from '../../../src/core/mirrors/text.ts';
import { runs } from '../../support/runs.ts';

describe('a mirror’s front matter', () => {
  const written = (key: string, value: string | number | boolean | null) =>
    frontMattered({ [key]: value }, 'Body').split('\n')[1];

  it('equals the YAML library’s output where it skips the library to save time', () => {
    const word = fc.stringMatching(/^[A-Za-z][\w-]{0,20}$/);
    const time = fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z') })
      .map((date) => date.toISOString());
    const some = fc.constantFrom('true', 'No', 'NULL', 'y', 'off', 'Q-12', 'RFC-3', 't-1', 'in_progress', 'nan', 'inf');
    fc.assert(
      fc.property(fc.oneof(word, time, some, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)), (value) => {
        assert.equal(written('key', value), stringify({ key: value }, { lineWidth: 0 }).trimEnd());
      }),
      { numRuns: runs(500) },
    );
  });

  it('reads back as the given value, whatever it is', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)), (value) => {
        const line = written('key', value) ?? '';
        const read: unknown = parse(line);
        if (typeof value !== 'string') assert.deepEqual(read, { key: value });
        else assert.equal(typeof (read as { key: unknown }).key, 'string');
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a quoted document', () => {
  it('escapes comments, so that nothing in them takes effect', () => {
    assert.equal(
      quotedDocument('<!-- one\n\n</details> -->\n\nText <!-- aside -->.\n\n```\n<!-- code -->\n```'),
      [
        '> <details><summary>Comment</summary>',
        '>',
        '> one',
        '>',
        '> &lt;/details>',
        '>',
        '> </details>',
        '>',
        '> Text &lt;!-- aside -->.',
        '>',
        '> ```',
        '> &lt;!-- code -->',
        '> ```',
      ].join('\n'),
    );
    assert.equal(quotedDocument('Plain.\n\nTwo.'), '> Plain.\n>\n> Two.');
    assert.equal(quotedDocument('a <!-- never closed'), '> a &lt;!-- never closed');
  });
});

describe('quoted text', () => {
  it('defines no link for the mark of a ticked box outside of it', () => {
    for (const text of [
      '[x]: https://a.b',
      'a\n\n[ X\t]: https://a.b',
      '> [\n> x\n> ]: https://a.b',
      '- [x]: https://a.b',
    ]) {
      const html = new MarkdownIt().render(`${asBlockQuote(text)}\n\n- [x] Drop it\n`);
      assert.match(html, /<li>\[x\] Drop it<\/li>/, text);
    }
    assert.equal(asBlockQuote('- [x] done, [1]: https://a.b'), '> - [x] done, [1]: https://a.b');
  });
});

describe('a link', () => {
  it('shows hidden characters of an address', () => {
    assert.equal(relativeLink('https://a.b/c', '.'), '<https://a.b/c>');
    assert.equal(relativeLink('https://a.b/\u202Ecod.exe', '.'), 'https://a.b/\\[U+202E\\]cod.exe');
  });
});
