/** Relative links in the pages lead to files and headings that exist, in the repository and in the package. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { root } from '../support/host.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { packInto } from '../support/vsix.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'bench/results/*.md', 'sample/*.md'], { cwd: root });

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

describe('the pages in the package', () => {
  let unpacked: TemporaryFolder;
  let extension: string;
  before(async function () {
    this.timeout(60_000);
    unpacked = await temporaryFolder();
    execFileSync('unzip', ['-q', await packInto(unpacked.folder), '-d', unpacked.folder]);
    extension = path.join(unpacked.folder, 'extension');
  });
  after(() => unpacked.remove());

  it('lead somewhere in the package', () => {
    const shipped = globSync(['*.md', 'docs/*.md'], { cwd: extension });
    assert.ok(shipped.includes('readme.md') && shipped.length > 10, shipped.join());
    const lost = shipped.flatMap((page) =>
      linksIn(read(page, extension))
        .filter((link) => !leadsSomewhere(page, link, extension))
        .map((link) => `${page}: ${link}`),
    );
    assert.deepEqual(lost, []);
  });

  it('begin with a page of text, with nothing that VS Code would not show or open', () => {
    const page = read('readme.md', extension);
    assert.doesNotMatch(page, /\]\(|<img|<!--/);
    assert.match(page, /1\. \*\*Install\*\*[^]*4\. \*\*Answer\*\*/);
  });
});

describe('the first pages', () => {
  it('get to "Install" in 150 words, and through all that is unreleased in 40 lines', () => {
    const [before = ''] = read('README.md').split('\n## Install');
    assert.ok(before.split(/\s+/).length < 150, before);
    assert.ok(read('CHANGELOG.md').trimEnd().split('\n').length <= 40);
  });
});

function read(page: string, folder = root): string {
  return readFileSync(path.join(folder, page), 'utf8');
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

function leadsSomewhere(page: string, link: string, folder = root): boolean {
  const [name = '', heading] = link.split('#');
  const target = name === '' ? page : path.join(path.dirname(page), name);
  return (
    existsSync(path.join(folder, target)) &&
    (heading === undefined || headingsOf(read(target, folder)).includes(heading))
  );
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
