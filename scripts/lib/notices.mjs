// The licences of the packages that are in the bundles ask that their texts go with each copy: each text once.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** @param {string} file @param {readonly string[]} modules paths of everything that is packed */
export async function writeNotices(file, modules) {
  const folders = modules.flatMap((name) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? []);
  const byText = new Map();
  for (const folder of [...new Set(folders)].sort()) {
    const { name, version, license, author } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const files = (await readdir(folder)).filter((one) => /^(?:licen[cs]e|notice|copying)(?!-mpl)/i.test(one));
    const texts = await Promise.all(files.map((one) => readFile(path.join(folder, one), 'utf8')));
    const paragraphs = texts
      .join('\n\n')
      .replaceAll('\r', '')
      .split(/\n\s*\n/);
    const isOwn = (text) => text.length < 400 && /^\W*(?:copyright\b|\(c\)|(?:the )?mit license)/i.test(text);
    const owners = paragraphs.filter(isOwn).map((text) => text.trim());
    const text = paragraphs.filter((one) => !isOwn(one)).map((one) => one.replaceAll(/\s+/g, ' ').trim());
    const by = owners.length > 0 ? owners.join('\n') : `By ${author?.name ?? author}`;
    const key = text.filter(Boolean).join('\n\n') || license;
    byText.set(key, [...(byText.get(key) ?? []), `${name} ${version} (${license})\n${by}`]);
  }
  // Those with much in common stand together: the package's compression looks back 32 KB.
  const isApache = ([text]) => Number(text.includes('Apache License'));
  const notices = [...byText]
    .sort((a, b) => isApache(a) - isApache(b))
    .map(([text, packages]) => `${packages.join('\n\n')}\n\n${text}\n`);
  await writeFile(file, `Parts of Holdpoint are the work of others.\n\n${notices.join(`\n${'-'.repeat(60)}\n\n`)}`);
}
