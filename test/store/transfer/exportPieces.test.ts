/** An export is written row by row: what is held does not grow with the workspace. */
import assert from 'node:assert/strict';
import { postEvent } from '../../../src/app/memory/events.ts';
import { exportPieces } from '../../../src/app/transfer/exportJson.ts';
import { exportOf } from '../../../src/app/transfer/exporting.ts';
import type { View } from '../../../src/store/store.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('an export in pieces', () => {
  afterEach(removeSandboxes);

  it('says the same as one at once', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await fillWithEverything(workspace, sandbox.clock);
    const view = (await workspace.store()).read();
    assert.deepEqual(JSON.parse([...exportPieces(view, null)].join('')), JSON.parse(JSON.stringify(exportOf(view))));
  });

  it('makes no more rows than the piece has that is written next', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    for (let number = 0; number < 150; number++)
      postEvent(store, agent('a-001'), {
        type: 'discovery',
        text: `${String(number)} ${'words '.repeat(800)}`,
      });
    const view = store.read();
    const made = new Set<unknown>();
    const note = (query: { compile(): { readonly parameters: readonly unknown[] } }) => {
      for (const id of query.compile().parameters) if (String(id).startsWith('E-')) made.add(id);
    };
    const counting: View = {
      ...view,
      rows: {
        ...view.rows,
        all(query) {
          note(query);
          return view.rows.all(query);
        },
        first(query) {
          note(query);
          return view.rows.first(query);
        },
      },
    };
    let written = 0;
    let pieces = 0;
    for (const piece of exportPieces(counting, null)) {
      pieces++;
      written += piece.split('"id":"E-').length - 1;
      assert.ok(made.size - written <= 5, `${String(made.size)} rows made, ${String(written)} written`);
      assert.ok(piece.length < 80_000);
    }
    assert.equal(written, 150);
    assert.equal(made.size, 150);
    assert.ok(pieces > 5);
  });
});
