/** VS Code’s side of a webview: its document, its default styles, and the API for scripts in the page. */
import { randomBytes } from 'node:crypto';
import { pageTexts, type Program } from '../../src/ui/kit/program.ts';
import type { ThemeFixture } from './themes.ts';

/** The page, with the policy of the real one. */
export function document(
  origin: string,
  { name, ground }: { readonly name: string; readonly ground: 'sideBar' | 'editor' },
  chunks: readonly string[],
  language: Pick<Program, 'language' | 'texts'> = { language: 'en-GB' },
): string {
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${origin} 'nonce-${nonce}'`,
    `font-src ${origin}`,
    `img-src ${origin} data:`,
  ].join('; ');
  return `<!doctype html>
<html lang="${language.language}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${name}</title>
    ${pageTexts(language)}
    <style nonce="${nonce}">html { background: var(--vscode-${ground}-background); } ${defaultStyles}</style>
    <link rel="stylesheet" href="/base.css" />
    <link rel="stylesheet" href="/${name}.css" />
    ${chunks.map((chunk) => `<link rel="modulepreload" nonce="${nonce}" href="/${chunk}" />`).join('\n    ')}
    <script type="module" nonce="${nonce}" src="/${name}.js"></script>
  </head>
  <body data-loading="Loading…"></body>
</html>`;
}

/** VS Code’s styles for every webview, as far as they show here. */
export const defaultStyles = `
@layer vscode-default {
  body {
    overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight);
    font-size: var(--vscode-font-size); margin: 0; padding: 0 20px;
  }
  a, a code { color: var(--vscode-textLink-foreground); }
  p > a { text-decoration: var(--text-link-decoration); }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code {
    font-family: var(--monaco-monospace-font); color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px;
  }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
  kbd { border-style: solid; border-width: 1px; box-shadow: inset 0 -1px 0 var(--vscode-widget-shadow); }
}`;

export interface Boundary {
  posted: unknown[];
  /** Ends this page, which keeps nothing from then on. @param state - what the next page finds, as JSON */
  end(state: string | null): void;
  wear(theme: ThemeFixture): void;
}

/** VS Code’s side of the page; runs before everything else. */
export function boundary(theme: ThemeFixture): void {
  const posted: unknown[] = [];
  let ended = false;
  Object.assign(globalThis, {
    posted,
    end: (state: string | null) => {
      ended = true;
      sessionStorage.clear();
      if (state !== null) sessionStorage.setItem('state', state);
    },
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => posted.push(structuredClone(message)),
      setState: (state: unknown) => {
        if (!ended) sessionStorage.setItem('state', JSON.stringify(state));
      },
      getState: () => {
        const kept = sessionStorage.getItem('state');
        return kept === null ? undefined : (JSON.parse(kept) as unknown);
      },
    }),
  });
  globalThis.document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  const wear = ({ kind, variables }: ThemeFixture): void => {
    const { body, documentElement } = globalThis.document;
    documentElement.removeAttribute('style');
    for (const [name, value] of Object.entries(variables)) documentElement.style.setProperty(name, value);
    // Classes of the page itself stay.
    body.classList.remove(body.dataset['vscodeThemeKind'] ?? kind);
    body.dataset['vscodeThemeKind'] = kind;
    body.classList.add(kind);
  };
  Object.assign(globalThis, { wear });
  new MutationObserver((_, observer) => {
    if ((globalThis.document.body as HTMLElement | null) === null) return;
    observer.disconnect();
    wear(theme);
  }).observe(globalThis.document, { childList: true, subtree: true });
}
