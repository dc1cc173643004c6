/** The note with which one window tells another one which item to show. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openNoteFile, readOpenNote, writeOpenNote } from '../../../src/app/waiting/openNote.ts';
import { makeSandbox, minute, realFs, removeSandboxes } from '../../support/store/sandbox.ts';

describe('the note to another window', () => {
  afterEach(removeSandboxes);

  function setting() {
    const { clock, home } = makeSandbox();
    const outside = { fs: realFs, clock: () => clock.now, newId: randomUUID };
    return { clock, home, outside, read: () => readOpenNote(outside, home) };
  }

  it('names a folder and an item, for a short time', () => {
    const { clock, home, outside, read } = setting();
    assert.equal(read(), null);
    for (const id of ['Q-12', 'RFC-3', 'R-4', 'E-5', null]) {
      writeOpenNote(outside, home, { folder: '/home/dev/api', id });
      assert.deepEqual(read(), { folder: '/home/dev/api', id, at: clock.now });
    }
    assert.deepEqual(fs.readdirSync(home), [openNoteFile]);
    clock.now += minute;
    assert.notEqual(read(), null);
    clock.now += minute;
    assert.equal(read(), null);
    clock.now -= 10 * minute;
    assert.equal(read(), null, 'nor one from the future');
  });

  for (const text of [
    '',
    '{',
    'null',
    '{"folder":"/home/dev/api","id":"Q-1"}',
    '{"folder":"/home/dev/api","id":"Q-1; answer","at":AT}',
    '{"folder":"/home/dev/api","id":"../Q-1","at":AT}',
    '{"folder":"/home/dev/api","id":"Q-1","at":AT,"answer":"Yes"}',
    '{"folder":["/home/dev/api"],"id":"Q-1","at":AT}',
  ])
    it(`with other content is no note: ${text}`, () => {
      const { clock, home, read } = setting();
      fs.writeFileSync(path.join(home, openNoteFile), text.replace('AT', String(clock.now)));
      assert.equal(read(), null);
    });
});
