/** Extracts the texts of the editor, of its webviews and of the server of forms for translators, and finds texts that are missing from them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.join(import.meta.dirname, '..', '..');

/** `l10n/bundle.l10n.json`, as VS Code has it: each text by itself. */
export function exportedBundle(): Record<string, string> {
  const messages = [...translating().flatMap((source) => calls(source).flatMap(messagesOf)), ...whysOfRecovery()];
  const texts = messages.flatMap((message) => (ts.isStringLiteralLike(message) ? [message.text] : []));
  return Object.fromEntries([...new Set(texts)].sort().map((text) => [text, text]));
}

/** Calls of the functions that translate whose message tools cannot extract. */
export function unreadableCalls(): string[] {
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
export function untranslated(): string[] {
  return ['src/ui', 'src/vscode', 'webview'].flatMap(sources).flatMap((source) => {
    const found: string[] = [];
    if (source.fileName.endsWith('kit/commands.ts')) return found;
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

/** All but the module of the webviews' functions. */
const translating = () =>
  ['src/ui', 'src/vscode', 'src/serve', 'webview']
    .flatMap(sources)
    .filter(({ fileName }) => !fileName.endsWith('shared/strings.ts'));

function sources(folder: string): ts.SourceFile[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => parse(path.join(folder, name)));
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

function calls(source: ts.SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslation(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The message, or those for one thing and for several. */
function messagesOf(call: ts.CallExpression): ts.Expression[] {
  const [first, ...more] = call.arguments;
  if (call.expression.getText() === 'tn') return more.slice(0, 2);
  return first ? [first] : [];
}

/** Reasons why a recovery option is not available come from the use case itself. */
function whysOfRecovery(): ts.StringLiteralLike[] {
  const found: ts.StringLiteralLike[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'why' && ts.isStringLiteralLike(node.initializer))
      found.push(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(parse('src/app/recovery/recovery.ts'));
  return found;
}

function isTranslation(node: ts.CallExpression): boolean {
  return ['l10n.t', 't', 'tn', 'th'].includes(node.expression.getText());
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
