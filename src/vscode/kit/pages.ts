/** Webviews of the editor, in the sidebar or a tab: their HTML, and what all of them share. */
import type * as z from 'zod';
import { snapshotHead, type Page } from '../../ui/surface/signingSurface.ts';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pageTexts, program } from '../../ui/kit/program.ts';
import { collect, type Closable, inTurn } from '../../ui/kit/timing.ts';
import type { FolderChoice } from './folders.ts';
import type { UnavailableView } from '../../ui/kit/view.ts';

export function pageOfView(view: vscode.WebviewView): Page {
  return {
    webview: view.webview,
    isVisible: () => view.visible,
    onDidChangeVisibility: (listener) => view.onDidChangeVisibility(listener),
    onDidDispose: (listener) => view.onDidDispose(listener),
  };
}

export function pageOfPanel(panel: vscode.WebviewPanel): Page {
  return {
    webview: panel.webview,
    isVisible: () => panel.visible,
    onDidChangeVisibility: (listener) => panel.onDidChangeViewState(listener),
    onDidDispose: (listener) => panel.onDidDispose(listener),
  };
}

// The page of a webview: one script with its chunks, one style sheet, and a policy that allows nothing else.

export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, surface: string, title: string): string {
  unpackDiagrams(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'diagrams.js').fsPath);
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
<link rel="stylesheet" href="${file('base.css')}">
<link rel="stylesheet" href="${file(`${surface}.css`)}">
${preloads.join('\n')}
<script type="module" nonce="${nonce}" src="${file(`${surface}.js`)}"></script>
</head>
<body data-loading="${l10n.t('Loading…')}"></body>
</html>`;
}

/** The icon of a tab: an image file does not follow the theme's colours. */
function tabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
  return { light: file('tab-light.svg'), dark: file('tab-dark.svg') };
}

/** The files that a surface's script imports, from the build's metadata. */
function chunksOf(extensionUri: vscode.Uri, surface: string): readonly string[] {
  const list = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'chunks.json').fsPath;
  return (JSON.parse(fs.readFileSync(list, 'utf8')) as Record<string, string[]>)[surface] ?? [];
}

/** Once per version. In a folder that cannot be written, diagrams are shown as their code. */
function unpackDiagrams(file: string): void {
  if (fs.existsSync(file)) return;
  const part = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    fs.writeFileSync(part, brotliDecompressSync(fs.readFileSync(`${file}.br`)));
    fs.renameSync(part, file);
  } catch {
    fs.rmSync(part, { force: true });
  }
}

/** What a webview may load: only our bundles, nothing from the workspace. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')] };
}

// An editor tab about one folder of the window, which signs nothing: drawn while its page runs and is visible, one
// drawing after another.

/** What each of these pages may send. */
type Common =
  | { readonly type: 'ready' }
  | { readonly type: 'folder'; readonly key: string }
  | { readonly type: 'do'; readonly action: NonNullable<UnavailableView['action']> };

export interface SnapshotPanelOptions<Message> {
  readonly context: vscode.ExtensionContext;
  readonly page: Parameters<typeof webviewHtml>[2];
  readonly schema: z.ZodType<Message>;
  readonly choice: FolderChoice;
  readonly snapshot: () => Promise<object>;
  /** A valid message of the page, which is drawn again afterwards. */
  readonly receive: (message: Exclude<Message, { readonly type: 'do' }>) => Promise<void> | void;
}

export function attachSnapshots<Message extends Common | { readonly type: string }>(
  panel: vscode.WebviewPanel,
  options: SnapshotPanelOptions<Message>,
) {
  const all = collect();
  const { webview } = panel;
  let ready = false;
  const drawInTurn = inTurn(async () => {
    await webview.postMessage({ ...snapshotHead(), ...(await options.snapshot()) });
  });

  /** Draws after the drawing in progress. A hidden tab is drawn when it is shown. */
  function draw(): void {
    if (ready && panel.visible) void drawInTurn();
  }

  async function receive(raw: unknown): Promise<void> {
    const message = options.schema.safeParse(raw).data;
    if (!message) return;
    const common = message as Common;
    // Nothing is drawn before the page has started.
    if (common.type === 'ready') ready = true;
    if (common.type === 'folder') options.choice.choose(common.key);
    if (common.type === 'do') return runHarmless(common.action);
    await options.receive(message as Parameters<typeof options.receive>[0]);
    draw();
  }

  all.add(webview.onDidReceiveMessage(receive));
  all.add(panel.onDidChangeViewState(draw));
  webview.html = webviewHtml(webview, options.context.extensionUri, options.page, 'Holdpoint');
  return { draw, dispose: all.dispose };
}

// An editor tab that exists once per window, and which a reload restores; most are opened by a command.

interface OnePanelOptions {
  readonly context: vscode.ExtensionContext;
  readonly viewType: string;
  readonly title: string;
  readonly attach: (panel: vscode.WebviewPanel, isRestored: boolean) => void;
}

export function onePanel({ context, viewType, title, attach }: OnePanelOptions) {
  const all = collect();
  let panel: vscode.WebviewPanel | null = null;

  function take(opened: vscode.WebviewPanel, isRestored: boolean): void {
    panel = opened;
    opened.iconPath = tabIcon(context.extensionUri);
    opened.onDidDispose(() => {
      panel = null;
    });
    attach(opened, isRestored);
  }

  all.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel(restored) {
        restored.webview.options = webviewOptions(context.extensionUri);
        take(restored, true);
        return Promise.resolve();
      },
    }),
  );
  all.add({
    dispose() {
      panel?.dispose();
    },
  });
  return {
    isVisible: () => panel?.visible ?? false,
    show(): void {
      const options = { ...webviewOptions(context.extensionUri), enableFindWidget: true };
      if (panel) panel.reveal();
      else take(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, options), false);
    },
    dispose: all.dispose,
  };
}

export interface TabOptions extends Omit<OnePanelOptions, 'attach'> {
  readonly command: string;
  readonly show: (panel: vscode.WebviewPanel) => Promise<Closable>;
}

export function registerTab({ command, show, ...options }: TabOptions): Closable {
  const all = collect();
  const tab = all.add(
    onePanel({
      ...options,
      attach(panel) {
        const shown = show(panel);
        panel.onDidDispose(async () => {
          (await shown).dispose();
        });
      },
    }),
  );
  all.add(vscode.commands.registerCommand(command, tab.show));
  return all;
}

// What a page without content may ask for.

const commands = {
  openFolder: 'workbench.action.files.openFolder',
  manageTrust: 'workbench.trust.manage',
  reloadWindow: 'workbench.action.reloadWindow',
} as const;

export async function runHarmless(action: NonNullable<UnavailableView['action']>): Promise<void> {
  await vscode.commands.executeCommand(commands[action]);
}

/** Opens forms of the "Answer" view from other surfaces. */
export interface Forms {
  /** Opens the form of one item; without a key, the first waiting one. Decides nothing. */
  show(key?: string): Promise<void>;
  /** Opens the form in an editor tab, with the background next to it. */
  showInTab(key: string): Promise<void>;
}
