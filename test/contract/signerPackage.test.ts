/** The package of Holdpoint Signer: what it asks of VS Code, and what is in its one script. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { signerCommands } from '../../src/protocol/kit/signing.ts';
import { kinds } from '../../src/signer/kinds/table.ts';

const root = path.join(import.meta.dirname, '..', '..');
const text = (file: string) => readFile(path.join(root, file), 'utf8');
const json = async (file: string) => JSON.parse(await text(file)) as Record<string, unknown>;

const vscodeOf = ({ engines }: Record<string, unknown>) => (engines as { vscode: string }).vscode;

/** The script is loaded with each remote window. */
const atMost = 200_000;

describe('the package of Holdpoint Signer', () => {
  it('runs on the person’s side only, starts with its commands, and asks for nothing more', async () => {
    const [own, main] = [await json('companion/package.json'), await json('package.json')];
    assert.deepEqual(own['extensionKind'], ['ui']);
    assert.equal(own['main'], own['browser'], 'one script for desktops and browsers');
    assert.deepEqual(
      own['activationEvents'],
      [signerCommands.publicKey, signerCommands.sign].map((command) => `onCommand:${command}`),
    );
    assert.deepEqual(own['contributes'], {
      commands: [{ command: signerCommands.newKey, title: '%newKey%', category: 'Holdpoint Signer' }],
    });
    for (const name of ['version', 'publisher', 'license']) assert.equal(own[name], main[name], name);
    assert.equal(vscodeOf(own), vscodeOf(main));
    for (const name of ['extensionDependencies', 'extensionPack', 'enabledApiProposals', 'dependencies'])
      assert.equal(own[name], undefined, name);
  });

  it('has one small script that uses nothing but the editor', async () => {
    const script = await text('companion/dist/signer.js');
    assert.ok(script.length < atMost, `${String(script.length)} characters`);
    assert.deepEqual([...new Set([...script.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name))], ['vscode']);
    assert.doesNotMatch(script, /\b(fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|eval)\(/);
    assert.doesNotMatch(script, /node_modules|\/work\/|\/home\/|PRIVATE KEY/);
  });

  it('has each signed kind in the table for readers, refused where its code refuses it', async () => {
    const rows = (await text('docs/security.md')).split('\n').filter((line) => line.startsWith('| '));
    for (const [kind, rule] of Object.entries(kinds)) {
      const [family = '', name = ''] = kind.split('.');
      const row = rows.find(
        (line) => line.includes(`\`${family}.`) && (line.includes(`\`${kind}\``) || line.includes(`\`${name}\``)),
      );
      assert.equal(row?.startsWith('| refused: '), 'instead' in rule, kind);
    }
  });

  it('says in its README what it signs, what it refuses, and how to set it up', async () => {
    const readme = await text('companion/README.md');
    for (const part of ['Install from VSIX', 'Sign a Decision', 'It refuses', 'makes no connections'])
      assert.ok(readme.includes(part), part);
  });
});
