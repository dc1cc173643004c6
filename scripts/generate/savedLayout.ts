/**
 * What saved states look like: the types of the state, the schemas of records that are saved with it, and the code that
 * packs it into columns. `npm run generate` keeps its hash in the program, which discards saved states of
 * another layout.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import * as z from 'zod';
import { anyRecord } from '../../src/core/records/records.ts';

const root = path.join(import.meta.dirname, '..', '..');
const typed = ['src/core/state', 'src/core/records'];
const saved = [
  'databaseFile',
  'events',
  'fnv',
  'heldFiles',
  'holds',
  'lookups',
  'questions',
  'requests',
  'shards',
  'state',
].map((name) => `src/store/saved/${name}.ts`);
const packing = [...saved, 'src/core/hold/bases.ts', 'src/core/hold/holdKeys.ts', 'src/core/kit/glob.ts'];

/** The files that say what a saved state looks like: their texts by path from the root. */
export function layoutSources(): ReadonlyMap<string, string> {
  const inFolders = typed.flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`));
  const files = [...inFolders, ...packing].filter((file) => file.endsWith('.ts')).sort();
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

export function savedLayoutHash(sources: ReadonlyMap<string, string>): string {
  const parts = [...sources].map(([file, text]) => {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const declared = packing.includes(file) ? source.statements : source.statements.filter(isTypeDeclaration);
    return declared.map(tokensOf);
  });
  const records = anyRecord.kinds.map((kind) => {
    const schema = anyRecord.schema(kind);
    return schema && z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  });
  return createHash('sha256')
    .update(JSON.stringify([records, parts]))
    .digest('hex')
    .slice(0, 16);
}

export function savedLayoutModule(): string {
  return [
    '/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */',
    `export const savedLayout = '${savedLayoutHash(layoutSources())}';`,
    '',
  ].join('\n');
}

function isTypeDeclaration(node: ts.Node): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

/** Code without comments and spaces. */
function tokensOf(node: ts.Node): string {
  const children = node.getChildren().filter((child) => !ts.isJSDoc(child));
  return children.length === 0 ? node.getText() : children.map(tokensOf).join(' ');
}
