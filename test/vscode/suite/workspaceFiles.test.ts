/** Files that forms name, in a real VS Code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { showFile } from '../../../src/vscode/kit/files.ts';
import { until } from '../../support/until.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('A file that a form names, in a real VS Code', () => {
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-files-'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(folder, { recursive: true });
  });

  async function show(name: string, content: Buffer, line = 1): Promise<void> {
    const file = path.join(folder, name);
    fs.writeFileSync(file, content);
    await showFile(vscode.Uri.file(file), line, vscode.ViewColumn.Active);
    await until(`a tab with ${name}`, () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === name);
  }

  it('opens at its line, where it is text', async () => {
    await show('text.txt', Buffer.from('one\ntwo\nthree\n'), 2);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
  });

  it('opens where it is an image or another binary file', async () => {
    await show('pixel.png', Buffer.from(pixel, 'base64'));
    await show('data.bin', Buffer.from([0, 1, 2, 0, 255, 0]));
  });
});
