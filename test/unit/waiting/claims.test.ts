/** The claims of one person's windows: each notification is one window's, whatever the windows and the disk do. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openClaims } from '../../../src/vscode/status/claims.ts';
import { until } from '../../support/until.ts';

const month = 30 * 24 * 60 * 60_000;
const began = 600 * month;

describe('claims of notifications', () => {
  let folder: string;
  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-')), 'notified');
  });
  afterEach(() => {
    fs.rmSync(path.dirname(folder), { recursive: true });
  });

  const open = (at = began) => openClaims(folder, () => at);
  const all = (...names: readonly (string | null)[]) => names.map((claim) => ({ claim }));
  const namesOf = (taken: readonly { readonly claim: string | null }[]) => taken.map(({ claim }) => claim);
  const files = () => fs.readdirSync(folder).toSorted();
  const current = () => path.join(folder, '600.jsonl');

  it('the first window has it, also after a restart; what needs no claim is everyone’s', () => {
    const [one, two] = [open(), open()];
    assert.deepEqual(namesOf(one.takeAll(all('w-Q-1', 'w-Q-2', null))), ['w-Q-1', 'w-Q-2', null]);
    assert.deepEqual(namesOf(two.takeAll(all('w-Q-2', null, 'w-Q-3'))), [null, 'w-Q-3']);
    for (const window of [one, two, open()]) assert.deepEqual(window.takeAll(all('w-Q-1', 'w-Q-2', 'w-Q-3')), []);
  });

  it('two windows that write at once agree on the first line', () => {
    const [one, two] = [open(), open()];
    one.takeAll(all('w-Q-1'));
    const { appendFileSync } = fs;
    // The second window has read the file when the first writes.
    fs.appendFileSync = (...given) => {
      fs.appendFileSync = appendFileSync;
      assert.deepEqual(namesOf(one.takeAll(all('w-Q-2'))), ['w-Q-2']);
      appendFileSync(...given);
    };
    try {
      assert.deepEqual(namesOf(two.takeAll(all('w-Q-2', 'w-Q-3'))), ['w-Q-3']);
    } finally {
      fs.appendFileSync = appendFileSync;
    }
  });

  it('a line that another window has begun counts once it is whole, and a torn one never', () => {
    const one = open();
    one.takeAll(all('w-Q-1'));
    fs.appendFileSync(current(), '\n["w-Q-2","an');
    assert.deepEqual(one.takeAll(all('w-Q-1')), [], 'it looks while the line is not whole');
    fs.appendFileSync(current(), 'other"]\n');
    assert.deepEqual(one.takeAll(all('w-Q-2')), []);
    fs.appendFileSync(current(), '\n["w-Q-3","an');
    assert.deepEqual(namesOf(one.takeAll(all('w-Q-3', 'w-Q-4'))), ['w-Q-3', 'w-Q-4']);
    assert.deepEqual(open().takeAll(all('w-Q-3', 'w-Q-4')), []);
  });

  it('is notified twice rather than never where the disk mixes the lines of two windows', () => {
    const { appendFileSync } = fs;
    fs.appendFileSync = (file) => {
      appendFileSync(file, '\n["w-Q-["w-Q-1","other"]\n1","this"]\n');
    };
    try {
      assert.deepEqual(namesOf(open().takeAll(all('w-Q-1'))), ['w-Q-1']);
    } finally {
      fs.appendFileSync = appendFileSync;
    }
  });

  it('is notified twice rather than never where the disk refuses', () => {
    fs.writeFileSync(folder, '');
    const one = open();
    assert.deepEqual(namesOf(one.takeAll(all('w-Q-1'))), ['w-Q-1']);
  });

  it('remembers for one month or two, and keeps two files', async () => {
    const one = open();
    one.takeAll(all('w-Q-1'));
    fs.writeFileSync(path.join(folder, 'w-Q-0'), ''); // of an earlier version
    assert.deepEqual(open(began + month).takeAll(all('w-Q-1', 'w-Q-2')), all('w-Q-2'));
    await until('other files are gone', () => files().length === 2);
    assert.deepEqual(files(), ['600.jsonl', '601.jsonl']);
    assert.deepEqual(open(began + 2 * month).takeAll(all('w-Q-1', 'w-Q-2')), all('w-Q-1'));
    await until('the first file is gone', () => files().length === 2);
    assert.deepEqual(files(), ['601.jsonl', '602.jsonl']);
  });
});
