import assert from 'node:assert/strict';
import { layoutSources, savedLayoutHash } from '../../scripts/generate/savedLayout.ts';
import { savedLayout } from '../../src/store/rows/savedLayout.ts';

const sources = layoutSources();

function hashWith(file: string, before: string, after: string): string {
  const text = sources.get(file) ?? '';
  assert.equal(text.split(before).length, 2, `${before} in ${file}`);
  return savedLayoutHash(new Map([...sources, [file, text.replace(before, after)]]));
}

describe('the layout of saved states', () => {
  it('is up to date: run `npm run generate` when this fails', () => {
    assert.equal(savedLayout, savedLayoutHash(sources));
  });

  it('changes with a column or a field of the state', () => {
    for (const [file, before, after] of [
      // One column removed, and one whose cells changed their meaning.
      ['src/store/saved/questions.ts', 'const columns = { hold: [],', 'const columns = { holds: [],'],
      ['src/store/saved/holds.ts', 'work === null ? -1 :', 'work === null ? -2 :'],
      // How gates find what holds.
      ['src/core/hold/holdKeys.ts', 'const deepest = 12;', 'const deepest = 13;'],
      ['src/core/kit/glob.ts', "text.normalize('NFC').toLowerCase()", "text.normalize('NFC').toUpperCase()"],
      ['src/store/saved/events.ts', "author === 'human' ? 1 : 0", "author === 'human' ? 0 : 1"],
      ['src/core/state/state.ts', '  readonly startOrder: number;', '  readonly startOrder: string;'],
      ['src/core/state/rfc.ts', 'export interface Rfc {', 'export interface Rfc { readonly more: string;'],
      [
        'src/core/state/request.ts',
        'export interface OpenRequest {',
        'export interface OpenRequest { readonly more: 1;',
      ],
    ] as const)
      assert.notEqual(hashWith(file, before, after), savedLayout, `${file}: ${after}`);
  });

  it('does not change with a comment or a function', () => {
    const added = '/** Another comment. */\nexport function more() {}\nexport interface Rfc {';
    assert.equal(hashWith('src/core/state/rfc.ts', 'export interface Rfc {', added), savedLayout);
  });
});
