/** The server sees holds begin and end, as the editor does: it sets and lifts the fence, also of holds that ended before. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { changePolicy, shownPolicyHash } from '../../src/app/decision/decisions.ts';
import { raiseQuestion } from '../../src/app/question/questions.ts';
import { agent, decide, enrolledHuman } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { startServe } from './program.ts';

describe('the fence beside a server', function () {
  this.timeout(120_000);
  after(removeSandboxes);

  it('follows the holds', async () => {
    const sandbox = makeSandbox();
    sandbox.clock.now = Date.now();
    const file = path.join(sandbox.folder, 'a.ts');
    fs.writeFileSync(file, 'a\n', { mode: 0o644 });
    const workspace = sandbox.open();
    const human = enrolledHuman(workspace);
    const store = await workspace.store();
    const question = { type: 'decision', urgency: 'low', mode: 'sync', work: null } as const;
    await raiseQuestion(store, agent(), { ...question, text: 'JWT or sessions?', holds: ['a.ts'] });
    const { state } = store.read();
    const policy = { ...state.policy, fence: { heldFiles: true } };
    await changePolicy({ store, signer: human, newId: randomUUID }, policy, shownPolicyHash(state));
    const mode = () => (fs.statSync(file).mode & 0o7777).toString(8);
    assert.equal(mode(), '644');

    const first = await startServe(sandbox);
    await until('the file is read-only', () => mode() === '444');
    await decide(workspace, human, 'Q-1');
    await until('the file is writable', () => mode() === '644');
    await raiseQuestion(store, agent(), { ...question, text: 'Sessions for whom?', holds: ['a.ts'] });
    await until('the file is read-only again', () => mode() === '444');
    await first.stop();

    await decide(workspace, human, 'Q-2');
    assert.equal(mode(), '444');
    const second = await startServe(sandbox);
    await until('the file is writable after a start', () => mode() === '644');
    await second.stop();
  });
});
