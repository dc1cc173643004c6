/**
 * What the import reads from files structured like those of well-known projects. The sentences are our own; only the structure
 * is theirs. `UPDATE_GOLDENS=1` writes the expected results for review.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRfc } from '../../../src/core/rfc/markdown.ts';
import { rfcDocument } from '../../../src/core/records/rfc.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'fixtures', 'rfcs', 'structures');
const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

describe('RFC files structured as in other projects', () => {
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
