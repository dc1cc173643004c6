import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { exportedBundle, unreadableCalls, untranslated } from '../../scripts/generate/words.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Texts without a translation: names, markup, and what only agents and programmers read. */
const notForPeople = [
  'Holdpoint',
  'Mac',
  'Slack',
  'Enter',
  'Escape',
  'open long',
  'noopener noreferrer',
  '@echo off',
  'is not an open folder with a Holdpoint store',
  'holdpoint: the command for terminals cannot be written',
  'holdpoint: the hooks of agents could not be checked',
  'holdpoint: a parked agent cannot be started',
  'Denied: no folder is open, so nothing can be recorded. Ask your human to open a folder, and stop.',
];

describe('texts for people', () => {
  it('all go through l10n.t, or t, tn and th in webviews, as literals', () => {
    const forgotten = untranslated().filter((found) => !notForPeople.some((text) => found.endsWith(` ${text}`)));
    assert.deepEqual(forgotten, []);
    assert.deepEqual(unreadableCalls(), []);
  });

  it('are exported for translators: run `npm run generate` when this fails', async () => {
    const bundle = JSON.parse(await readFile(path.join(root, 'l10n', 'bundle.l10n.json'), 'utf8')) as unknown;
    assert.deepEqual(bundle, exportedBundle());
  });
});
