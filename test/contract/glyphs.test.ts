/** The packaged icon font has all glyphs that webviews show: the build removes the others. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../support/host.ts';

/** The characters of a TrueType font, from the segments of its `cmap` table in format 4. */
function charactersOf(font: Buffer): Set<string> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const cmap = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap');
  assert.ok(cmap !== undefined, 'the font has a cmap table');
  const base = font.readUInt32BE(cmap + 8);
  const characters = new Set<string>();
  for (let table = 0; table < font.readUInt16BE(base + 2); table++) {
    const at = base + font.readUInt32BE(base + 4 + 8 * table + 4);
    if (font.readUInt16BE(at) !== 4) continue;
    const twice = font.readUInt16BE(at + 6);
    for (let segment = 0; segment < twice; segment += 2) {
      const last = font.readUInt16BE(at + 14 + segment);
      for (let code = font.readUInt16BE(at + 16 + twice + segment); code <= last && code < 0xffff; code++)
        characters.add(String.fromCharCode(code));
    }
  }
  return characters;
}

/** Private-use characters that sources write as escapes, in TypeScript or CSS. */
async function glyphsInSources(): Promise<Set<string>> {
  const names = (await readdir(path.join(root, 'webview'), { recursive: true })).filter((name) =>
    /\.(ts|css)$/.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(path.join(root, 'webview', name), 'utf8')));
  const codes = [...texts.join('\n').matchAll(/\\(?:u\{|u)?(e[a-f][0-9a-f]{2})\b/gi)];
  return new Set(codes.map(([, code = '']) => String.fromCharCode(Number.parseInt(code, 16))));
}

describe('the icon font of webviews', () => {
  it('has every glyph in use, and at most ten others', async () => {
    const used = await glyphsInSources();
    assert.ok(used.size > 20);
    const shipped = charactersOf(await readFile(path.join(root, 'dist', 'webview', 'codicon.ttf')));
    assert.deepEqual(
      [...used].filter((glyph) => !shipped.has(glyph)),
      [],
    );
    assert.ok(shipped.size < used.size + 10, `${String(shipped.size)} glyphs are packaged`);
  });
});

describe('icons of editor tabs', () => {
  it('have image files for light and dark themes', async () => {
    const folder = path.join(root, 'src', 'vscode');
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
    const icons = sources.flatMap((source) => [...source.matchAll(/(?:panel|opened)\.iconPath = ([^;]+);/g)]);
    assert.ok(icons.length >= 2);
    for (const [line, icon = ''] of icons) assert.match(icon, /^(?:tabIcon\(|new vscode\.ThemeIcon\()/, line);
    for (const name of ['light', 'dark'])
      assert.match(await readFile(path.join(root, 'media', `tab-${name}.svg`), 'utf8'), /stroke="#[0-9a-f]{6}"/);
  });
});
