/** The page of a webview: one script with its chunks, one style sheet, and a policy that allows nothing else. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pageTexts, program } from '../../ui/kit/program.ts';

export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, surface: string, title: string): string {
  const nonce = randomBytes(24).toString('base64url');
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  // Imports of a script with a nonce may run too. Preloaded, so that all are fetched at once.
  const preloads = chunksOf(extensionUri, surface).map(
    (chunk) => `<link rel="modulepreload" nonce="${nonce}" href="${file(chunk)}">`,
  );
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!doctype html>
<html lang="${program().language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${pageTexts()}
<link rel="stylesheet" href="${file(`${surface}.css`)}">
${preloads.join('\n')}
<script type="module" nonce="${nonce}" src="${file(`${surface}.js`)}"></script>
</head>
<body data-loading="${l10n.t('Loading…')}"></body>
</html>`;
}

/** The icon of a tab: an image file does not follow the theme's colours. */
export function tabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
  return { light: file('tab-light.svg'), dark: file('tab-dark.svg') };
}

/** The files that a surface's script imports, from the build's metadata. */
function chunksOf(extensionUri: vscode.Uri, surface: string): readonly string[] {
  const list = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'chunks.json').fsPath;
  return (JSON.parse(fs.readFileSync(list, 'utf8')) as Record<string, string[]>)[surface] ?? [];
}

/** What a webview may load: only our bundles, nothing from the workspace. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')] };
}
