/** The small pure parts of the webviews: texts, times, hidden characters, links, kept state. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSaved, remember } from '../../webview/shared/signing.ts';
import { t, tn } from '../../webview/shared/strings.ts';
import { ago, timeBetween, duration, setClock, timeSince, timeUntil } from '../../webview/shared/time.ts';
import { pieces, visibleText } from '../../src/core/kit/visible.ts';

const root = path.join(import.meta.dirname, '..', '..');

describe('webview words', () => {
  it('count in English', () => {
    assert.equal(tn(1, '{n} file of {folder}', '{n} files of {folder}', { folder: 'src' }), '1 file of src');
    assert.equal(tn(12_000, '{n} file', '{n} files'), '12,000 files');
  });

  it('insert values literally', () => {
    assert.equal(t('Next: {title}', { title: '{title} $& $1' }), 'Next: {title} $& $1');
    assert.equal(t('Next: {title}'), 'Next: {title}');
  });

  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;
  for (const [ms, words] of [
    [-5, '1 s'],
    [second, '1 s'],
    [59 * second, '59 s'],
    [minute, '1 min'],
    [hour - 1, '59 min'],
    [47 * hour, '47 h'],
    [2 * day, '2 days'],
    [400 * day, '400 days'],
  ] as const) {
    it(`${ms} ms is ${words}`, () => {
      assert.equal(duration(ms), words);
    });
  }

  it('follow the host’s clock in relative times', () => {
    const host = Date.now() - 3 * hour;
    setClock(new Date(host).toISOString());
    const at = (ms: number): string => new Date(host + ms).toISOString();
    assert.equal(ago(at(-20 * second)), 'just now');
    assert.equal(ago(at(-2 * hour - second)), '2 h ago');
    assert.equal(timeSince(at(-20 * second)), 'under a minute');
    assert.equal(timeUntil(at(22 * hour + minute)), '22 h');
    assert.equal(timeUntil(at(30 * second)), 'under a minute');
    assert.equal(timeUntil(at(-second)), undefined);
    assert.equal(timeBetween(at(0), at(1_400)), '1 s');
  });
});

describe('webview hidden characters', () => {
  for (const [text, shown] of [
    ['plain text\n\twith lines', 'plain text\n\twith lines'],
    ['a\u202Eb', 'a[U+202E]b'],
    ['\u200Babc\uFEFF', '[U+200B]abc[U+FEFF]'],
    ['a\u0000\u001B[31m\u009B', 'a[U+0000][U+001B][31m[U+009B]'],
    ['tag\u{E0041}\u{E007F}', 'tag[U+E0041][U+E007F]'],
    ['soft\u00ADhyphen \u3164 \u2800', 'soft[U+00AD]hyphen [U+3164] [U+2800]'],
    ['a\u200Db', 'a[U+200D]b'],
    // Spelling and emoji stay as they are.
    ['می\u200Cخواهم', 'می\u200Cخواهم'],
    ['क्\u200Dष', 'क्\u200Dष'],
    ['👩\u200D💻 ❤\uFE0F 👩🏽\u200D🚀', '👩\u200D💻 ❤\uFE0F 👩🏽\u200D🚀'],
    ['x\uFE0F', 'x[U+FE0F]'],
    ['naïve – “quotes” … 日本語 עברית', 'naïve – “quotes” … 日本語 עברית'],
  ] as const) {
    it(JSON.stringify(shown), () => {
      assert.equal(visibleText(text), shown);
      assert.equal(
        pieces(text)
          .map((piece) => piece.text)
          .join(''),
        text,
        'nothing is lost',
      );
    });
  }
});

describe('webview kept state', () => {
  it('comes back unchanged', () => {
    const saved = {
      revision: 7,
      key: 'w1/RFC-1',
      forms: { a: { fields: { answer: 'UTC', panel: 'answer' }, shown: 's' } },
      unfolded: { a: ['x'] },
    };
    assert.deepEqual(parseSaved(JSON.parse(JSON.stringify(saved))), saved);
  });

  it('drops damaged parts and keeps the rest', () => {
    const good = { fields: { panel: 'cancel' }, shown: 's' };
    const saved = {
      forms: { a: good, b: { fields: { note: 1 }, shown: 's' }, c: 'x', d: { fields: {} }, e: null },
      unfolded: { a: [1], b: ['x'] },
    };
    assert.deepEqual(parseSaved(saved), { revision: 0, key: '', forms: { a: good }, unfolded: { b: ['x'] } });
    for (const other of [{}, { revision: 'x', forms: [], unfolded: 7 }])
      assert.deepEqual(parseSaved(other), { revision: 0, key: '', forms: {}, unfolded: {} });
    for (const other of [undefined, null, 1, []]) assert.equal(parseSaved(other), undefined);
  });

  it('keeps the latest two hundred entries', () => {
    let all: Record<string, number> = {};
    for (let index = 0; index < 210; index++) all = remember(all, `k${index}`, index);
    all = remember(all, 'k10', 100);
    assert.deepEqual(Object.keys(all).slice(0, 2), ['k11', 'k12']);
    assert.deepEqual([Object.keys(all).length, Object.keys(all).at(-1), all['k10']], [200, 'k10', 100]);
    assert.equal('k10' in remember<number>(all, 'k10', undefined), false);
  });
});

describe('webview icons and samples', () => {
  it('have a glyph from the font for every icon', () => {
    const read = (file: string, glyph: RegExp): Map<string, string> =>
      new Map([...readFileSync(path.join(root, file), 'utf8').matchAll(glyph)].map((match) => [match[1]!, match[2]!]));
    const ours = read('webview/shared/elements.ts', /^ {2}'?([\w-]+)'?: '\\u\{(\w+)\}',$/gm);
    const font = read(
      'node_modules/@vscode/codicons/dist/codicon.css',
      /\.codicon-([\w-]+)::?before\s*\{\s*content: ['"]\\(.*?)['"]/g,
    );
    assert.ok(ours.size > 15);
    for (const [name, glyph] of ours) assert.equal(glyph, font.get(name), name);
  });
});
