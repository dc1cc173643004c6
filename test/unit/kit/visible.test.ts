/** Everything that shows other people’s text makes its hidden characters visible. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { main } from '../../../src/cli/program.ts';
import type { Io } from '../../../src/cli/kit/io.ts';
import { asBlockQuote, frontMattered, inline, withoutCommands } from '../../../src/app/mirrors/texts.ts';
import { shownLine } from '../../../src/core/kit/text.ts';
import { visibleJson, visibleText } from '../../../src/core/kit/visible.ts';
import { runs } from '../../support/runs.ts';

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2028\u2029\u2800]/u;
/** Any character, with hidden ones often. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', ' ', '\u0301', '\u200d', '\u{1f469}', '\ufe0f', '\u202e', '\u{e0041}', '\u001b', '\r', '\n'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('visible text', () => {
  function check(name: string, given: string, expected: string): void {
    it(name, () => {
      assert.equal(visibleText(given), expected);
    });
  }

  check('leaves plain text as it is', 'Größe: 3 µm, “ok” – 日本語 עברית', 'Größe: 3 µm, “ok” – 日本語 עברית');
  check('leaves line breaks and tabs as they are', 'a\n\tb\r\nc', 'a\n\tb\r\nc');
  check('shows a carriage return that would overwrite the line', 'deny\rallow', 'deny[U+000D]allow');
  check('shows bidirectional controls', 'user\u202Egnp.exe', 'user[U+202E]gnp.exe');
  check('shows zero-width characters', 'ad\u200Bmin\u2060', 'ad[U+200B]min[U+2060]');
  check('shows tag characters', 'x\u{E0061}\u{E0062}', 'x[U+E0061][U+E0062]');
  check('shows fillers', '\u3164\u115f\u2800', '[U+3164][U+115F][U+2800]');
  check('shows escape sequences', '\u001b[2J\u009b31m\u0007', '[U+001B][2J[U+009B]31m[U+0007]');
  check('leaves an emoji of several characters as it is', '👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️');
  check('leaves joiners in scripts that need them', 'می‌خواهم क्‍ष', 'می‌خواهم क्‍ष');
  check('leaves combining marks on letters', 'e\u0301 ộ שָׁ֥ ท์', 'e\u0301 ộ שָׁ֥ ท์');
  check('counts a flood of the same mark', `a${'\u0336'.repeat(46)}b`, `a${'\u0336'.repeat(6)}[U+0336 ×40]b`);
  check('counts a flood of different marks', `a${'\u0336\u0301'.repeat(5)}`, `a${'\u0336\u0301'.repeat(3)}[U+0336 ×4]`);

  it('never contains a hidden character, and nothing else changes', () => {
    fc.assert(
      fc.property(text, (given) => {
        const shown = visibleText(given);
        for (const [index, character] of Array.from(shown).entries())
          if (unseen.test(character) && !/[\n\t]/.test(character))
            assert.ok(isSpelling(Array.from(shown), index), `${JSON.stringify(given)} at ${String(index)}`);
        assert.doesNotMatch(shown, /\p{M}{7}/u);
        if (!unseen.test(given) && !/\p{M}{7}/u.test(given)) assert.equal(shown, given);
        assert.equal(visibleText(shown), shown);
      }),
      { numRuns: runs(3_000) },
    );
  });

  /** A joiner in an emoji or a word, a variation selector after its base character, or half of a line break. */
  function isSpelling(characters: readonly string[], index: number): boolean {
    const [before = '', at = '', after = ''] = [-1, 0, 1].map((step) => characters[index + step]);
    if (at === '\r') return after === '\n';
    if (at === '\ufe0e' || at === '\ufe0f') return /\p{Emoji}/u.test(before);
    return (at === '\u200c' || at === '\u200d') && before !== '' && after !== '' && !/[\x20-\x7e]/.test(before + after);
  }

  it('is fast for a long text of hidden characters only', () => {
    assert.equal(visibleText('\u200b'.repeat(100_000)).length, 800_000);
    assert.match(visibleText(`a${'\u0301'.repeat(100_000)}`), /×99994\]$/);
  });

  it('keeps the value of JSON and hides nothing', () => {
    fc.assert(
      fc.property(fc.array(text), (value) => {
        const json = visibleJson(value);
        assert.deepEqual(JSON.parse(json), value);
        assert.equal(visibleText(json), json);
      }),
    );
  });

  it('shortens to one line that shows its hidden characters', () => {
    assert.equal(shownLine('May\u202E I?\nsecond'), 'May[U+202E] I?…');
  });
});

