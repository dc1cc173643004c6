/**
 * Decisions of every signed kind, as earlier programs signed them (`test/fixtures/decisions/golden.json`). The file never
 * changes: what people are shown and sign keeps its bytes, and every signature in it stays valid.
 */
import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import fs from 'node:fs';
import { signRecord } from '../../../src/app/decision/decisions.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { applyLine } from '../../../src/core/fold/fold.ts';
import type { DecisionPayload } from '../../../src/core/records/decision.ts';
import type { Envelope } from '../../../src/core/records/parts.ts';
import { anyRecord } from '../../../src/core/records/records.ts';
import type { CountedLine } from '../../../src/core/records/records.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { canonicalJson, sha256 } from '../../../src/trust/canonical.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import type { PinnedKey } from '../../../src/trust/envelope.ts';

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

const { people, journals } = JSON.parse(
  fs.readFileSync(new URL('../../fixtures/decisions/golden.json', import.meta.url), 'utf8'),
) as Golden;
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

describe('decisions that earlier programs signed', () => {
  it('cover every signed kind', () => {
    const kinds = new Set(journals.flatMap(({ decisions }) => decisions.map(({ kind }) => kind)));
    assert.deepEqual([...kinds].sort(), anyRecord.kinds.filter((kind) => anyRecord.isSigned(kind)).sort());
  });

  for (const { name, lines, decisions } of journals) {
    it(`verify and take effect over the same bytes: ${name}`, () => {
      const state = emptyState();
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
