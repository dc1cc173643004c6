/** The audit of a store with many decisions: verifies the whole chain and every signature from the first line. */
import { createPublicKey, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { auditBytes, journalBytes } from '../src/app/audit/audit.ts';
import type { Envelope } from '../src/core/records/parts.ts';
import { sha256 } from '../src/trust/canonical.ts';
import { preAuthEncoding } from '../src/trust/envelope.ts';
import { root } from '../test/support/host.ts';
import { decideMany } from './deciding.ts';
import { table } from './document.ts';
import type { Part } from './part.ts';
import { bareNode, inTurns } from './programs.ts';
import { copySeed, environmentOf, openPlace } from './seed.ts';
import type { Place } from './seed.ts';
import { median, quantile, short, thousands } from './stats.ts';

export const audit: Part = {
  name: 'audit',
  what: '`holdpoint audit --verify` over 10,000 questions and 5,000 decisions, against bare hashing, parsing and Ed25519',
  minutes: 3,
  async run({ folder, quick, say, seed }) {
    const decisions = quick ? 500 : 5_000;
    const questions = 10_000;
    const place = copySeed(folder, await seed(questions));
    try {
      say(`  ${thousands(decisions)} decisions`);
      await decideMany(place, decisions);
      const inside = await insideOne(place, quick ? 2 : 5);
      const env = environmentOf(place);
      const command = ['--workspace', place.folder, 'audit', '--verify', '--json'];
      const [bare = [], program = []] = await inTurns(
        [bareNode(env), { what: '', args: [path.join(root, 'dist', 'cli.mjs'), ...command], env, ends: 0 }],
        { rounds: quick ? 2 : 7, forMs: 30_000 },
      );
      const row = (what: string, all: readonly number[], limit: readonly number[], against: string) => [
        ...[what, `${short(median(all))} ms`, `${short(quantile(all, 0.95))} ms`],
        all === limit ? 'the limit' : `${short(median(all) / median(limit))} times ${against}`,
      ];
      return [
        `### Audit of ${thousands(questions)} questions and ${thousands(decisions)} decisions`,
        `The limit is what every audit needs: the hash of every line, its JSON, and ${thousands(decisions)} Ed25519 verifications by Node. The audit adds the check of every record, the fold, and an entry for each act.`,
        table(
          ['what', 'p50', 'p95', 'against'],
          [
            row('the limit, in one program', inside.limit, inside.limit, ''),
            row('the audit, in one program', inside.audit, inside.limit, 'the limit'),
            row('`node -e 0`', bare, bare, ''),
            row('`holdpoint audit --verify`', program, bare, 'bare Node'),
          ],
        ),
      ].join('\n\n');
    } finally {
      fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
    }
  },
};

async function insideOne(place: Place, rounds: number): Promise<{ audit: number[]; limit: number[] }> {
  const workspace = openPlace(place);
  const bytes = journalBytes(workspace);
  const pins = workspace.pins();
  const key = createPublicKey({ key: Buffer.from(pins[0]?.publicKey ?? '', 'base64'), format: 'der', type: 'spki' });
  const figures = { audit: [] as number[], limit: [] as number[] };
  let decided = 0;
  for (let round = 0; round < rounds; round++) {
    figures.audit.push(
      await timed(async () => {
        const { decisions, faults } = (await auditBytes(bytes, pins)).summary();
        if (faults.length > 0) throw new Error(faults.join(' '));
        decided = decisions;
      }),
    );
    figures.limit.push(
      await timed(() => {
        if (verifiedBy(bytes, key) !== decided) throw new Error('not every signature was found');
      }),
    );
  }
  workspace.close();
  return figures;
}

/** Number of envelopes in the journal that verify. */
function verifiedBy(bytes: Buffer, key: ReturnType<typeof createPublicKey>): number {
  let verified = 0;
  for (let from = 0; from < bytes.length;) {
    const next = bytes.indexOf('\n', from + 1);
    const end = next < 0 ? bytes.length : next;
    const text = bytes.toString('utf8', from + 1, end);
    from = end + 1;
    const body = text.slice(text.indexOf('{'));
    if (!body.startsWith('{')) continue;
    sha256(Buffer.from(body));
    const { records } = JSON.parse(body) as { records: { envelope?: Envelope }[] };
    for (const { envelope } of records) {
      const sig = envelope?.signatures[0]?.sig;
      if (!envelope || sig === undefined) continue;
      const signed = preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
      if (verify(null, signed, key, Buffer.from(sig, 'base64'))) verified++;
    }
  }
  return verified;
}

async function timed(act: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
