import assert from 'node:assert/strict';
import fc from 'fast-check';
import { difference, type DifferenceRow } from '../../../src/core/kit/difference.ts';

/** `-a [b]` is a removed row in which b changed. */
function written(rows: readonly DifferenceRow[]): string[] {
  return rows.map((row) => {
    if (row.type === 'gap') return `… ${String(row.lines)}`;
    if (row.type === 'same') return ` ${row.text}`;
    const text = row.pieces.map((piece) => (piece.changed ? `[${piece.text}]` : piece.text)).join('');
    return `${row.type === 'added' ? '+' : '-'}${text}`;
  });
}

describe('the difference of two texts', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
  const cases: [name: string, before: string[], after: string[], rows: string[]][] = [
    ['nothing', ['a', 'b'], ['a', 'b'], []],
    ['from nothing', [], ['a', 'b'], ['+[a]', '+[b]']],
    ['to nothing', ['a'], [], ['-[a]']],
    [
      'a word',
      ['We use Redis here.'],
      ['We use Postgres here.'],
      ['-We use [Redis] here.', '+We use [Postgres] here.'],
    ],
    [
      'another line',
      ['We use Redis here.'],
      ['The reason is unknown.'],
      ['-[We use Redis here.]', '+[The reason is unknown.]'],
    ],
    [
      'far apart: counts the lines between',
      lines(1, 20),
      ['new', ...lines(2, 20), 'end'],
      ['-[line 1]', '+[new]', ' line 2', ' line 3', '… 15', ' line 19', ' line 20', '+[end]'],
    ],
    [
      'close together: shows the one line between',
      lines(1, 5),
      ['x', ...lines(1, 5), 'y'],
      ['+[x]', ...lines(1, 5).map((one) => ` ${one}`), '+[y]'],
    ],
    [
      'shows added lines',
      ['one two three'],
      ['one two four', 'five'],
      ['-one two [three]', '+one two [four]', '+[five]'],
    ],
  ];
  for (const [name, before, after, rows] of cases)
    it(name, () => {
      assert.deepEqual(written(difference(before.join('\n'), after.join('\n'))), rows);
    });

  it('ignores different line endings', () => {
    assert.deepEqual(difference('a\r\nb', 'a\nb'), []);
  });

  it('contains both texts, except for the lines it leaves out', () => {
    const text = fc.array(fc.constantFrom('', 'a', 'b c', 'b d', 'the same line', '# Title'), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = difference(before.join('\n'), after.join('\n'));
        if (rows.length === 0) return before.join('\n') === after.join('\n');
        const side = (other: 'added' | 'removed') =>
          rows.flatMap((row) => {
            if (row.type === other) return [];
            if (row.type === 'gap') return Array<string | null>(row.lines).fill(null);
            return [row.type === 'same' ? row.text : row.pieces.map((piece) => piece.text).join('')];
          });
        const fits = (lines: (string | null)[], wanted: string[]) =>
          lines.length === wanted.length && lines.every((line, index) => line === null || line === wanted[index]);
        const given = (all: string[]) => (all.join('\n') === '' ? [] : all);
        return fits(side('added'), given(before)) && fits(side('removed'), given(after));
      }),
    );
  });

  it('exists for two long texts that have nothing in common', () => {
    const rows = difference(
      Array.from({ length: 3_000 }, (_, index) => `old ${index}`).join('\n'),
      Array.from({ length: 3_000 }, (_, index) => `new ${index}`).join('\n'),
    );
    assert.equal(rows.filter(({ type }) => type === 'removed').length, 3_000);
    assert.equal(rows.filter(({ type }) => type === 'added').length, 3_000);
  });
});
