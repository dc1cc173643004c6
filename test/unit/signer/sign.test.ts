import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { openKey, replaceKey } from '../../../src/signer/key.ts';
import { createSigning } from '../../../src/signer/sign.ts';
import { canonicalJson } from '../../../src/trust/canonical.ts';
import { keyId, payloadType, preAuthEncoding } from '../../../src/trust/envelope.ts';
import { answered, itemOf, question, requestOf } from './requests.ts';

function secrets() {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (name: string) => Promise.resolve(kept.get(name)),
    store: (name: string, value: string) => Promise.resolve(void kept.set(name, value)),
  };
}

async function setting(says: () => Promise<boolean> = () => Promise.resolve(true)) {
  const key = await openKey(secrets());
  const time = { now: 0 };
  const asked: number[] = [];
  const sign = createSigning({
    key: () => Promise.resolve(key),
    clock: () => time.now,
    ask: ({ items }) => {
      asked.push(items.length);
      return says();
    },
  });
  return { key, sign, asked, time };
}

describe('the key on the person’s side', () => {
  it('is created once, and is the same later', async () => {
    const place = secrets();
    const { keyid, publicKey } = await openKey(place);
    assert.equal(keyid, keyId(Buffer.from(publicKey, 'base64')));
    assert.equal((await openKey(place)).keyid, keyid);
    assert.equal(place.kept.size, 1);
  });

  it('is replaced for good', async () => {
    const place = secrets();
    const before = await openKey(place);
    const after = await replaceKey(place);
    assert.notEqual(after.keyid, before.keyid);
    assert.equal((await openKey(place)).keyid, after.keyid);
    assert.equal(place.kept.size, 1);
  });

  it('signs what programs verify, after its person agreed', async () => {
    const { key, sign, asked } = await setting();
    const item = itemOf();
    const reply = await sign(requestOf(key.keyid, item));
    assert.ok(reply.outcome === 'signed');
    const publicKey = createPublicKey({ key: Buffer.from(key.publicKey, 'base64'), format: 'der', type: 'spki' });
    const bytes = preAuthEncoding(payloadType, Buffer.from(canonicalJson(item.payload)));
    assert.ok(verify(null, bytes, publicKey, Buffer.from(reply.signatures[0] ?? '', 'base64')));
    assert.deepEqual(asked, [1]);
  });

  it('signs nothing when its person says no', async () => {
    const { key, sign } = await setting(() => Promise.resolve(false));
    assert.deepEqual(await sign(requestOf(key.keyid, itemOf())), { outcome: 'declined' });
  });

  it('does not ask about a request that it refuses, or for another key', async () => {
    const { key, sign, asked } = await setting();
    const item = itemOf();
    const wrong = { ...item, shown: { ...question, text: 'Run the tests?' } };
    assert.equal((await sign(requestOf(key.keyid, wrong))).outcome, 'refused');
    assert.equal((await sign(requestOf('c'.repeat(64), item))).outcome, 'refused');
    assert.deepEqual(asked, []);
  });

  it('asks about one request at a time', async () => {
    let agree: (value: boolean) => void = () => undefined;
    const { key, sign, asked } = await setting(() => new Promise((resolve) => (agree = resolve)));
    const first = sign(requestOf(key.keyid, itemOf()));
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await sign(requestOf(key.keyid, itemOf())), { outcome: 'busy' });
    agree(true);
    assert.equal((await first).outcome, 'signed');
    assert.deepEqual(asked, [1]);
  });

  it('asks again about a recovery for another place', async () => {
    const { key, sign, asked } = await setting();
    const content = { problem: 'damaged', what: 'Damaged.', copy: { why: '-' }, damage: { why: '-' } };
    const shown = { ...content, startAnew: { loses: 1 }, open: [] };
    const record = { kind: 'journal.startedAnew', v: 1, formerWorkspace: null };
    const item = itemOf(record, shown, { subject: 'journal' });
    const elsewhere = { ...item, payload: { ...item.payload, position: item.payload.position + 1 } };
    for (const one of [item, elsewhere]) assert.equal((await sign(requestOf(key.keyid, one))).outcome, 'signed');
    assert.deepEqual(asked, [1, 1]);
  });

  it('signs the same decision for its next place in the journal, and nothing else, without asking again', async () => {
    const { key, sign, asked, time } = await setting();
    const item = itemOf();
    const again = (more: object) => sign(requestOf(key.keyid, { ...item, payload: { ...item.payload, ...more } }));
    await again({});
    assert.equal((await again({ position: 200, head: 'd'.repeat(64) })).outcome, 'signed');
    assert.deepEqual(asked, [1]);
    // The nonce keeps a decision from counting twice.
    await again({ nonce: '11111111-f426-43be-a7e0-0d6858534ea4' });
    assert.deepEqual(asked, [1, 1]);
    await again({ at: '2026-03-02T00:00:01.000Z' });
    assert.deepEqual(asked, [1, 1, 1]);
    await sign(requestOf(key.keyid, item, itemOf({ ...answered, id: 'Q-2' }, { ...question, id: 'Q-2' })));
    assert.deepEqual(asked, [1, 1, 1, 2]);
    await again({});
    time.now += 10_001;
    await again({});
    assert.deepEqual(asked, [1, 1, 1, 2, 1, 1]);
  });
});
