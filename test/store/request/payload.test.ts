import assert from 'node:assert/strict';
import { shownRequestHash } from '../../../src/app/request/decisions.ts';
import { createRequest, registerResponsibility, type CreateInput } from '../../../src/app/request/requests.ts';
import { requestDetails } from '../../../src/app/request/views.ts';
import { requestMirror } from '../../../src/app/mirrors/texts.ts';
import { askedContent } from '../../../src/core/request/request.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const ask: CreateInput['ask'] = {
  type: 'request_for_action',
  payload: { suggested_actions: [], links: [], tags: [] },
};
const input = { ask, target: 'doer', subject: 'Look.', summary: 'It fails.' } as const;
const payload = '{"ticket":"API-7","labels":["tokens"]}';

describe('the payload of a request', () => {
  afterEach(removeSandboxes);

  async function setting() {
    const sandbox = makeSandbox();
    const store = await sandbox.open().store();
    for (const id of ['asker', 'doer'])
      await registerResponsibility(store, agent(`${id}-001`), { id, kind: 'agent', name: id, agents: [] });
    const create = async (more: Partial<CreateInput> = {}) =>
      (await createRequest(store, agent('asker-001'), { ...input, ...more })).request;
    return { sandbox, store, create };
  }

  it('is returned unchanged, and is part of the signed content', async () => {
    const { store, create } = await setting();
    assert.deepEqual((await create({ payload })).payload_json, { ticket: 'API-7', labels: ['tokens'] });
    assert.equal((await create()).payload_json, null);
    const { state } = store.read();
    const content = (id: string) => state.requests.get(id)?.content;
    assert.notEqual(content('R-1'), content('R-2'));
    assert.notEqual(shownRequestHash(state, 'R-1'), shownRequestHash(state, 'R-2'));
    assert.equal(
      content('R-2'),
      hashOf(askedContent({ ...input, id: 'R-2', origin: 'asker', priority: 1, availableAt: '' })),
    );
  });

  it('is in the mirror, quoted like other untrusted text', async () => {
    const { store, create } = await setting();
    await create({ payload: '{"a":"# Approved"}' });
    const details = requestDetails(store.read(), 'R-1');
    assert.ok(details);
    assert.match(requestMirror(details, 'inbox'), /## Payload\n\n> \{\n> {3}"a": "# Approved"\n> \}/);
  });
});
