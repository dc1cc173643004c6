import assert from 'node:assert/strict';
import { createPublicKey, randomBytes } from 'node:crypto';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import fc from 'fast-check';
import { assertionProblem, passkeyPublicKey, type PasskeySignature } from '../../../src/trust/webauthn.ts';
import { type Algorithm, type Assertion, makePasskey, type Passkey } from '../../support/authenticator.ts';
import { runs } from '../../support/runs.ts';
import { registeredPasskey, registration } from '../../../src/serve/security/passkeys.ts';
import { register, type RegistrationChanges } from '../../support/registering.ts';

describe('a passkey’s assertion', () => {
  const challenge = Buffer.alloc(32, 7).toString('base64url');

  const home = { type: 'webauthn.get', challenge, origin: 'http://localhost:4747', crossOrigin: false };

  const json = (changes: object = {}) => JSON.stringify({ ...home, ...changes });

  const map = Buffer.from('a1646e616d6501', 'hex');

  function ours({ pin }: Passkey, assertion: PasskeySignature, expected = challenge): string | null {
    const key = passkeyPublicKey(Buffer.from(pin.publicKey, 'base64'));
    assert.ok(key);
    return assertionProblem(assertion, { key, binding: pin.passkey, challenge: expected });
  }

  /** Whether the library accepts it. */
  async function theirs(
    { pin, publicKey }: Passkey,
    assertion: PasskeySignature,
    expected = challenge,
  ): Promise<boolean> {
    const id = pin.passkey.credentialId;
    try {
      const { verified } = await verifyAuthenticationResponse({
        response: { id, rawId: id, type: 'public-key', response: assertion, clientExtensionResults: {} },
        expectedChallenge: expected,
        expectedOrigin: pin.passkey.origin,
        expectedRPID: pin.passkey.rpId,
        expectedType: 'webauthn.get',
        credential: { id, publicKey: coseOf(publicKey.export({ format: 'jwk' })), counter: 0 },
        requireUserVerification: true,
      });
      return verified;
    } catch {
      return false;
    }
  }

  function coseOf({ crv, x = '', y = '' }: JsonWebKey) {
    const bytes = (text: string) => Buffer.concat([Buffer.from('5820', 'hex'), Buffer.from(text, 'base64url')]);
    return crv === 'P-256'
      ? Buffer.concat([Buffer.from('a501020326200121', 'hex'), bytes(x), Buffer.of(0x22), bytes(y)])
      : Buffer.concat([Buffer.from('a4010103272006', 'hex'), Buffer.of(0x21), bytes(x)]);
  }

  /** Changed after it was signed. */
  function swap(assertion: PasskeySignature, name: keyof PasskeySignature, change: (bytes: Buffer) => Buffer) {
    return { ...assertion, [name]: change(Buffer.from(assertion[name], 'base64url')).toString('base64url') };
  }

  const longer = (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)]);

  const shorter = (bytes: Buffer) => bytes.subarray(0, -1);

  /** The order of P-256: with it, the other valid `s` of an ECDSA signature is made. */
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

  function otherS(der: Buffer): Buffer {
    const rLength = der[3] ?? 0;
    const r = der.subarray(4, 4 + rLength);
    const s = BigInt(`0x${der.subarray(6 + rLength).toString('hex')}`);
    const hex = (order - s).toString(16).padStart(64, '0');
    const plain = Buffer.from(hex, 'hex');
    const trimmed = plain.subarray(plain.findIndex((byte) => byte !== 0));
    const positive = (trimmed[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), trimmed]) : trimmed;
    const body = Buffer.concat([Buffer.of(2, r.length), r, Buffer.of(2, positive.length), positive]);
    return Buffer.concat([Buffer.of(0x30, body.length), body]);
  }

  interface Case {
    readonly name: string;
    readonly changes?: Partial<Assertion>;
    readonly after?: (assertion: PasskeySignature) => PasskeySignature;
    readonly algs?: readonly Algorithm[];
    /** Null: it counts. */
    readonly problem: RegExp | null;
    /** What the library says, where it is less strict. */
    readonly library?: boolean;
  }

  const cases: readonly Case[] = [
    { name: 'a good assertion', problem: null },
    { name: 'a synced passkey', changes: { flags: 0x1d }, problem: null },
    { name: 'a counter', changes: { counter: 41 }, problem: null },
    { name: 'extension data that is a map', changes: { flags: 0x85, rest: map }, problem: null },
    {
      name: 'further members of the client data',
      changes: { clientData: json({ hint: 'do not compare' }) },
      problem: null,
    },
    {
      name: 'client data with escaped slashes, as some phones write it',
      changes: { clientData: json().replaceAll('/', String.raw`\/`) },
      problem: null,
    },
    { name: 'no user present', changes: { flags: 0x04 }, problem: /without its human/ },
    { name: 'no user verified', changes: { flags: 0x01 }, problem: /without a PIN/ },
    { name: 'no flags', changes: { flags: 0 }, problem: /without its human/ },
    { name: 'backed up without being eligible', changes: { flags: 0x15 }, problem: /contradictory/ },
    { name: 'another origin', changes: { origin: 'http://localhost:4748' }, problem: /on another site/ },
    { name: 'an origin with a slash', changes: { origin: 'http://localhost:4747/' }, problem: /on another site/ },
    { name: 'another domain', changes: { rpId: 'example.org' }, problem: /another domain/ },
    { name: 'another type', changes: { type: 'webauthn.create' }, problem: /not made for signing/ },
    { name: 'a payment', changes: { type: 'payment.get' }, problem: /not made for signing/ },
    {
      name: 'a page inside another site',
      changes: { clientData: json({ crossOrigin: true }) },
      problem: /inside a page of another site/,
      library: true,
    },
    {
      name: 'a site around its page',
      changes: { clientData: json({ topOrigin: 'https://evil.example' }) },
      problem: /inside a page of another site/,
    },
    {
      name: 'an origin that appears twice',
      changes: { clientData: json().replace('{', '{"origin":"https://evil.example",') },
      problem: /malformed client data/,
      library: true,
    },
    {
      name: 'a challenge that appears twice, once escaped',
      changes: { clientData: json().replace('{', String.raw`{"ch\u0061llenge":"x",`) },
      problem: /malformed client data/,
      library: true,
    },
    {
      name: 'a member of the client data of another type',
      changes: { clientData: json({ crossOrigin: 'no' }) },
      problem: /malformed client data/,
      library: true,
    },
    {
      name: 'client data that is not JSON',
      changes: { clientData: json().slice(1) },
      problem: /malformed client data/,
    },
    {
      name: 'client data with something after it',
      changes: { clientData: `${json()}{}` },
      problem: /malformed client data/,
    },
    {
      name: 'client data with a byte order mark',
      changes: { clientData: `\uFEFF${json()}` },
      problem: /malformed client data/,
      library: true,
    },
    { name: 'truncated authenticator data', changes: { cut: (data) => data.subarray(0, 36) }, problem: /truncated/ },
    {
      name: 'bytes after the authenticator data',
      changes: { rest: Buffer.of(0) },
      problem: /malformed authenticator data/,
    },
    { name: 'extension data that was not flagged', changes: { rest: map }, problem: /malformed authenticator data/ },
    {
      name: 'flagged extension data that is missing',
      changes: { flags: 0x85 },
      problem: /malformed authenticator data/,
    },
    {
      name: 'bytes after the extension data',
      changes: { flags: 0x85, rest: longer(map) },
      problem: /malformed authenticator data/,
    },
    {
      name: 'truncated extension data',
      changes: { flags: 0x85, rest: shorter(map) },
      problem: /malformed authenticator data/,
    },
    {
      name: 'a key in the authenticator data',
      changes: {
        flags: 0x45,
        rest: Buffer.concat([
          Buffer.alloc(16),
          Buffer.from('0001aa', 'hex'),
          coseOf({ crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }),
        ]),
      },
      problem: /has a key/,
      library: true,
    },
    {
      name: 'flags raised after signing',
      changes: { flags: 0x01 },
      after: (one) => swap(one, 'authenticatorData', raise),
      problem: /no valid signature/,
    },
    { name: 'a truncated signature', after: (one) => swap(one, 'signature', shorter), problem: /no valid signature/ },
    {
      name: 'a signature with a byte more',
      after: (one) => swap(one, 'signature', longer),
      algs: ['Ed25519'],
      problem: /no valid signature/,
    },
    {
      name: 'a DER signature with a byte more',
      after: (one) => swap(one, 'signature', longer),
      algs: ['ES256'],
      problem: /no valid signature/,
      library: true,
    },
    {
      name: 'the other valid form of an ECDSA signature, which is no forgery',
      after: (one) => swap(one, 'signature', otherS),
      algs: ['ES256'],
      problem: null,
    },
    {
      name: 'base64 with padding',
      after: (one) => ({ ...one, clientDataJSON: `${one.clientDataJSON}=` }),
      problem: /malformed passkey/,
      library: true,
    },
    { name: 'too much data', after: (one) => ({ ...one, signature: 'A'.repeat(4_000) }), problem: /malformed passkey/ },
    { name: 'nothing', after: (one) => ({ ...one, signature: '' }), problem: /malformed passkey/ },
  ];

  const unchanged = (assertion: PasskeySignature) => assertion;

  const raise = (data: Buffer) => {
    const raised = Buffer.from(data);
    raised[32] = 0x05;
    return raised;
  };

  for (const alg of ['ES256', 'Ed25519'] as const) {
    const passkey = makePasskey('Ada', { alg });
    for (const { name, changes, after = unchanged, algs, problem, library = problem === null } of cases)
      if (algs?.includes(alg) ?? true)
        it(`${problem === null ? 'counts' : 'does not count'}: ${name} (${alg})`, async () => {
          const assertion = after(passkey.assert(challenge, changes));
          const found = ours(passkey, assertion);
          if (problem === null) assert.equal(found, null);
          else assert.match(found ?? 'counts', problem);
          assert.equal(await theirs(passkey, assertion), library);
        });

    it(`does not count for another challenge, nor under another key (${alg})`, async () => {
      const assertion = passkey.assert(challenge);
      const other = Buffer.alloc(32, 8).toString('base64url');
      assert.match(ours(passkey, assertion, other) ?? '', /made for something else/);
      assert.equal(await theirs(passkey, assertion, other), false);
      for (const swapped of [
        makePasskey('Ada', { alg }),
        makePasskey('Ada', { alg: alg === 'ES256' ? 'Ed25519' : 'ES256' }),
      ]) {
        assert.match(ours(swapped, assertion) ?? '', /no valid signature/);
        assert.equal(await theirs(swapped, assertion), false);
      }
    });

    it(`does not count with a changed byte (${alg})`, async () => {
      const good = passkey.assert(challenge, { flags: 0x85, rest: map });
      const part = fc.constantFrom<keyof PasskeySignature>('authenticatorData', 'clientDataJSON', 'signature');
      await fc.assert(
        fc.asyncProperty(part, fc.nat(400), fc.integer({ min: 0, max: 255 }), async (name, at, byte) => {
          const changed = swap(good, name, (bytes) => {
            const copy = Buffer.from(bytes);
            copy[at % copy.length] = byte;
            return copy;
          });
          const same = changed[name] === good[name];
          assert.equal(ours(passkey, changed) === null, same);
          // The library reads DER more loosely.
          if (same || name !== 'signature') assert.equal(await theirs(passkey, changed), same);
        }),
        { numRuns: runs(300) },
      );
    });
  }

  it('is of an Ed25519 or P-256 key in its one form', () => {
    const { pin, publicKey } = makePasskey();
    const spki = Buffer.from(pin.publicKey, 'base64');
    assert.ok(passkeyPublicKey(spki));
    const compressed = Buffer.concat([
      Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
      Buffer.of(2 + ((spki.at(-1) ?? 0) & 1)),
      spki.subarray(27, 59),
    ]);
    assert.ok(createPublicKey({ key: compressed, format: 'der', type: 'spki' }).equals(publicKey), 'the same key');
    assert.equal(passkeyPublicKey(compressed), null);
    for (const other of [longer(spki), shorter(spki), randomBytes(91), Buffer.alloc(0)])
      assert.equal(passkeyPublicKey(other), null);
  });
});

