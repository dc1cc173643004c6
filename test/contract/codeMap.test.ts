/** Checks that the code map of docs/architecture.md names exactly the layers, families and starting points that exist. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const map = readFileSync(path.join(root, 'docs', 'architecture.md'), 'utf8')
  .split('## Code map')[1]
  ?.split('\n## ')[0];
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'webview'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));

/** A layer in the map: each family with the file to start at. */
const layers = new Map(
  (map ?? '')
    .split('\n### ')
    .slice(1)
    .map((section) => {
      const [name = ''] = section.split('\n');
      const rows = [...section.matchAll(/^\| `(\w+)` +\|[^|]*\| `([\w.]+)` +\|$/gm)];
      return [
        name.trim(),
        { text: section, families: new Map(rows.map(([, family, start]) => [family ?? '', start])) },
      ];
    }),
);

describe('the code map', () => {
  it('names every layer', () => {
    const expected = files.map((file) =>
      file.startsWith('webview/') ? 'webview' : file.split('/').slice(0, 2).join('/'),
    );
    assert.deepEqual(
      [...layers.keys()].filter((name) => name !== 'test').toSorted(),
      [...new Set(expected)].filter((name) => !name.endsWith('.ts')).toSorted(),
    );
  });

  for (const [layer, { text, families }] of layers) {
    if (layer === 'test') continue;
    it(`names every family of ${layer}`, () => {
      const inside = files.filter((file) => file.startsWith(`${layer}/`)).map((file) => file.slice(layer.length + 1));
      const folders = inside.filter((file) => file.includes('/')).map((file) => file.split('/')[0]);
      assert.deepEqual([...families.keys()].toSorted(), [...new Set(folders)].toSorted());
      for (const [family, start] of families)
        assert.ok(inside.includes(`${family}/${start ?? ''}`), `${family}/${start ?? ''}`);
      // In layers with families, the map names each file that composes them.
      if (families.size > 0)
        for (const file of inside.filter((name) => !name.includes('/')))
          assert.ok(text.includes(`\`${file}\``), `${layer}/${file} is not in the map`);
    });
  }
});
