/**
 * What the editor's own models of pages use of VS Code, for a server without VS Code: texts in the server's language,
 * and rows. In this program's bundle the module `vscode` is this file.
 */
import fs from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';

const language = (process.env['LC_ALL'] ?? process.env['LANG'] ?? 'en').split(/[._@]/)[0]?.replace('_', '-') ?? 'en';

const short = language.split('-')[0] ?? '';
const file = path.join(import.meta.dirname, '..', 'l10n', `bundle.l10n.${short}.json`);
if (/^[a-z]{2}$/.test(short) && fs.existsSync(file)) l10n.config({ fsPath: file });

export const env = {
  language: /^[a-z]{2}(-[A-Z]{2})?$/.test(language) ? language : 'en',
  remoteName: undefined,
};

/** Whoever starts the server trusts the folder: it runs nothing of it. */
export const workspace = { isTrusted: true };

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  label: string;
  constructor(label: string) {
    this.label = label;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const ViewColumn = { Active: -1, Beside: -2 };
