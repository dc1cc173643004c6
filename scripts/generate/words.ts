/** Extracts the texts of the editor, of its webviews and of the server of forms for translators. */
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

/** All but the module of the webviews' functions. */
export const translating = () =>
  ['src/hosts', 'src/ui', 'src/vscode', 'src/serve', 'webview']
    .flatMap(sources)
    .filter(({ fileName }) => !fileName.endsWith('shared/strings.ts'));

export function sources(folder: string): ts.SourceFile[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => parse(path.join(folder, name)));
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

export function calls(source: ts.SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslation(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The message, or those for one thing and for several. */
export function messagesOf(call: ts.CallExpression): ts.Expression[] {
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

export function isTranslation(node: ts.CallExpression): boolean {
  return ['l10n.t', 't', 'tn', 'th'].includes(node.expression.getText());
}
