import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { posixScript, windowsScript } from '../../../src/vscode/kit/ownNode.ts';
import { temporaryFolder } from '../../support/temporary.ts';

describe('the command for terminals', () => {
  (process.platform === 'win32' ? it.skip : it)('runs from any folder and with any arguments', async () => {
    const { folder, remove } = await temporaryFolder();
    try {
      const program = path.join(folder, `it's "here" $HOME %PATH%.cjs`);
      fs.writeFileSync(program, 'console.log(JSON.stringify([process.env.SET, ...process.argv.slice(2)]))');
      const script = path.join(folder, 'holdpoint');
      fs.writeFileSync(script, posixScript({ command: process.execPath, env: { SET: "o'clock" } }, program));
      fs.chmodSync(script, 0o755);
      const given = ['two words', "it's", '$HOME', ''];
      assert.deepEqual(JSON.parse(execFileSync(script, given, { encoding: 'utf8' })), ["o'clock", ...given]);
    } finally {
      await remove();
    }
  });

  it('has a separate script on Windows', () => {
    const node = { command: 'C:\\Program Files\\Code\\Code.exe', env: { ELECTRON_RUN_AS_NODE: '1' } };
    assert.equal(
      windowsScript('C:\\bin', node, 'C:\\100%\\cli.cjs'),
      '@echo off\r\nsetlocal\r\nset NoDefaultCurrentDirectoryInExePath=1\r\nset ELECTRON_RUN_AS_NODE=1\r\n"C:\\Program Files\\Code\\Code.exe" "C:\\100%%\\cli.cjs" %*\r\n',
    );
  });
});
