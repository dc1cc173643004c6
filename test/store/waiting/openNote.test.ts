/** The note that tells a window which item to show. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openInEditor, openNoteFile, takeOpenNote, writeOpenNote } from '../../../src/app/waiting/openNote.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes } from '../../support/store/sandbox.ts';

describe('the note to another window', () => {
  afterEach(removeSandboxes);

  function setting() {
    const { clock, home } = makeSandbox();
    const outside = { fs: realFs, clock: () => clock.now, newId: randomUUID };
    return { clock, home, outside, take: (isWanted = true) => takeOpenNote(outside, home, () => isWanted) };
  }

  it('names a folder and an item, for a short time, and the first that wants it gets it', () => {
    const { clock, home, outside, take } = setting();
    assert.equal(take(), null);
    const write = (id: string | null) => {
      writeOpenNote(outside, home, { folder: '/home/dev/api', id });
    };
    for (const id of ['Q-12', 'RFC-3', 'R-4', 'E-5', null]) {
      write(id);
      assert.equal(take(false), null);
      assert.deepEqual(take(), { folder: '/home/dev/api', id, at: clock.now });
      assert.equal(take(), null);
    }
    for (const [later, isFresh] of [
      [minute, true],
      [2 * minute, false],
      [-2 * minute, false],
    ] as const) {
      write('Q-1');
      clock.now += later;
      assert.equal(take() !== null, isFresh);
    }
    assert.deepEqual(fs.readdirSync(home), [openNoteFile]);
  });

  it('of the command line is withdrawn where no editor takes it', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const { signal } = new AbortController();
    await raiseQuestion(await workspace.store(), agent(), {
      ...{ text: 'May I?', type: 'decision', urgency: 'medium', mode: 'sync', work: null },
    });
    const file = path.join(workspace.userFolder, openNoteFile);
    const asked = openInEditor(workspace, 'Q-1', signal);
    const isHere = (folder: string) => folder === sandbox.folder;
    assert.equal(takeOpenNote(workspace.options, workspace.userFolder, isHere)?.id, 'Q-1');
    assert.equal(await asked, true);
    assert.equal(await openInEditor(workspace, 'Q-1', AbortSignal.abort()), false);
    assert.ok(!fs.existsSync(file));
    await assert.rejects(openInEditor(workspace, 'Q-9', signal), /there is no item Q-9/);
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
      const { clock, home, take } = setting();
      fs.writeFileSync(path.join(home, openNoteFile), text.replace('AT', String(clock.now)));
      assert.equal(take(), null);
    });
});
