/** Relative links in the pages lead to files and headings that exist. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { root } from '../support/host.ts';

const pages = globSync(['*.md', 'docs/*.md', 'companion/*.md', 'sample/*.md'], { cwd: root });

describe('links in the pages', () => {
  for (const page of pages)
    it(`${page} lead somewhere`, () => {
      assert.deepEqual(
        linksIn(read(page)).filter((link) => !leadsSomewhere(page, link)),
        [],
      );
    });

  it('are reported if they do not', () => {
    assert.deepEqual(linksIn('[a](no.md) and ![b](docs/no.png), [c](https://example.com)'), ['no.md', 'docs/no.png']);
    assert.equal(leadsSomewhere('README.md', 'docs/no.md'), false);
    assert.equal(leadsSomewhere('README.md', 'docs/ci.md#no-such-heading'), false);
    assert.equal(leadsSomewhere('docs/ci.md', '../README.md#install'), true);
  });
});

function read(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

function tokensOf(text: string): readonly Token[] {
  return new MarkdownIt({ html: true }).parse(text, {});
}

function linksIn(text: string): readonly string[] {
  return tokensOf(text)
    .flatMap(({ children }) => children ?? [])
    .map((token) => String(token.attrGet('href') ?? token.attrGet('src') ?? ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [name = '', heading] = link.split('#');
  const target = name === '' ? page : path.join(path.dirname(page), name);
  return existsSync(path.join(root, target)) && (heading === undefined || headingsOf(read(target)).includes(heading));
}

/** As GitHub names them. */
function headingsOf(text: string): readonly string[] {
  return tokensOf(text).flatMap(({ type }, index, all) =>
    type === 'heading_open'
      ? (all[index + 1]?.content ?? '')
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_ -]/gu, '')
          .replaceAll(' ', '-')
      : [],
  );
}