describe('a Markdown source with links', () => {
  function check(name: string, given: string, expected = given): void {
    it(name, () => {
      assert.equal(withoutCommands(given), expected);
    });
  }
  check('disarms a command link', '[x](command:workbench.action.quit)', '[x](command%3Aworkbench.action.quit)');
  check('disarms a command link in brackets on the next line', '[x](\n <CoMmand:a b>)', '[x](\n <CoMmand%3Aa b>)');
  check('disarms a reference', '[x]\n\n[x]: command:a', '[x]\n\n[x]: command%3Aa');
  check('disarms an autolink', '<command:a>', '<command%3Aa>');
  check('disarms HTML', '<a href = "command:a">', '<a href = "command%3Aa">');
  check('disarms links to the editor itself', '[x](vscode-insiders://a.b/c)', '[x](vscode-insiders%3A//a.b/c)');
  check('disarms links to files', '[x](file://host/share)', '[x](file%3A//host/share)');
  check(
    'leaves web links as they are',
    '[x](https://example.test/a) <https://example.test> [m](mailto:a@example.test)',
  );
  check('leaves paths as they are', '[x](src/a.ts#L3) [y](./b.md)');
  check('leaves code as it is', '[&](std::string s) <std::string> map[k]: v::w [x](file: File) the command: run it');
});

describe('a mirror', () => {
  it('shows hidden characters, and contains no command links', () => {
    assert.equal(asBlockQuote('a\u202Eb\n[x](command:y)'), '> a[U+202E]b\n> [x](command%3Ay)');
    assert.equal(inline('a\u200B\u001b[x](command:y)'), 'a\\[U+200B\\]\\[U+001B\\]\\[x\\](command:y)');
  });

  it('keeps the exact value in front matter, with visible characters', () => {
    fc.assert(
      fc.property(text, (title) => {
        const mirror = frontMattered({ title }, 'x');
        const line = mirror.split('\n')[1] ?? '';
        assert.deepEqual(parse(line), { title });
        assert.equal(visibleText(line), line);
      }),
    );
  });
});

describe('the command line', () => {
  it('shows escape sequences of any author, as text and as JSON', async () => {
    const said: string[] = [];
    const io = {
      cwd: path.parse(process.cwd()).root,
      env: {},
      out: (line: string) => said.push(line),
      err: (line: string) => said.push(line),
    } as unknown as Io;
    const folder = 'no\u001b[2Jsuch\u202Efolder\rallow';
    assert.equal(await main(['--workspace', folder, 'question', 'list'], io, '0'), 1);
    assert.equal(await main(['--workspace', folder, '--json', 'question', 'list'], io, '0'), 1);
    assert.equal(await main(['\u001b[2J'], io, '0'), 1);
    const [plain = '', json = '', usage = ''] = said;
    assert.match(plain, /no\[U\+001B\]\[2Jsuch\[U\+202E\]folder\[U\+000D\]allow/);
    assert.ok((JSON.parse(json) as { error: { message: string } }).error.message.includes(folder), json);
    for (const line of [plain, json, usage]) assert.equal(visibleText(line), line);
  });
});

describe('every surface', () => {
  const read = (folder: string) =>
    readdirSync(path.join(import.meta.dirname, '..', '..', '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({
        name: name.replaceAll('\\', '/'),
        text: readFileSync(path.join(import.meta.dirname, '..', '..', '..', folder, name), 'utf8'),
      }));
  const users = (folder: string, what: RegExp) =>
    read(folder)
      .filter(({ text: source }) => what.test(source))
      .map(({ name }) => name);

  it('shows notifications through one file, which disarms agents’ links', () => {
    assert.deepEqual(users('src/vscode', /\.show(Information|Warning|Error)Message\b/), ['kit/messages.ts']);
  });

  it('makes Markdown for the editor from plain text, and marks it untrusted', () => {
    assert.deepEqual(users('src/vscode', /new (vscode\.)?MarkdownString\((?!\))/), []);
    assert.deepEqual(
      users('src/vscode', /\bisTrusted\s*[:=](?!=)|appendMarkdown|supportHtml|supportThemeIcons|enabledCommands/),
      [],
    );
  });

  it('prints through one place', () => {
    assert.deepEqual(users('src/cli', /process\.std(out|err)|console\./), ['main.ts']);
  });
});
