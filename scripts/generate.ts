/** `npm run generate`: writes what is derived from the tool catalog, the schema of outputs, the layout of saved states and the texts for translators. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../src/serve/api/openapi.ts';
import { clientTypes } from './generate/clientTypes.ts';
import { outputSchemas } from './generate/outputSchemas.ts';
import { languageModelTools, toolsPage } from './generate/toolReference.ts';
import { savedLayoutModule } from './generate/savedLayout.ts';
import { languages, missingFrom, pruned } from './generate/translations.ts';
import type { English, Translation } from './generate/translations.ts';
import { exportedBundle } from './generate/words.ts';

const root = path.join(import.meta.dirname, '..');
const manifestFile = path.join(root, 'package.json');
const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { contributes: { languageModelTools: object[] } };
manifest.contributes.languageModelTools = languageModelTools();
const style = await resolveConfig(manifestFile);
await writeFile(manifestFile, await format(JSON.stringify(manifest), { ...style, parser: 'json-stringify' }));
await writeFile(path.join(root, 'docs', 'tools.md'), await format(toolsPage(), { ...style, parser: 'markdown' }));
for (const folder of ['l10n', 'schemas']) await mkdir(path.join(root, folder), { recursive: true });
const outputs = outputSchemas();
await write('schemas/outputs.json', outputs);
const api = openApiDocument(outputs.$defs['watch'] ?? {});
await write('schemas/openapi.json', api);
const clientModule = await format(clientTypes(api), { ...style, parser: 'typescript' });
await writeFile(path.join(root, 'client', 'types.ts'), clientModule);
await writeFile(path.join(root, 'src', 'store', 'rows', 'savedLayout.ts'), savedLayoutModule());
const bundle = exportedBundle();
await write('l10n/bundle.l10n.json', bundle);
for (const language of languages) {
  const missing = [
    ...(await translate(await json('package.nls.json'), `package.nls.${language}.json`)),
    ...(await translate(bundle, `l10n/bundle.l10n.${language}.json`)),
  ];
  await write(`l10n/untranslated.${language}.json`, missing);
  if (missing.length > 0)
    console.warn(`${String(missing.length)} texts have no translation: l10n/untranslated.${language}.json`);
}

/** Removes stale texts, and begins a translation that does not exist yet. Returns what has no translation. */
async function translate(english: English, file: string): Promise<string[]> {
  const translation = pruned(english, existsSync(path.join(root, file)) ? await json(file) : {});
  await write(file, translation);
  return missingFrom(english, translation);
}

async function json(file: string): Promise<Translation> {
  return JSON.parse(await readFile(path.join(root, file), 'utf8')) as Translation;
}

async function write(file: string, content: object): Promise<void> {
  const text = await format(JSON.stringify(content), { ...style, parser: 'json-stringify' });
  await writeFile(path.join(root, file), text);
}
