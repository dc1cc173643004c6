/** The packaged thread that writes the editor's baselines. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { baselinesAtOnce, takeBaselines } from '../../src/app/hold/takeBaselines.ts';
import { lookAtHeld } from '../../src/app/hold/lookAtHeld.ts';
import type { Workspace, WorkspaceOptions, WrittenBaseline } from '../../src/app/workspace/workspace.ts';
import { inThreads } from '../../src/ui/kit/keepers.ts';
import { root } from '../support/host.ts';
import { agent, enrolledHuman } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { restoreEnvironment, useEnvironmentOf } from '../support/store/userEnvironment.ts';
import { raiseQuestion } from '../../src/tools/question/asking.ts';
import { runOperation } from '../../src/tools/kit/operation.ts';

describe('the thread that writes baselines', () => {
  afterEach(() => {
    restoreEnvironment();
    removeSandboxes();
  });

  /** Q-1 holds a file, and its baseline is taken. */
  async function held(besideIn: (folder: string) => WorkspaceOptions['baselinesBeside']) {
    const place = makeSandbox();
    useEnvironmentOf(place);
    const file = path.join(place.folder, 'src', 'login.ts');
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, 'login\n');
    const workspace = place.open({ baselinesBeside: besideIn(place.folder) });
    enrolledHuman(workspace);
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    const input = { type: 'decision', text: 'JWT or sessions?', holds: ['src'] };
    assert.equal((await runOperation(raiseQuestion, context, input)).status, 'ok');
    await takeBaselines(workspace, baselinesAtOnce);
    return { workspace, file };
  }

  const changesOf = (workspace: Workspace) => workspace.standing().state?.heldFiles.get('Q-1')?.changes ?? [];

  it('writes what the editor would have written: a change of a held file is noticed', async () => {
    const written: (readonly WrittenBaseline[])[] = [];
    const { workspace, file } = await held((folder) => async (holds) => {
      const done = await inThreads(root, folder).baselinesBeside(holds);
      written.push(done);
      return done;
    });
    assert.equal(written.length, 1, 'the thread wrote them, once');
    const { baselines } = workspace.standing().state!.heldFiles.get('Q-1')!;
    assert.deepEqual(written[0], [{ hash: baselines[0]?.hash, files: 1 }]);
    fs.writeFileSync(file, 'changed\n');
    await lookAtHeld(workspace);
    assert.deepEqual(
      changesOf(workspace).map(({ path: name }) => name),
      ['src/login.ts'],
    );
  });

  it('has its work done by the editor where it fails', async () => {
    const { workspace, file } = await held((folder) => inThreads('/absent', folder).baselinesBeside);
    fs.writeFileSync(file, 'changed\n');
    await lookAtHeld(workspace);
    assert.equal(changesOf(workspace).length, 1);
  });

  it('fails rather than answer where it cannot write', async () => {
    const { folder } = makeSandbox();
    fs.mkdirSync(path.join(folder, '.holdpoint'));
    fs.writeFileSync(path.join(folder, '.holdpoint', 'baselines'), 'not a folder');
    await assert.rejects(inThreads(root, folder).baselinesBeside([{ id: 'Q-1', asker: {}, scopes: ['src'] }]));
  });
});
