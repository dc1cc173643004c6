import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decideRfc, shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { acknowledgedAt } from '../../../src/app/rfc/acknowledged.ts';
import { operations } from '../../../src/tools/operations.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { agent, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

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
    await decideRfc(
      { store, signer: human, newId: randomUUID },
      id,
      { kind: 'approve', conditions: [], constraints: [] },
      shown,
    );
    assert.equal(acknowledgedAt(store.read(), id), null);

    const wait = operations.find(({ name }) => name === 'await_answer')!;
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    await runOperation(wait, context, { id });
    assert.match(acknowledgedAt(store.read(), id) ?? '', /^\d{4}-/);
  });
});
