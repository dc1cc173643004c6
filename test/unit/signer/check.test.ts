import assert from 'node:assert/strict';
import { checkRequest, hashOf as hashThere } from '../../../src/signer/check.ts';
import { escaped } from '../../../src/signer/escaped.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeHuman } from '../../support/store/human.ts';
import { english } from '../../support/store/personsSide.ts';
import { noon } from '../../support/store/lab.ts';
import { terms } from '../../support/store/precedentLab.ts';
import { answered, itemOf, question, requestOf } from './requests.ts';
import type { Item } from './requests.ts';

const keyid = 'b'.repeat(64);
const genuine = itemOf();

const document = {
  title: 'Limits',
  sections: [{ key: 'summary', heading: 'Summary', text: 'All of it.' }],
  alternatives: [],
  questions: [],
};
const revision = { number: 1, hash: hashOf(document), by: 'copilot-001', at: '2026-03-01T00:00:00.000Z' };
const held = { workflows: [], tasks: [], holds: [], contexts: [], threads: [], questions: [] };
const rfc = { id: 'RFC-1', status: 'under_review', title: 'Limits', revision, ...held };
const approved = {
  ...{ kind: 'rfc.approved', v: 1, id: 'RFC-1', revision: 1, hash: revision.hash },
  ...{ conditions: [], constraints: [] },
};
const approval = itemOf(approved, rfc);
const thread = { number: 1, blocking: true, resolved: false, replies: 0 };
const remark = {
  ...{ id: 'RFC-1', thread: 1, revision: 1, type: 'concern', section: null, text: 'It is slow.', blocking: true },
  ...{ by: 'copilot-001', signed: false },
};
const replied = { before: hashOf(remark), reply: 1, text: 'It is fast.', by: 'Ada', signed: true };
const withTexts = { ...thread, replies: 1, texts: hashOf(replied) };
const resolved = { kind: 'rfc.threadResolved', v: 1, id: 'RFC-1', thread: 1 };
/** The end of a thread, with texts that came along. */
const resolving = (about: object, ...parts: object[]) => ({
  ...requestOf(keyid, itemOf(resolved, { id: 'RFC-1', thread: about })),
  parts,
});
const content = 'c'.repeat(64);
const closing = { kind: 'event.closedByHuman', v: 1, id: 'E-1', how: 'resolved', reason: 'Old.', content };
const note = { type: 'warning', text: 'Never clear it.', priority: 'high', scopes: [] };
const posting = { kind: 'event.postedByHuman', v: 1, id: 'E-1', ...note, related: [] };
const change = { path: 'src/one', was: content, is: 'd'.repeat(64) };
const precedent = { kind: 'precedent.set', v: 1, ...terms() };
const aboutKeys = { subject: 'keys' };
const trusted = {
  kind: 'key.trusted',
  v: 1,
  publicKey: makeHuman('Grace').publicKey.toString('base64'),
  name: 'Grace',
};

