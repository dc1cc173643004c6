/** What a hook says to an agent that edits a file which its own RFC holds. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { agent } from '../../support/store/people.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const way =
  /The author of RFC-1 can still revise it: holdpoint_propose_rfc \{"id":"RFC-1"\} takes its text as markdown/;

/** The denial that `by` reads when it edits the RFC's file. */
async function denial(place: Sandbox, by: string): Promise<string> {
  const { exit, err } = await hookAnswer(
    place,
    { tool_name: 'Edit', tool_input: { file_path: path.join(place.folder, 'rfcs', 'tokens.md') } },
    { env: { HOLDPOINT_AGENT_ID: by } },
  );
  assert.equal(exit, 2, err);
  return err;
}

describe('the denial of an edit of an RFC’s own file', () => {
  afterEach(removeSandboxes);

  async function proposed() {
    const place = makeSandbox();
    const store = await place.open().store();
    const author = agent('claude-001');
    await registerWork(store, author, {
      ...{ id: 'T1', workKind: 'task', title: 'API', assignee: 'claude-001', status: 'in_progress' },
    });
    const design = { title: 'Tokens', workflows: [], tasks: ['T1'], holds: ['rfcs/tokens.md'], contexts: [] };
    await proposeRfc(store, author, { ...design, submit: false });
    return { place, store, author };
  }

  it('names the tool that revises the RFC to its author and to the agent that it was handed to', async () => {
    const { place, store, author } = await proposed();
    assert.match(await denial(place, 'claude-001'), way);
    assert.doesNotMatch(await denial(place, 'claude-002'), way);
    await updateRfc(store, author, 'RFC-1', { submit: true, handTo: 'claude-002' });
    assert.match(await denial(place, 'claude-001'), way);
    assert.match(await denial(place, 'claude-002'), way);
  });
});
