import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { canonicalJson, hashOf, sha256 } from '../../../src/trust/canonical.ts';
import { createTrust, keyId, payloadType, preAuthEncoding } from '../../../src/trust/envelope.ts';
import { type PinnedKey, formatKeyring, keyringFile, parseKeyring } from '../../../src/trust/keyring.ts';
import { runs } from '../../support/runs.ts';
import { noon, workspaceId } from '../../support/store/lab.ts';
import { makeHuman, type Human } from '../../support/store/people.ts';

const payload = {
  v: 1,
  workspace: workspaceId,
  action: 'question.answered',
  subject: 'Q-1',
  shown: '0'.repeat(64),
  recordHash: '0'.repeat(64),
  nonce: '00000000-0000-4000-8000-000000000000',
  position: 0,
  head: '0'.repeat(64),
  at: noon,
  by: 'Ada',
};

function envelopeOf(human: Human, text = JSON.stringify(payload)) {
  const bytes = Buffer.from(text);
  const sig = Buffer.from(human.sign(preAuthEncoding(payloadType, bytes))).toString('base64');
  return { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid: human.keyid, sig }] } as const;
}

describe('trust', () => {
  describe('canonical JSON', () => {
    const json = fc
      .jsonValue({ noUnicodeString: false })
      .filter((value) => !/[-\d]\.\d|\de[+-]|\p{Surrogate}/u.test(JSON.stringify(value)));

    it('represents the same value in any order of members', () => {
      const turned = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(turned);
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, member]) => [key, turned(member)]),
        );
      };
      fc.assert(
        fc.property(json, (value) => {
          let text: string;
          try {
            text = canonicalJson(value);
          } catch (error) {
            assert.ok(error instanceof TypeError);
            return;
          }
          assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
          assert.equal(canonicalJson(turned(value)), text);
          assert.equal(hashOf(turned(value)), sha256(text));
        }),
        { numRuns: runs(1_000) },
      );
    });

    it('sorts keys by code unit and omits undefined values', () => {
      assert.equal(
        canonicalJson({ b: 1, a: [true, null, 'é'], ä: undefined, B: {} }),
        '{"B":{},"a":[true,null,"é"],"b":1}',
      );
    });

    it('refuses values that have several representations', () => {
      const values = [
        1.5,
        NaN,
        Infinity,
        2 ** 53,
        'a\ud800',
        { 'k\udc00': 1 },
        () => 1,
        Symbol('s'),
        1n,
        undefined,
        [undefined],
      ];
      for (const value of values) assert.throws(() => canonicalJson(value), TypeError);
      for (const [value, message] of [
        [1.5, 'only safe integers can be signed, not 1.5'],
        ['a\ud800', 'a lone surrogate cannot be signed'],
        [1n, 'a bigint cannot be signed'],
      ] as const)
        assert.throws(() => canonicalJson(value), { message });
    });
  });

  describe('in envelopes', () => {
    const human = makeHuman();
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'der', type: 'spki' });
    const pinned = (der: Buffer, keyid = keyId(der)): PinnedKey => ({
      keyid,
      publicKey: der.toString('base64'),
      name: 'Ada',
      enrolledAt: noon,
    });

    function check(
      name: string,
      pins: readonly PinnedKey[],
      expected: RegExp | null,
      envelope = envelopeOf(human),
    ): void {
      it(name, () => {
        const result = createTrust(() => pins).verify({ ...envelope, signatures: [...envelope.signatures] });
        if (expected === null) assert.deepEqual(result, { payload, keyid: human.keyid, name: 'Ada', passkey: false });
        else assert.match('why' in result ? result.why : 'trusted', expected);
      });
    }

    check('accepts a pinned key', [makeHuman().pin, human.pin], null);
    check('refuses every key when none is pinned', [], /no human enrolled/);
    check('refuses another key', [makeHuman().pin], /no human enrolled/);
    check(
      'refuses a key pinned under the ID of another',
      [pinned(makeHuman().publicKey, human.keyid)],
      /no human enrolled/,
    );
    check('refuses a key of another type', [pinned(rsa, human.keyid), pinned(rsa)], /no human enrolled/);
    check('refuses garbage pinned under its own hash', [pinned(Buffer.from('garbage'))], /no human enrolled/);
    check(
      'refuses an extra member',
      [human.pin],
      /not a decision/,
      envelopeOf(human, JSON.stringify({ ...payload, extra: 1 })),
    );
    check('refuses a payload that is not JSON', [human.pin], /not a decision/, envelopeOf(human, 'no JSON'));
    check('accepts a good signature in second place', [human.pin], null, {
      ...envelopeOf(human),
      signatures: [envelopeOf(makeHuman()).signatures[0], envelopeOf(human).signatures[0]] as never,
    });

    check('refuses an invalid signature of a pinned key beside a stranger’s', [human.pin], /no valid signature/, {
      ...envelopeOf(human),
      signatures: [
        envelopeOf(makeHuman()).signatures[0],
        { keyid: human.keyid, sig: envelopeOf(human, 'other').signatures[0].sig },
      ] as never,
    });

    it('refuses a key of another type, even with a valid signature', () => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const der = publicKey.export({ format: 'der', type: 'spki' });
      const signer: Human = { ...human, keyid: keyId(der), sign: (bytes) => sign(null, bytes, privateKey) };
      const { signatures, ...rest } = envelopeOf(signer);
      const result = createTrust(() => [pinned(der)]).verify({ ...rest, signatures: [...signatures] });
      assert.match('why' in result ? result.why : 'trusted', /no human enrolled/);
    });

    it('accepts a key that was just enrolled', () => {
      const pins: PinnedKey[] = [];
      const trust = createTrust(() => pins);
      const envelope = { ...envelopeOf(human), signatures: [...envelopeOf(human).signatures] };
      assert.ok('why' in trust.verify(envelope));
      pins.push(human.pin);
      assert.ok('payload' in trust.verify(envelope));
    });
  });

  it('reads the keyring that it wrote, and no other text', () => {
    assert.equal(keyringFile, 'keys.json', 'the file name that users and earlier versions use');
    const pins = [makeHuman().pin, makeHuman('Grace').pin];
    assert.deepEqual(parseKeyring(formatKeyring(pins)), pins);
    for (const text of ['', '{}', '[]', '{"v":3,"keys":[]}', '{"v":1,"keys":[{}]}', formatKeyring(pins).slice(0, -9)])
      assert.throws(() => parseKeyring(text));
  });
});
