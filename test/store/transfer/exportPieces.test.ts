/** An export is written row by row, so its memory does not grow with the workspace. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { visibleText } from '../../../src/core/kit/visible.ts';
import { postEvent } from '../../../src/app/memory/events.ts';
import { textPieces } from '../../../src/app/transfer/exportFormats.ts';
import { writeExport } from '../../../src/app/transfer/exportWriting.ts';
import { exportOf } from '../../../src/app/transfer/exporting.ts';
import type { View } from '../../../src/store/store.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';

describe('an export in pieces', () => {
  afterEach(removeSandboxes);

  it('has the same content as one in a single piece', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await fillWithEverything(workspace, sandbox.clock);
    const view = (await workspace.store()).read();
    assert.deepEqual(JSON.parse([...textPieces(view, 'json')].join('')), JSON.parse(JSON.stringify(exportOf(view))));
  });

  for (const [format, mark] of [
    ['json', '"id":"E-'],
    ['markdown', '\n### E-'],
  ] as const)
    it(`as ${format} creates only the rows of the next piece`, async () => {
      const workspace = makeSandbox().open();
      const store = await workspace.store();
      for (let number = 0; number < 150; number++)
        await postEvent(store, agent('a-001'), {
          type: 'discovery',
          text: `${String(number)} ${'words '.repeat(800)}`,
        });
      const view = store.read();
      const made = new Set<unknown>();
      const note = (parameters: readonly unknown[]) => {
        for (const id of parameters) if (String(id).startsWith('E-')) made.add(id);
      };
      const counting: View = {
        ...view,
        rows: {
          ...view.rows,
          all(sql, ...parameters) {
            note(parameters);
            return view.rows.all(sql, ...parameters);
          },
        },
      };
      let written = 0;
      let pieces = 0;
      for (const piece of textPieces(counting, format)) {
        pieces++;
        written += piece.split(mark).length - 1;
        assert.ok(made.size - written <= 5, `${String(made.size)} rows made, ${String(written)} written`);
        assert.ok(piece.length < 80_000);
      }
      assert.equal(written, 150);
      assert.equal(made.size, 150);
      assert.ok(pieces > 5);
    });

  it('has the same bytes on a terminal, because hidden characters are escaped', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const text = 'rm \u202Egnp.exe';
    await postEvent(store, agent('a-001'), { type: 'discovery', text });
    const made = [...textPieces(store.read(), 'json')].join('');
    assert.equal(visibleText(made), made);
    const { events } = JSON.parse(made) as { events: { text: string }[] };
    assert.deepEqual(
      events.map((event) => event.text),
      [text],
    );
  });

  it('that fails midway keeps the existing file, and leaves no other', () => {
    const sandbox = makeSandbox();
    const file = sandbox.at('ws', 'out.json');
    fs.writeFileSync(file, 'before');
    const target = { fs: realFs, file, temporary: `${file}.1.tmp`, put: fs.renameSync };
    assert.throws(
      () =>
        writeExport(
          target,
          (function* () {
            yield 'half';
            throw new Error('the rows end here');
          })(),
        ),
      /the rows end here/,
    );
    assert.deepEqual([fs.readdirSync(sandbox.folder), fs.readFileSync(file, 'utf8')], [['out.json'], 'before']);
    assert.equal(writeExport(target, ['whole', Buffer.from('!')]), 6);
    assert.deepEqual([fs.readdirSync(sandbox.folder), fs.readFileSync(file, 'utf8')], [['out.json'], 'whole!']);
  });
});
