/**
 * Writes fixtures/themes.json: the variables that a real VS Code gives its webviews in its four default kinds of theme.
 * Run by hand when the pinned VS Code changes: node test/webview/dumpThemes.ts
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEditor } from '../support/editor.ts';
import { vscodeVersion } from '../support/host.ts';
import type { ThemeFixture } from './themes.ts';

const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  'hc-light': 'Default High Contrast Light',
  'hc-dark': 'Default High Contrast',
};

/** The variables that our pages and their host use. */
const pages = path.join(import.meta.dirname, '..', '..', 'dist', 'webview');
const files = (await readdir(pages)).filter((file) => /\.(css|js)$/.test(file)).map((file) => path.join(pages, file));
const texts = [...files, path.join(import.meta.dirname, 'hostPage.ts')].map((file) => readFile(file, 'utf8'));
const used = new Set((await Promise.all(texts)).join('\n').match(/--vscode-[\w-]+/g));

const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-themes-'));
await writeFile(
  path.join(folder, 'package.json'),
  JSON.stringify({ name: 'themes', publisher: 'x', version: '0.0.0', engines: { vscode: '*' } }),
);
const editor = await openEditor({ extension: folder, workspace: folder });
try {
  const found: Record<string, ThemeFixture> = {};
  for (const [name, theme] of Object.entries(themes)) {
    found[name] = await editor.window.evaluate(async ({ vscode }, theme) => {
      await vscode.workspace
        .getConfiguration()
        .update('workbench.colorTheme', theme, vscode.ConfigurationTarget.Global);
      const panel = vscode.window.createWebviewPanel('themes', 'themes', vscode.ViewColumn.One, {
        enableScripts: true,
      });
      // The theme arrives asynchronously: read it a second after the first message.
      let last: unknown;
      const spoken = new Promise<void>((resolve) => {
        panel.webview.onDidReceiveMessage((message: unknown) => {
          last = message;
          setTimeout(resolve, 1_000);
        });
      });
      panel.webview.html = `<body><script>
        const api = acquireVsCodeApi();
        setInterval(() => {
          const variables = {};
          for (const one of document.documentElement.style) if (one.startsWith('--vscode-')) variables[one] = document.documentElement.style.getPropertyValue(one);
          api.postMessage({ kind: document.body.dataset.vscodeThemeKind, variables });
        }, 200);
      </script></body>`;
      await spoken;
      panel.dispose();
      return { theme, ...(last as { kind: string; variables: Record<string, string> }) };
    }, theme);
  }
  for (const [name, one] of Object.entries(found))
    found[name] = {
      ...one,
      variables: Object.fromEntries(Object.entries(one.variables).filter(([key]) => used.has(key))),
    };
  const file = path.join(import.meta.dirname, 'fixtures', 'themes.json');
  await writeFile(file, `${JSON.stringify({ vscode: vscodeVersion, themes: found }, undefined, 1)}\n`);
  for (const [name, { kind, variables }] of Object.entries(found)) {
    console.log(name, kind, Object.keys(variables).length, variables['--vscode-sideBar-background']);
  }
} finally {
  await editor.close();
  await rm(folder, { recursive: true });
}
