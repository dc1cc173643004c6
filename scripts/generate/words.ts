/** Extracts the texts of the editor and of the server of forms for translators, and finds texts that are missing from them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { english } from '../../src/protocol/strings/strings.ts';

const root = path.join(import.meta.dirname, '..', '..');

export interface Message {
  readonly message: string;
  readonly comment?: readonly string[];
}

/** `l10n/bundle.l10n.json`, with VS Code's keys: the text, plus a key where one word needs several translations. */
export function exportedBundle(): Record<string, string | Message> {
  const messages: [string, string | Message][] = [
    ...editorSources().flatMap((source) => calls(source).flatMap((call) => literalMessage(call) ?? [])),
    ...whysOfRecovery(),
  ].map((message) => [message, message]);
  const keyed = Object.entries(english).map(([key, message]): [string, Message] => [
    `${message}/${key}`,
    { message, comment: [key] },
  ]);
  const all = [...messages, ...keyed].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(all);
}

/** Calls of `l10n.t` whose message tools cannot extract. */
export function unreadableCalls(): string[] {
  return editorSources().flatMap((source) =>
    calls(source)
      .filter((call) => literalMessage(call) === undefined && !isKnownDynamic(call))
      .map((call) => where(source, call)),
  );
}

/** Texts in the code of editor and webviews that look like sentences but are not translated. */
export function untranslated(): string[] {
  return ['src/ui', 'src/vscode', 'webview'].flatMap(sources).flatMap((source) => {
    const found: string[] = [];
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

const editorSources = () => ['src/ui', 'src/vscode', 'src/serve'].flatMap(sources);

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
    if (ts.isCallExpression(node) && node.expression.getText() === 'l10n.t') found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function literalMessage(call: ts.CallExpression): string | undefined {
  const [first] = call.arguments;
  return first && ts.isStringLiteralLike(first) ? first.text : undefined;
}

/** The webviews' catalog and the recovery texts, which are exported from their sources. */
function isKnownDynamic(call: ts.CallExpression): boolean {
  const text = call.getText();
  return text.includes('comment: [key]') || text === 'l10n.t(why)';
}

/** Reasons why a recovery option is not available come from the use case itself. */
function whysOfRecovery(): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'why' && ts.isStringLiteralLike(node.initializer))
      found.push(node.initializer.text);
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
