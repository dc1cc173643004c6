import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { parse } from 'yaml';
import { asBlockQuote, frontMattered, quotedDocument, relativeLink } from '../../../src/app/mirrors/texts.ts';
import { runs } from '../../support/runs.ts';

describe('a mirror’s front matter', () => {
  it('reads back as the given value, whatever it is', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const plain = fc.stringMatching(/^[\w .:@/#'"-]{0,20}$/);
    const hash = fc.stringMatching(/^[0-9e]{30,40}[0-9a-f]{0,3}$/);
    const some = fc.constantFrom('true', 'No', 'NULL', 'y', 'off', 'Q-12', 'nan', 'inf', '2026-03-02T09:00:00.000Z');
    fc.assert(
      fc.property(fc.oneof(text, plain, hash, some, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)), (value) => {
        assert.deepEqual(parse(frontMattered({ key: value }, 'Body').split('\n')[1] ?? ''), { key: value });
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
