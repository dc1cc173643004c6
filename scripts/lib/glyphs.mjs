// The icon font has 600 glyphs, and webviews use about thirty; without the others the package is 57 KB smaller.
import { readFile, writeFile } from 'node:fs/promises';
import subsetFont from 'subset-font';

/**
 * Keeps the glyphs whose characters are in the files. Icons are private-use characters, and nothing else is.
 * @param {string} font
 * @param {readonly string[]} files bundles, written as UTF-8 without escapes
 */
export async function keepGlyphsInUse(font, files) {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const used = new Set(texts.join('').match(/[\uE000-\uF8FF]/g));
  await writeFile(font, await subsetFont(await readFile(font), [...used].join(''), { targetFormat: 'truetype' }));
}
