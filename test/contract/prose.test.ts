/** The README, the user pages and the editor's texts are plain English: short sentences, no patterns of another language. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { root } from '../support/host.ts';

/** Generated: their sentences come from tools and results. */
const generated = ['docs/tools.md', 'docs/outcomes.md'];
const pages = globSync(['README.md', 'docs/*.md'], { cwd: root }).filter((page) => !generated.includes(page));

type Translated = string | { readonly message: string };

const longest = 35;
const longestSubject = 72;

/** Each with the words to use instead. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bwhat (?:is|was|waits|holds|it|they|a|an|the)\b[^?]*$/, 'a noun, such as "the files that …"'],
  [/^Where (?:a|an|the|it|no|one)\b[^?]*$/, 'if, when'],
  [/(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b)[a-z]+/, 'is not a …'],
  [/\bcounts?\b(?! of\b| as [0-9])/, 'is valid, is trusted, is treated as'],
  [/\b(?:takes (?:a|an)|takes? (?:its|as many|several|one|two)) /, 'needs, requires'],
  [/\b(?:go|goes|went|carry|carries) on\b/, 'continue'],
  [/\bat once\b/, 'immediately, together'],
  [/\bbeside\b/, 'next to, alongside'],
  [/\banew\b/, 'again'],
  [/\bmeanwhile[.,;)]?$/, 'until then, in the meantime'],
  [/;.*;/, 'one semicolon'],
  [/: .*: /, 'one colon'],
];

function read(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

function wrongIn(sentence: string): readonly string[] {
  const words = wordsIn(sentence);
  return [
    ...patterns.flatMap(([pattern, instead]) => (pattern.test(sentence) ? [instead] : [])),
    ...(words > longest ? [`${String(words)} words`] : []),
  ];
}

function faultsIn(sentences: readonly string[]): readonly string[] {
  return sentences.flatMap((sentence) => wrongIn(sentence).map((instead) => `${instead}: ${sentence}`));
}

/** Of paragraphs, list items, headings and table cells. Code becomes one word. */
function sentencesOf(markdown: string): readonly string[] {
  return new MarkdownIt({ html: true })
    .parse(markdown, {})
    .flatMap(({ type, children }) => (type === 'inline' ? sentencesIn(textOf(children ?? [])) : []));
}

