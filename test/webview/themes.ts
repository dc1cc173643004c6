import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The variables that a webview gets from VS Code in one theme (see dumpThemes.ts). */
export interface ThemeFixture {
  readonly theme: string;
  /** The class of the body: vscode-light, vscode-high-contrast, … */
  readonly kind: string;
  readonly variables: Readonly<Record<string, string>>;
}

export const themeNames = ['light', 'dark', 'hc-light', 'hc-dark'] as const;
export type ThemeName = (typeof themeNames)[number];

export const themes = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures', 'themes.json'), 'utf8')) as {
    themes: Record<ThemeName, ThemeFixture>;
  }
).themes;
