// The icon font has 600 glyphs, and webviews use some thirty: only those are shipped.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';

/** @param {string} folder whose style sheets name every glyph by its code: `content: '\\eab2'` */
export function onlyGlyphsInUse(folder) {
  return {
    name: 'only-glyphs-in-use',
    setup({ onLoad }) {
      onLoad({ filter: /\.ttf$/ }, async ({ path: file }) => ({
        contents: await subsetFont(await readFile(file), await glyphsIn(folder), { targetFormat: 'truetype' }),
        loader: 'file',
      }));
    },
  };
}

async function glyphsIn(folder) {
  const sheets = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.css'));
  const texts = await Promise.all(sheets.map((name) => readFile(path.join(folder, name), 'utf8')));
  const codes = [...texts.join('\n').matchAll(/content: '\\([0-9a-f]{4})'/g)].map(([, code]) => parseInt(code, 16));
  return String.fromCodePoint(...codes);
}
