/** A held file whose former content was not kept: the error says so, and the file stays as it is. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { keptBytesOfFile } from '../../../src/app/hold/baseline.ts';
import { contentBefore, restoreOne } from '../../../src/app/hold/restore.ts';
import { lookAtHeld } from '../../../src/app/hold/lookAtHeld.ts';
import { NoCopyError } from '../../../src/app/workspace/errors.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { failedLook } from '../../../src/hook/answer.ts';
import { makeRepository } from '../../support/store/repository.ts';

describe('a held file without a copy', () => {
  afterEach(removeSandboxes);

  /** Q-1 holds both files, which have changed since. */
  async function setting() {
    const place = makeSandbox();
    place.clock.now = Date.now() + 1_000;
    const file = (name: string) => path.join(place.folder, name);
    fs.writeFileSync(file('large.txt'), 'x'.repeat(keptBytesOfFile + 1));
    fs.writeFileSync(file('small.txt'), 'small\n');
    const workspace = place.open();
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    const input = { type: 'decision', text: 'Which?', holds: ['large.txt', 'small.txt'] };
    const raised = await runOperation(raiseQuestion, context, input);
    assert.equal(raised.status, 'ok', raised.text);
    for (const name of ['large.txt', 'small.txt']) fs.writeFileSync(file(name), 'changed\n');
    await lookAtHeld(workspace);
    return { workspace, file };
  }

  it('because it was large: it can be neither compared nor restored, unless the last commit has it', async () => {
    const { workspace, file } = await setting();
    const large = { id: 'Q-1', name: 'large.txt' };
    assert.throws(() => contentBefore(workspace, large, () => null), NoCopyError);
    await assert.rejects(
      restoreOne(workspace, large, () => Buffer.from('another')),
      NoCopyError,
    );
    assert.equal(fs.readFileSync(file('large.txt'), 'utf8'), 'changed\n');
    const small = contentBefore(workspace, { id: 'Q-1', name: 'small.txt' }, () => null);
    assert.equal(small?.toString('utf8'), 'small\n');
    const committed = Buffer.from('x'.repeat(keptBytesOfFile + 1));
    assert.deepEqual(
      contentBefore(workspace, large, () => committed),
      committed,
    );
  });

  it('because its baseline was deleted', async () => {
    const { workspace, file } = await setting();
    fs.rmSync(file('.holdpoint/baselines'), { recursive: true });
    const small = { id: 'Q-1', name: 'small.txt' };
    assert.throws(() => contentBefore(workspace, small, () => null), NoCopyError);
    await assert.rejects(
      restoreOne(workspace, small, () => null),
      NoCopyError,
    );
    assert.equal(fs.readFileSync(file('small.txt'), 'utf8'), 'changed\n');
  });
});

/** A hook that fails after a call: the call has run, so nothing is denied, and the agent reads what was not compared. */
describe('a hook that fails', () => {
  afterEach(removeSandboxes);

  async function failing(event: string) {
    const place = makeSandbox();
    makeRepository(place);
    const context = { workspace: place.open(), session: agent(), signal: new AbortController().signal, waitMs: 0 };
    await runOperation(raiseQuestion, context, { text: 'JWT or sessions?', holds: ['src/auth'] });
    const payload = { hook_event_name: event, session_id: 's-1', cwd: place.folder, tool_name: 'Bash' };
    const bytes = Buffer.from(JSON.stringify({ ...payload, tool_input: { command: 'ls' }, tool_response: {} }));
    return failedLook({ host: 'claude-code', folder: place.folder }, bytes, 'no answer within 5 seconds', {});
  }

  it('after a call names the holders whose files it could not compare, and denies nothing', async () => {
    const printed = await failing('PostToolUse');
    assert.equal(printed?.exit, 0);
    assert.match(
      printed.out,
      /after this call, the files held by Q-1 could not be compared with their baseline \(no answer within 5 seconds\)\. The call itself was not stopped/,
    );
  });

  it('before a call says nothing of its own: the call is denied', async () => {
    assert.equal(await failing('PreToolUse'), null);
  });
});
