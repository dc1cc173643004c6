import assert from 'node:assert/strict';
import { checkRequest, hashOf as hashThere } from '../../../src/signer/check.ts';
import { escaped } from '../../../src/signer/escaped.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { answered, itemOf, question, requestOf } from './requests.ts';
import type { Item } from './requests.ts';

const keyid = 'b'.repeat(64);
const genuine = itemOf();

/** The genuine request, changed by an agent on the way. */
function changed(change: (item: Item) => Partial<Item>): object {
  return requestOf(keyid, { ...genuine, ...change(genuine) });
}
const withPayload = (more: Partial<Item['payload']>) =>
  changed(({ payload }) => ({ payload: { ...payload, ...more } }));

describe('a request to the person’s side', () => {
  it('is accepted when everything in it is what its payloads sign', async () => {
    const cancelled = { kind: 'question.cancelled', v: 1, id: 'Q-2', reason: 'Not now.' };
    const request = requestOf(keyid, genuine, itemOf(cancelled, { ...question, id: 'Q-2' }));
    const { items, by, workspace } = await checkRequest(request);
    assert.deepEqual([items.length, by, workspace], [2, 'Ada', genuine.payload.workspace]);
  });

  it('takes decisions on answers and the policy, whose values are shown', async () => {
    const lifted = { kind: 'refusal.lifted', v: 1, id: 'Q-1', reason: 'Fixed.' };
    const policy = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'escalate' };
    const content = { question, resolution: { how: 'answered' } };
    for (const item of [itemOf(lifted, content), itemOf(policy, { questionLifeHours: 12, onExpiry: 'escalate' })])
      assert.equal((await checkRequest(requestOf(keyid, item))).items.length, 1);
  });

  it('hashes as programs do', async () => {
    for (const value of [question, answered, { b: 1, a: ['ä', '\u202E', null, true] }])
      assert.equal(await hashThere(value), hashOf(value));
  });

  const nested = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as object;
  const tampered: Readonly<Record<string, unknown>> = {
    'another answer than the one that is signed': changed(() => ({
      record: { ...answered, answer: { choices: [], text: 'No.' } },
    })),
    'another question than the one that is signed': changed(() => ({ shown: { ...question, text: 'Run the tests?' } })),
    'the content of another question, with its hash': requestOf(keyid, itemOf(answered, { ...question, id: 'Q-2' })),
    'a payload for another item': withPayload({ subject: 'Q-2' }),
    'a payload for another kind': withPayload({ action: 'question.released' }),
    'an unknown field in the payload': changed(({ payload }) => ({ payload: { ...payload, also: 1 } as never })),
    'an unknown field in the decision': requestOf(keyid, itemOf({ ...answered, also: 'rm -rf' })),
    'an unknown field in the answer': requestOf(keyid, itemOf({ ...answered, answer: { choices: [], more: 1 } })),
    'an envelope in the decision': requestOf(keyid, itemOf({ ...answered, envelope: {} })),
    'a default that is not written out': requestOf(keyid, itemOf({ ...answered, answer: { text: 'Yes.' } })),
    'text that programs would trim': requestOf(keyid, itemOf({ ...answered, answer: { choices: [], text: ' Yes. ' } })),
    'a decision that programs do not know': requestOf(keyid, itemOf({ kind: 'question.burnt', v: 1, id: 'Q-1' })),
    'a record that is no decision': requestOf(keyid, itemOf({ kind: 'question.escalated', v: 1, id: 'Q-1' })),
    'a key act': requestOf(keyid, itemOf({ kind: 'key.retired', v: 1, keyid, name: 'Ada' }, [] as object)),
    'another workspace beside the first': requestOf(
      keyid,
      genuine,
      itemOf(answered, question, { workspace: '11111111-f426-43be-a7e0-0d6858534ea4' }),
    ),
    'another name beside the first': requestOf(keyid, genuine, itemOf(answered, question, { by: 'Grace' })),
    'a decision twice': requestOf(keyid, genuine, genuine),
    'no decision': requestOf(keyid),
    'too many decisions': requestOf(keyid, ...Array.from({ length: 51 }, () => itemOf())),
    'content without a question': requestOf(keyid, itemOf(answered, { id: 'Q-1' })),
    'a lone surrogate': changed(() => ({ shown: { ...question, text: '\uD800' } })),
    'a number that is not whole': changed(() => ({ shown: { ...question, extra: 0.5 } })),
    'content that is nested too deeply': changed(() => ({ shown: { ...question, nested } })),
    'a request that is too long': changed(() => ({ shown: { ...question, text: 'x'.repeat(5_000_000) } })),
    'a field beside the decisions': { ...requestOf(keyid, genuine), also: 1 },
    'another version': { ...requestOf(keyid, genuine), v: 2 },
    nothing: undefined,
    'a text': 'sign',
    'a list': [requestOf(keyid, genuine)],
  };
  for (const [what, request] of Object.entries(tampered))
    it(`is refused with ${what}`, async () => {
      await assert.rejects(checkRequest(request), { name: 'RefusedRequest' });
    });

  it('cannot be changed after it was checked', async () => {
    const request = requestOf(keyid, itemOf());
    const checking = checkRequest(request);
    request.items[0]!.payload.by = 'Mallory';
    assert.equal((await checking).items[0]?.payload.by, 'Ada');
  });

  it('has no markup and hides nothing', () => {
    const hostile = '<img src=x onerror="alert(1)">\u202Eyes\u200B&amp;';
    assert.equal(escaped(hostile), '&lt;img src=x onerror=&quot;alert(1)&quot;&gt;[U+202E]yes[U+200B]&amp;amp;');
  });
});
