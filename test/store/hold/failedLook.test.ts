/** A hook that fails after a call: the call has run, so nothing is denied, and the agent reads what was not compared. */
import assert from 'node:assert/strict';
import { failedLook } from '../../../src/hook/lateLook.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { agent } from '../../support/store/people.ts';
import { makeRepository } from '../../support/store/repository.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

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
