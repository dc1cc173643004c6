import assert from 'node:assert/strict';
import { decideRfc, shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { acknowledgedAt } from '../../../src/app/rfc/acknowledged.ts';
import { agent, signedBy, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { callTool } from '../../support/store/callTool.ts';

describe('whether an agent has received a decision on its RFC', () => {
  afterEach(removeSandboxes);

  it('is shown before the decision, after it, and once acknowledged', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const human = enrolledHuman(workspace);
    const nothing = { workflows: [], tasks: [], holds: [], contexts: [] };
    const { id } = await proposeRfc(store, agent(), { title: 'Tokens', ...nothing, submit: true });
    assert.equal(acknowledgedAt(store.read(), id), undefined);
    assert.equal(acknowledgedAt(store.read(), 'RFC-9'), undefined);

    const { state } = store.read();
    const shown = shownRfcHash(state, state.rfcs.get(id)!);
    await decideRfc(signedBy(store, human), id, { kind: 'approve', conditions: [], constraints: [] }, shown);
    assert.equal(acknowledgedAt(store.read(), id), null);

    await callTool(workspace, 'await_answer', { id });
    assert.match(acknowledgedAt(store.read(), id) ?? '', /^\d{4}-/);
  });
});
