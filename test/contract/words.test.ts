/** Every text for people is translatable, and the bundle for translators has it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import {
  calls,
  exportedBundle,
  isTranslation,
  messagesOf,
  sources,
  translating,
} from '../../scripts/generate/words.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Texts without a translation: names, markup, and what only agents and programmers read. */
const notForPeople = [
  'Holdpoint',
  'Mac',
  'Slack',
  'Codex',
  'Enter',
  'Escape',
  'open long',
  'noopener noreferrer',
  '@echo off',
  'is not an open folder with a Holdpoint store',
  'holdpoint: the command for terminals cannot be written',
  'holdpoint: the hooks of agents could not be checked',
  'holdpoint: a parked agent cannot be started',
  'Denied: no folder is open, so nothing can be recorded. Ask your human to open a folder, and stop.',
];

describe('texts for people', () => {
  it('all go through l10n.t, or t, tn and th in webviews, as literals', () => {
    const forgotten = untranslated().filter((found) => !notForPeople.some((text) => found.endsWith(` ${text}`)));
    assert.deepEqual(forgotten, []);
    assert.deepEqual(unreadableCalls(), []);
  });

  it('are exported for translators: run `npm run generate` when this fails', async () => {
    const bundle = JSON.parse(await readFile(path.join(root, 'l10n', 'bundle.l10n.json'), 'utf8')) as unknown;
    assert.deepEqual(bundle, exportedBundle());
  });
});

/** Calls of the functions that translate whose message tools cannot extract. */
function unreadableCalls(): string[] {
  return translating().flatMap((source) =>
    calls(source)
      .filter((call) => !messagesOf(call).every(ts.isStringLiteralLike) && call.getText() !== 'l10n.t(why)')
      .map((call) => where(source, call)),
  );
}

/**
 * Texts in the code of editor and webviews that look like sentences but are not translated. The titles of commands are
 * in package.nls.json.
 */
function untranslated(): string[] {
  return ['src/ui', 'src/vscode', 'webview'].flatMap(sources).flatMap((source) => {
    const found: string[] = [];
    if (source.fileName.endsWith('ui/kit/ids.ts')) return found;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isTranslation(node)) return;
      if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
      for (const text of texts(node)) if (isProse(text)) found.push(`${where(source, node)} ${text.trim()}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** The texts in a node: a literal, or the parts of a template; in HTML only the text between tags. */
function texts(node: ts.Node): string[] {
  if (ts.isTaggedTemplateExpression(node)) return [];
  if (ts.isStringLiteralLike(node)) return [isHtml(node) ? outsideTags(node.text) : node.text];
  if (!ts.isTemplateExpression(node)) return [];
  const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return isHtml(node) ? [outsideTags(parts.join('\0'))] : parts;
}

function isHtml(node: ts.Node): boolean {
  return ts.isTaggedTemplateExpression(node.parent) || /<[a-z!]/.test(node.getText());
}

function outsideTags(text: string): string {
  return text.replace(/<!--[^]*?-->|<[^>]*>/g, ' ').replaceAll('\0', ' ');
}

/** Two words in a row, or a capitalised word with punctuation: likely prose, not an identifier. */
function isProse(text: string): boolean {
  return /[A-Za-z]{2,},? [a-z]{2,}|[A-Z][a-z]+ [a-z]+|^[A-Z][a-z]{2,}[.…!]?$|[a-z]{3,}…/.test(text.trim());
}

function where(source: ts.SourceFile, node: ts.Node): string {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${source.fileName}:${String(line + 1)}`;
}
