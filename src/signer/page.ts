/** The page that shows a request: plain HTML, in which text by others is escaped and its hidden characters are visible. */
import * as vscode from 'vscode';
import { escaped } from './escaped.ts';
import type { Described, Row } from './kinds/kind.ts';
import type { Note } from './workspaces.ts';

interface Signed extends Described {
  /** Everything that is signed, as JSON. */
  readonly whole: string;
}

export interface PageContent {
  readonly decisions: readonly Signed[];
  readonly by: string;
  readonly notes: readonly Note[];
  readonly language: string;
  readonly tooSoonMs: number;
}

export function pageOf({ decisions, by, notes, language, tooSoonMs }: PageContent): string {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(vscode.l10n.t('Sign a Decision'))}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main data-view="sign">
${decisions.map(decisionOf).join('\n')}
${notes.map(({ text, isWarning }) => `<p${isWarning ? ' class="warning" role="alert"' : ''}>${escaped(text)}</p>`).join('\n')}
<p>${escaped(vscode.l10n.t('Signed as {0}, with the key on this machine.', by))}</p>
<p class="buttons">
<button id="sign" disabled>${escaped(decisions.length === 1 ? vscode.l10n.t('Sign') : vscode.l10n.t('Sign All {0}', decisions.length))}</button>
<button id="no" class="secondary">${escaped(vscode.l10n.t('Don’t Sign'))}</button>
</p>
</main>
<script nonce="${nonce}">(${script})(${String(tooSoonMs)})</script>
</body>
</html>`;
}

function rowOf({ label, text, isMain, isDocument }: Row): string {
  const name = escaped(label);
  // It scrolls, so the keyboard must reach it.
  const how = isDocument
    ? ` class="document" tabindex="0" role="region" aria-label="${name}"`
    : isMain
      ? ' class="main"'
      : '';
  return `<dt>${name}</dt><dd${how}>${escaped(text)}</dd>`;
}

function decisionOf({ title, rows, whole }: Signed): string {
  const items = rows.map(rowOf);
  return `<section>
<h1>${escaped(title)}</h1>
<dl>${items.join('')}</dl>
<details><summary>${escaped(vscode.l10n.t('Everything that is signed'))}</summary><pre>${escaped(whole)}</pre></details>
</section>`;
}

const style = `
body { color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); }
main { max-width: 50rem; padding: 0.5rem 0 1rem; }
h1 { font-size: 1.3em; font-weight: 600; margin: 0.5rem 0; }
section + section { border-top: 1px solid var(--vscode-widget-border, var(--vscode-foreground)); }
dt { color: var(--vscode-descriptionForeground); margin-top: 0.6rem; }
dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; white-space: pre-wrap; }
dd.main { font-size: 1.15em; }
dd.document { border: 1px solid var(--vscode-widget-border, var(--vscode-foreground)); max-height: 60vh; overflow: auto;
  padding: 0.4rem 0.6rem; }
pre { overflow-wrap: anywhere; unicode-bidi: isolate; white-space: pre-wrap; }
details { margin-top: 0.8rem; }
.warning { border-left: 3px solid var(--vscode-editorWarning-foreground); padding-left: 0.6rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button { background: var(--vscode-button-background); border: 1px solid var(--vscode-button-border, transparent);
  border-radius: 4px; color: var(--vscode-button-foreground); cursor: pointer; font: inherit; padding: 0.3rem 0.9rem; }
button:disabled { cursor: default; opacity: 0.5; }
button.secondary { background: var(--vscode-button-secondaryBackground); color: var(--vscode-button-secondaryForeground); }
button:focus-visible, dd:focus-visible, summary:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;

/** Runs in the page. The button takes no click in the first half second in which it can be seen. */
const script = `(wait) => {
  const host = acquireVsCodeApi();
  const sign = document.getElementById('sign');
  let timer;
  const arm = () => {
    clearTimeout(timer);
    sign.disabled = true;
    if (document.visibilityState === 'visible') timer = setTimeout(() => { sign.disabled = false; }, wait + 50);
  };
  document.addEventListener('visibilitychange', arm);
  sign.addEventListener('click', (event) => {
    if (event.isTrusted && !sign.disabled) host.postMessage('sign');
  });
  document.getElementById('no').addEventListener('click', () => host.postMessage('no'));
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') host.postMessage('no');
  });
  host.postMessage('ready');
  arm();
}`;