describe('a passkey that a browser registers', () => {
  const challenge = Buffer.alloc(32, 7).toString('base64url');

  const origin = 'http://localhost:4764';

  const expected = { origin, isChallenge: (given: string) => given === challenge };

  const refused: Readonly<Record<string, RegistrationChanges & { readonly challenge?: string }>> = {
    'for another challenge': { challenge: Buffer.alloc(32, 8).toString('base64url') },
    'on another site': { origin: 'http://localhost:4765' },
    'on another site of the same host': { origin: 'https://localhost:4764' },
    'for another domain': { rpId: 'evil.example' },
    'without its human': { flags: 0x44 },
    'without a PIN, fingerprint or the like': { flags: 0x41 },
    'for signing, not for registering': { type: 'webauthn.get' },
  };

  for (const alg of ['Ed25519', 'ES256'] as const)
    it(`counts with its own public key and credential (${alg})`, () => {
      const passkey = makePasskey('Ada', { alg, origin });
      const given = registration.parse(register(passkey, challenge));
      assert.deepEqual(registeredPasskey(given, expected), {
        publicKey: passkey.pin.publicKey,
        credentialId: passkey.pin.passkey.credentialId,
      });
    });

  for (const [how, { challenge: asked = challenge, ...changes }] of Object.entries(refused))
    it(`does not count when it was made ${how}`, () => {
      const given = registration.parse(register(makePasskey('Ada', { origin }), asked, changes));
      assert.equal(registeredPasskey(given, expected), null);
    });

  it('does not count under the id of another credential', () => {
    const given = registration.parse(register(makePasskey('Ada', { origin }), challenge));
    const other = makePasskey('Ada', { origin }).pin.passkey.credentialId;
    for (const id of [{ id: other }, { rawId: other }, { id: other, rawId: other }])
      assert.equal(registeredPasskey({ ...given, ...id }, expected), null);
  });

  it('does not count with an attestation that is not one', () => {
    const { response, ...rest } = register(makePasskey('Ada', { origin }), challenge);
    for (const attestationObject of ['AAAA', response.attestationObject.slice(0, -8)])
      assert.equal(
        registeredPasskey(registration.parse({ ...rest, response: { ...response, attestationObject } }), expected),
        null,
      );
  });
});