const damage = { from: 900, to: 1200, bytesHash: content, resumes: 'd'.repeat(64) };
const diagnosis = {
  ...{ problem: 'damaged', what: 'The journal is damaged.', damage, startAnew: { loses: 12 }, open: ['Q-2'] },
  copy: { lastAct: '2026-03-01T00:00:00.000Z', acts: 9 },
};
const skipped = { kind: 'journal.lineSetAside', v: 1, ...damage };
const startedAnew = { kind: 'journal.startedAnew', v: 1, formerWorkspace: null };
const recovering = (record: object, shown: object = diagnosis) =>
  requestOf(keyid, itemOf(record, shown, { subject: 'journal' }));

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

  it('takes a precedent with exactly its terms', async () => {
    const { items } = await checkRequest(requestOf(keyid, itemOf(precedent, { precedent: terms(), earlier: [] })));
    assert.match(JSON.stringify(items[0]?.describe(english)), /Add dependency `\{name: word\}`\?/);
  });

  it('takes a recovery that its diagnosis offers', async () => {
    for (const record of [{ kind: 'journal.restored', v: 1, lost: 3 }, skipped, startedAnew]) {
      const { items } = await checkRequest(recovering(record));
      assert.match(JSON.stringify(items[0]?.describe(english)), /The journal is damaged\..*Q-2/);
    }
  });

  it('hashes as programs do', async () => {
    for (const value of [question, answered, { b: 1, a: ['ä', '\u202E', null, true] }])
      assert.equal(await hashThere(value), hashOf(value));
  });

  it('takes an RFC with the text of its revision', async () => {
    const { items } = await checkRequest({ ...requestOf(keyid, approval), parts: [document] });
    assert.match(JSON.stringify(items[0]?.describe(english)), /Approve RFC-1.*All of it\./);
    assert.match(JSON.stringify(items[0]?.whole), /All of it\./);
  });

  it('takes a thread with its texts, in their order', async () => {
    const { items } = await checkRequest(resolving(withTexts, replied, remark));
    const shown = JSON.stringify(items[0]?.describe(english));
    assert.match(shown, /copilot-001 \(not signed\).*It is slow\..*Ada \(signed\).*It is fast\./);
    assert.match(JSON.stringify(items[0]?.whole), /It is slow\./);
  });

  it('says of a thread that began before texts had a hash that they are not shown', async () => {
    const { items } = await checkRequest(resolving(thread));
    assert.match(JSON.stringify(items[0]?.describe(english)), /Its texts are not shown here/);
  });

  const other = { ...remark, thread: 2 };
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
    'keys that are none': requestOf(keyid, itemOf({ kind: 'key.retired', v: 1, keyid, name: 'Ada' }, [], aboutKeys)),
    'a key that has another id': requestOf(keyid, itemOf({ ...trusted, keyid }, [[], null], aboutKeys)),
    'a recovery without a diagnosis': recovering({ kind: 'journal.restored', v: 1, lost: 0 }, []),
    'a restored copy that loses less than is shown': recovering({ kind: 'journal.restored', v: 1, lost: 0 }),
    'a copy that cannot be restored': recovering(
      { kind: 'journal.restored', v: 1, lost: 3 },
      { ...diagnosis, copy: { why: 'There is none.' } },
    ),
    'other bytes than are shown': recovering({ ...skipped, to: 20_000 }),
    'a start that is not offered': recovering(startedAnew, { ...diagnosis, startAnew: { why: 'Update instead.' } }),
    'a diagnosis with a field that is not shown': recovering(startedAnew, { ...diagnosis, hidden: 'Q-9' }),
    'an RFC without its text': requestOf(keyid, approval),
    'an RFC with another text': { ...requestOf(keyid, approval), parts: [{ ...document, title: 'Queues' }] },
    'an approval of another text than is shown': {
      ...requestOf(keyid, itemOf({ ...approved, hash: 'e'.repeat(64) }, rfc)),
      parts: [document],
    },
    'an approval of another revision': {
      ...requestOf(keyid, itemOf({ ...approved, revision: 2 }, rfc)),
      parts: [document],
    },
    'a reply in another thread': requestOf(
      keyid,
      itemOf({ kind: 'rfc.threadResolved', v: 1, id: 'RFC-1', thread: 2 }, { id: 'RFC-1', thread }),
    ),
    'a thread without its texts': resolving(withTexts),
    'a thread without its comment': resolving(withTexts, replied),
    'a thread with another text': resolving(withTexts, replied, { ...remark, text: 'It is fine.' }),
    'a thread without its last reply': resolving({ ...withTexts, texts: hashOf(remark) }, remark),
    'a thread with the texts of another': resolving({ ...thread, texts: hashOf(other) }, other),
    'a note without its text': requestOf(
      keyid,
      itemOf(closing, { id: 'E-1', content, status: 'active', proposal: null }),
    ),
    'a note with another text than is posted': requestOf(keyid, itemOf(posting, { ...note, text: 'Clear it.' })),
    'a change that was not shown': requestOf(
      keyid,
      itemOf({ kind: 'hold.changeAccepted', v: 1, id: 'Q-1', files: [change] }, { ...question, changes: [] }),
    ),
    'a precedent with other terms than are shown': requestOf(
      keyid,
      itemOf({ ...precedent, uses: 1_000 }, { precedent: terms(), earlier: [] }),
    ),
    'the end of a precedent that is not shown': requestOf(
      keyid,
      itemOf({ kind: 'precedent.ended', v: 1, id: 'P-2', reason: 'x' }, { precedent: terms(), by: 'Ada', at: noon }),
    ),
    'a use of another question than is shown': requestOf(
      keyid,
      itemOf({ kind: 'precedent.takenBack', v: 1, id: 'Q-2', reason: 'x' }, { question, resolution: {} }),
    ),
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
