/**
 * Decisions of every signed kind, as earlier programs signed them (`test/fixtures/decisions`). These files never change:
 * what people are shown and sign keeps its bytes, and every signature in them stays valid. The same decisions without a
 * valid signature have no effect. A new kind is in a file of its own.
 */
import { readFrom } from '../../support/store/lab.ts';
import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import fs from 'node:fs';
import { seal, signRecord, type Unsigned, type KeySigner } from '../../../src/app/decision/decisions.ts';
import { applyLine, isAttempt } from '../../../src/core/fold/fold.ts';
import type { DecisionPayload } from '../../../src/core/records/decision.ts';
import type { Envelope } from '../../../src/core/records/parts.ts';
import { anyRecord, type CountedLine } from '../../../src/core/records/records.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { canonicalJson, sha256 } from '../../../src/trust/canonical.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import type { PinnedKey } from '../../../src/trust/keyring.ts';
import { makeHuman } from '../../support/store/human.ts';
import { heldFacts, lost } from '../../support/store/model.ts';

interface Golden {
  /** With the seed of each private key: 32 equal bytes. */
  readonly people: readonly (PinnedKey & { readonly seed: number })[];
  readonly journals: readonly {
    readonly name: string;
    readonly lines: readonly CountedLine[];
    readonly decisions: readonly {
      readonly line: number;
      readonly kind: string;
      /** Canonical JSON of what was shown; null for kinds whose forms show what no journal has. */
      readonly shown: string | null;
      readonly hash: string;
    }[];
  }[];
}

const folder = new URL('../../fixtures/decisions/', import.meta.url);
const files = fs
  .readdirSync(folder)
  .map((name) => JSON.parse(fs.readFileSync(new URL(name, folder), 'utf8')) as Golden);
const people = files.flatMap((file) => file.people);
const journals = files.flatMap((file) => file.journals);
const trust = createTrust(() => people);

interface Signed {
  readonly kind: string;
  readonly envelope: Envelope;
}

function signedIn({ records }: CountedLine): Signed[] {
  return (records as Signed[]).filter((one) => 'envelope' in one);
}

function payloadOf({ envelope }: Signed): DecisionPayload {
  return JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as DecisionPayload;
}

/** The private key in PKCS #8 (RFC 8410). */
function signerOf(keyid: string) {
  const { name, seed } = people.find((one) => one.keyid === keyid)!;
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { keyid, name, sign: (bytes: Uint8Array) => sign(null, bytes, key) };
}

/** What an agent can write that knows the journal, and has a key of its own. @param before all lines before it */
function forgeriesOf(record: Signed, before: readonly CountedLine[]): Record<string, object> {
  const { envelope, ...unsigned } = record;
  const payload = payloadOf(record);
  const resigned = (changes: object, signer: KeySigner = signerOf(envelope.signatures[0]!.keyid)) => ({
    ...unsigned,
    envelope: seal(signer, { ...payload, ...changes }),
  });
  const earlier = before.flatMap(signedIn).at(-1);
  const others = people.filter(({ keyid }) => keyid !== envelope.signatures[0]!.keyid);
  return {
    'without a signature': unsigned,
    'without signatures in its envelope': { ...unsigned, envelope: { ...envelope, signatures: [] } },
    'with another key under the id of the signer': resigned(
      {},
      {
        ...signerOf(others[0]!.keyid),
        keyid: envelope.signatures[0]!.keyid,
      },
    ),
    'with an unknown key': resigned({}, makeHuman()),
    'for another kind': resigned({ action: 'rfc.unknown' }),
    'for another item': resigned({ subject: 'Q-999' }),
    'for another workspace': resigned({ workspace: '6f1c2b34-0000-4000-8000-000000000009' }),
    'for another history': resigned({ head: 'f'.repeat(64) }),
    'for another content': resigned({ recordHash: 'f'.repeat(64) }),
    ...(golden(record).shown === null ? {} : { 'for what was not shown': resigned({ shown: 'f'.repeat(64) }) }),
    ...(earlier
      ? {
          'with the signature of another record': { ...unsigned, envelope: earlier.envelope },
          'written again': earlier,
          'with a nonce that was used': resigned({ nonce: payloadOf(earlier).nonce }),
        }
      : {}),
  };
}

function golden(record: Signed) {
  const { shown } = payloadOf(record);
  return journals.flatMap(({ decisions }) => decisions).find((one) => one.kind === record.kind && one.hash === shown)!;
}

describe('decisions that earlier programs signed', () => {
  it('cover every signed kind', () => {
    const kinds = new Set(journals.flatMap(({ decisions }) => decisions.map(({ kind }) => kind)));
    assert.deepEqual([...kinds].sort(), anyRecord.kinds.filter((kind) => anyRecord.isSigned(kind)).sort());
  });

  for (const { name, lines, decisions } of journals) {
    it(`verify and take effect over the same bytes: ${name}`, () => {
      const state = emptyState();
      readFrom(state, lines);
      for (const [index, line] of lines.entries()) {
        const hashed = new Map<string, string>();
        const hash = (value: unknown) => {
          const text = canonicalJson(value);
          hashed.set(sha256(text), text);
          return sha256(text);
        };
        const { admitted, refused } = applyLine(state, line, { ...trust, hash });
        assert.deepEqual(refused, []);
        const here = decisions.filter((one) => one.line === index);
        assert.equal(admitted.filter(({ signed }) => signed).length, here.length);
        for (const [place, { kind, shown, hash: expected }] of here.entries()) {
          const record = signedIn(line)[place]!;
          assert.equal(payloadOf(record).shown, expected, kind);
          if (shown !== null) assert.equal(hashed.get(expected), shown, kind);
        }
      }
    });

    it(`have no effect without a valid signature of their own: ${name}`, () => {
      const state = emptyState();
      readFrom(state, lines);
      for (const [index, line] of lines.entries()) {
        const made = signedIn(line).map((record) => forgeriesOf(record, lines.slice(0, index)));
        for (const what of Object.keys(made[0] ?? {})) {
          const records = made.map((forgeries) => forgeries[what]);
          const before = { ...structuredClone(state), refusals: [], places: [] };
          const held = heldFacts(state);
          const folded = applyLine(state, { ...line, records }, trust);
          const message = `${signedIn(line)[0]!.kind} ${what}`;
          assert.deepEqual([folded.admitted, folded.refused.every(isAttempt)], [[], true], message);
          assert.deepEqual(lost(held, heldFacts(state)), [], message);
          assert.deepEqual({ ...state, refusals: [], places: [] }, before, message);
          folded.undo();
        }
        applyLine(state, line, trust);
      }
    });

    it(`are signed as the same bytes today: ${name}`, () => {
      for (const record of lines.flatMap(signedIn)) {
        const { workspace, position, head, shown, nonce, at } = payloadOf(record);
        const { envelope, ...unsigned } = record;
        const place = { workspaceId: workspace, position: { position, head } };
        const signer = signerOf(envelope.signatures[0]!.keyid);
        const again = signRecord(place, signer, unsigned as Unsigned, { shown, nonce, at });
        assert.deepEqual(again.envelope, envelope, record.kind);
      }
    });
  }
});
