/** `npm run generate`: writes what is derived from the tool catalog, and the words for translators. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { languageModelTools, toolsPage } from './toolReference.ts';
import { exportedBundle } from './words.ts';

const root = path.join(import.meta.dirname, '..', '..');
const manifestFile = path.join(root, 'package.json');
const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { contributes: { languageModelTools: object[] } };
manifest.contributes.languageModelTools = languageModelTools();
const style = await resolveConfig(manifestFile);
await writeFile(manifestFile, await format(JSON.stringify(manifest), { ...style, parser: 'json-stringify' }));
await writeFile(path.join(root, 'docs', 'tools.md'), await format(toolsPage(), { ...style, parser: 'markdown' }));
await mkdir(path.join(root, 'l10n'), { recursive: true });
const bundle = JSON.stringify(exportedBundle());
await writeFile(
  path.join(root, 'l10n', 'bundle.l10n.json'),
  await format(bundle, { ...style, parser: 'json-stringify' }),
);
