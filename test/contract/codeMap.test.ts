/** Checks that the tables of docs/dev/architecture.md name exactly the folders, layers, families and files that exist. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const page = readFileSync(path.join(root, 'docs', 'dev', 'architecture.md'), 'utf8');
const map = section('Code map');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const files = tracked.filter(
  (file) => /^(?:src|webview)\//.test(file) && file.endsWith('.ts') && !file.endsWith('.d.ts'),
);

function section(title: string): string {
  return page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** A layer in the map: each family with the file to start at. */
const layers = new Map(
  map
    .split('\n### ')
    .slice(1)
    .map((text) => {
      const [name = ''] = text.split('\n');
      const rows = [...text.matchAll(/^\| `(\w+)` +\|[^|]*\| `([\w.]+)` +\|$/gm)];
      return [name.trim(), { text, families: new Map(rows.map(([, family, start]) => [family ?? '', start])) }];
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

it('the table of folders names each folder of the repository', () => {
  const named = [...section('Folders').matchAll(/^\| `(\w+)` +\|/gm)].map(([, folder]) => folder);
  const folders = tracked.flatMap((file) => /^(\w+)\//.exec(file)?.[1] ?? []);
  assert.deepEqual(named.toSorted(), [...new Set(folders)].toSorted());
});

it('the table of invariants names files and scripts that exist', () => {
  const cells = [...section('Invariants').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const paths = cells.filter((name) => name.includes('/') && !name.startsWith('npm '));
  assert.ok(paths.length > 40, String(paths.length));
  assert.deepEqual(
    paths.filter((name) => !existsSync(path.join(root, name))),
    [],
  );
});

it('the table of parts names paths that exist, and every layer', () => {
  const where = [...section('What each part buys').matchAll(/^\| [^|]+\| ([^|]+)\|/gm)].map(([, cell = '']) => cell);
  const paths = where.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  assert.deepEqual(
    paths.filter((name) => !existsSync(path.join(root, name))),
    [],
  );
  const inNone = [...layers.keys()].filter(
    (layer) => layer.startsWith('src/') && !paths.some((name) => `${name}/`.startsWith(`${layer}/`)),
  );
  assert.deepEqual(inNone, []);
});