/** Titles in quotes and placeholders become one word each. */
function sentencesIn(text: string): readonly string[] {
  return text
    .replace(/“[^”]*”/g, 'TITLE')
    .replace(/\{\w+\}/g, 'X')
    .split(/(?<=[.!?]\)?)\s+(?=[^a-z\s])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function textOf(tokens: readonly Token[]): string {
  const parts = tokens.map(({ type, content }) => {
    if (type === 'code_inline') return 'CODE';
    if (type === 'softbreak') return ' ';
    return type === 'text' ? content : '';
  });
  return parts.join('');
}

describe('the pages for users', () => {
  for (const page of pages)
    it(`${page} is in plain words`, () => {
      assert.deepEqual(faultsIn(sentencesOf(read(page))), []);
    });

  it('are read sentence by sentence', () => {
    const page = '# A\n\nOne `x; y`. Two [b](c.md)!\n\n| d | Three “Four: Five”. Six |\n| - | - |\n';
    assert.deepEqual(sentencesOf(page), ['A', 'One CODE.', 'Two b!', 'd', 'Three TITLE.', 'Six']);
  });

  it('are reported for each pattern', () => {
    const wrong = [
      'It lists what is held.',
      'Where a hook fails, it denies.',
      'It is no settings file.',
      'The signature counts.',
      'This takes a key.',
      'The agent goes on.',
      'It stops at once.',
      'It is beside the file.',
      'Start anew.',
      'It waits meanwhile.',
      'One; two; three.',
      'One: two: three.',
    ];
    assert.deepEqual(
      wrong.map((sentence) => wrongIn(sentence).length),
      patterns.map(() => 1),
    );
    assert.deepEqual(wrongIn(`${'word '.repeat(longest + 1)}.`), [`${String(longest + 1)} words`]);
    assert.deepEqual(wrongIn('What is held? The count of holds is no longer 3; there is no hold.'), []);
  });

  it('stay short', () => {
    const words = new Map(pages.map((page) => [page, wordsIn(sentencesOf(read(page)).join(' '))]));
    const all = [...words.values()].reduce((sum, count) => sum + count, 0);
    assert.ok((words.get('README.md') ?? 0) <= 700, String(words.get('README.md')));
    assert.ok(all <= 17_000, String(all));
  });
});

describe('the pages for contributors', () => {
  it('stay short', () => {
    const pages = ['architecture', 'journal', 'hooks', 'recipes', 'reliability', 'performance'];
    const words = pages.reduce((sum, page) => sum + wordsIn(sentencesOf(read(`docs/dev/${page}.md`)).join(' ')), 0);
    assert.ok(words <= 8_000, String(words));
    assert.ok(read('CHANGELOG.md').trimEnd().split('\n').length <= 40);
  });
});

describe('the texts of the editor and of its pages', () => {
  it('are in plain words', () => {
    const values = ['l10n/bundle.l10n.json', 'package.nls.json'].flatMap((file) =>
      Object.values(JSON.parse(read(file)) as Readonly<Record<string, Translated>>),
    );
    const texts = values.map((value) => (typeof value === 'string' ? value : value.message));
    assert.ok(texts.length > 1_000, String(texts.length));
    assert.deepEqual(faultsIn(texts.flatMap(sentencesIn)), []);
  });
});

/** Names of programs and places, which begin with a capital anywhere. */
const names = new Set(
  'Holdpoint Claude Code Codex Copilot Gemini Cursor Windsurf Kiro Antigravity Mermaid Enter Tab Engram CodeFrame Markdown Europe Berlin WebP Windows Git Node'.split(
    ' ',
  ),
);

/** Whether a word after the first of a sentence begins with a capital, as only names and titles of commands may. */
function hasTitleCase(sentence: string): boolean {
  const [, ...words] = sentence.replace(/^\$\([\w-]+\) /, '').match(/[A-Za-z][\w’'-]*/g) ?? [];
  return words.some((word) => /^[A-Z][a-z’]/.test(word) && !names.has(word.replace(/’s$/, '')));
}

describe('the form of texts', () => {
  const titles = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
  const bundle = Object.values(JSON.parse(read('l10n/bundle.l10n.json')) as Readonly<Record<string, Translated>>).map(
    (value) => (typeof value === 'string' ? value : value.message),
  );

  it('is sentence case, except in titles of commands', () => {
    const commands = new Set(
      Object.entries(titles).flatMap(([key, title]) => (key.startsWith('command') ? [title] : [])),
    );
    const wrong = bundle
      .filter((text) => !commands.has(text) && !commands.has(`${text}…`))
      .map((text) => text.replaceAll(/`[^`]*`|“[^”]*”/g, 'x').replaceAll(/^\{\w+\} |\{\w+\}(?= [A-Z])/g, ''))
      .flatMap((text) => text.split(/(?<=[.!?:·…])\s+|\n/))
      .filter(hasTitleCase);
    assert.deepEqual(wrong, []);
    assert.deepEqual(['Open the Form', 'Open the form', 'Ask Claude Code again'].map(hasTitleCase), [
      true,
      false,
      false,
    ]);
  });

  it('has curly quotes and apostrophes, except in code', () => {
    const straight = [...bundle, ...Object.values(titles)].filter((text) =>
      /["']/.test(text.replaceAll(/`[^`]*`/g, '')),
    );
    assert.deepEqual(straight, []);
  });
});

describe('comments', () => {
  /** Less with each rewording. */
  const atMost = 480;

  it(`have at most ${String(atMost)} sentences that are not in plain words`, () => {
    const faults = globSync('{src,webview}/**/*.ts', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/\/\*\*([^]*?)\*\/|^\s*\/\/ (.*)$/gm)]
        .map(([, block = '', line = '']) =>
          `${block}${line}`.replaceAll(/^\s*\* ?|`[^`]*`|@\w+/gm, ' ').replaceAll(/\s+/g, ' '),
        )
        .flatMap((comment) => faultsIn(sentencesIn(comment)).map((fault) => `${file}: ${fault}`)),
    );
    if (process.env['SHOW_COMMENTS'] !== undefined) console.log(faults.join('\n'));
    assert.ok(faults.length <= atMost, `${String(faults.length)}: SHOW_COMMENTS=1 lists them`);
  });
});

describe('the first words of comments', () => {
  const sources = globSync('{src,webview}/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.d.ts'));

  it('of a file say what the file is for', () => {
    const without = sources.filter((file) => !/^(?:#!.*\n)?\/(?:\*\*|\/) ?\S*(?:\n \* )?/.test(read(file)));
    assert.deepEqual(without, []);
  });

  it('of a declaration stand by themselves in a hover', () => {
    const wrong = sources.flatMap((file) =>
      [...read(file).matchAll(/\/\*\*\s+(?:\* )?(The same\b[^*\n]*)/g)].map(([, text = '']) => `${file}: ${text}`),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('commit subjects', () => {
  it(`have at most ${String(longestSubject)} characters`, () => {
    const log = (...args: string[]) => execFileSync('git', ['log', ...args], { cwd: root, encoding: 'utf8' }).trim();
    const first = log('--diff-filter=A', '--format=%H', '--', 'test/contract/prose.test.ts').split('\n').at(-1) ?? '';
    const latest = first === '' ? '' : log('--no-merges', '--format=%s', '-n', '20', `${first}..`);
    assert.deepEqual(
      latest.split('\n').filter((subject) => subject.length > longestSubject),
      [],
    );
  });
});
