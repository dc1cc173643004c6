/** `npm run generate`: writes what is derived from the tool catalog, the table of commands, the policy's form, the schema of outputs, the layout of saved states and the texts for translators. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../src/serve/api/openapi.ts';
import { commandTitles, manifestCommands, paletteItems } from './generate/commands.ts';
import { clientTypes } from './generate/clientTypes.ts';
import { withHostTables } from './generate/hostsPage.ts';
import { outputSchemas } from './generate/outputSchemas.ts';
import { policyPage } from './generate/policyPage.ts';
import { languageModelTools, toolsPage } from './generate/toolReference.ts';
import { exportedBundle } from './generate/words.ts';

const root = path.join(import.meta.dirname, '..');
const manifestFile = path.join(root, 'package.json');
const style = await resolveConfig(manifestFile);
const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as {
  contributes: { languageModelTools: object[]; commands: object[]; menus: Record<string, object[]> };
};
const { contributes } = manifest;
contributes.languageModelTools = languageModelTools();
contributes.commands = manifestCommands();
contributes.menus['commandPalette'] = paletteItems();
const titles = JSON.parse(await readFile(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
await write('package.nls.json', commandTitles(titles));
await writeFile(manifestFile, await format(JSON.stringify(manifest), { ...style, parser: 'json-stringify' }));
await writeFile(path.join(root, 'docs', 'tools.md'), await format(toolsPage(), { ...style, parser: 'markdown' }));
for (const [page, change] of [
  ['README.md', withHostTables],
  ['docs/hosts.md', withHostTables],
  ['docs/policy.md', policyPage],
] as const) {
  const text = change(await readFile(path.join(root, page), 'utf8'));
  await writeFile(path.join(root, page), await format(text, { ...style, parser: 'markdown' }));
}
for (const folder of ['l10n', 'schemas']) await mkdir(path.join(root, folder), { recursive: true });
const outputs = outputSchemas();
await writeSchema('outputs', outputs);
const api = openApiDocument(outputs.$defs);
await writeSchema('openapi', api);
const clientModule = await format(clientTypes(api), { ...style, parser: 'typescript' });
await writeFile(path.join(root, 'client', 'types.ts'), clientModule);
await write('l10n/bundle.l10n.json', exportedBundle());

async function write(file: string, content: object): Promise<void> {
  const text = await format(JSON.stringify(content), { ...style, parser: 'json-stringify' });
  await writeFile(path.join(root, file), text);
}

/** A line for each definition: indented, the two schemas are a fifth larger in the package. */
async function writeSchema(name: string, content: object): Promise<void> {
  const text = JSON.stringify(content).replaceAll(/(?<=[}\]]),(?="\w+":\{"(?:type|anyOf|get|post|\$ref)")/g, ',\n');
  await writeFile(path.join(root, 'schemas', `${name}.json`), `${text}\n`);
}
