import assert from 'node:assert/strict';
import { editorHost } from '../../../src/vscode/setup/editorHost.ts';

describe('the host that an editor is', () => {
  for (const [appName, host] of [
    ['Visual Studio Code', 'vscode'],
    ['Visual Studio Code - Insiders', 'vscode'],
    ['VSCodium', 'vscode'],
    ['code-server', 'vscode'],
    ['', 'vscode'],
    ['Cursor', 'cursor'],
    ['Windsurf - Next', 'windsurf'],
    ['Kiro', 'kiro'],
    ['Antigravity', 'antigravity'],
    ['Precursor Studio', 'vscode'],
  ] as const)
    it(`is ${host} for “${appName}”`, () => {
      assert.equal(editorHost(appName), host);
    });
});
