/** The page that shows a request: plain HTML, in which text by others is escaped and its hidden characters are visible. */
import { escaped } from './escaped.ts';
import type { Described, Row, Translator } from './kinds/kind.ts';
import type { Note } from './workspaces.ts';

interface Signed extends Described {
  /** Everything that is signed, as JSON. */
  readonly whole: string;
}

export interface PageContent {
  readonly decisions: readonly Signed[];
  readonly by: string;
  readonly notes: readonly Note[];
  readonly l10n: Translator;
  readonly language: string;
  readonly tooSoonMs: number;
}

export function pageOf({ decisions, by, notes, l10n, language, tooSoonMs }: PageContent): string {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(l10n.t('Sign a Decision'))}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main data-view="sign">
${notes
  .filter(({ isWarning }) => isWarning)
  .map(noteOf)
  .join('\n')}
${decisions.map((one) => decisionOf(one, l10n)).join('\n')}
${notes
  .filter(({ isWarning }) => !isWarning)
  .map(noteOf)
  .join('\n')}
<p>${escaped(l10n.t('Signed as {0}, with the key on this machine.', by))}</p>
<p class="buttons">
<button id="sign" disabled>${escaped(decisions.length === 1 ? l10n.t('Sign') : l10n.t('Sign All {0}', decisions.length))}</button>
<button id="no" class="secondary">${escaped(l10n.t('Don’t Sign'))}</button>
</p>
</main>
<script nonce="${nonce}">(${script})(${String(tooSoonMs)})</script>
</body>
</html>`;
}

function noteOf({ text, isWarning }: Note): string {
  return `<p${isWarning ? ' class="warning" role="alert"' : ''}>${escaped(text)}</p>`;
}

function rowOf({ label, text, isMain, isDocument, before }: Row): string {
  const name = escaped(label);
  const earlier = before === undefined ? '' : `<dd class="before">${escaped(before)}</dd>`;
  if (!isDocument) return `<dt>${name}</dt><dd${isMain ? ' class="main"' : ''}>${escaped(text)}</dd>${earlier}`;
  // It scrolls, so the keyboard must reach it.
  const how = `class="document" tabindex="0" role="region" aria-label="${name}"`;
  return `<dt>${name}</dt><dd><div ${how}>${escaped(text)}</div></dd>`;
}

function decisionOf({ title, rows, whole }: Signed, l10n: Translator): string {
  const items = rows.map(rowOf);
  return `<section>
<h1>${escaped(title)}</h1>
<dl>${items.join('')}</dl>
<details><summary>${escaped(l10n.t('Everything that is signed'))}</summary><pre>${escaped(whole)}</pre></details>
</section>`;
}

const style = `
body { color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); }
main { max-width: 50rem; padding-top: 0.5rem; }
h1 { font-size: 1.3em; font-weight: 600; margin: 0.5rem 0; }
section + section { border-top: 1px solid var(--vscode-widget-border, var(--vscode-foreground)); }
dt { color: var(--vscode-descriptionForeground); margin-top: 0.6rem; }
dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; white-space: pre-wrap; }
dd.main { font-size: 1.15em; }
dd.before { color: var(--vscode-descriptionForeground); }
.document { border: 1px solid var(--vscode-widget-border, var(--vscode-foreground)); max-height: 60vh; overflow: auto;
  padding: 0.4rem 0.6rem; }
pre { overflow-wrap: anywhere; unicode-bidi: isolate; white-space: pre-wrap; }
details { margin-top: 0.8rem; }
.warning { border-left: 3px solid var(--vscode-editorWarning-foreground, var(--vscode-foreground)); padding-left: 0.6rem; }
.buttons { background: var(--vscode-editor-background); border-top: 1px solid var(--vscode-widget-border, var(--vscode-foreground));
  bottom: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; padding: 0.6rem 0; position: sticky; }
button { background: var(--vscode-button-background); border: 1px solid var(--vscode-button-border, transparent);
  border-radius: 4px; color: var(--vscode-button-foreground); cursor: pointer; font: inherit; padding: 0.3rem 0.9rem; }
button:disabled { cursor: default; opacity: 0.5; }
button.secondary { background: var(--vscode-button-secondaryBackground); color: var(--vscode-button-secondaryForeground); }
button:focus-visible, .document:focus-visible, summary:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
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
