/** What everyone on the team will see once a workspace is shared, read from the very bytes that leave the machine. */
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { findSecrets, type FoundSecret } from '../../core/kit/secrets.ts';
import { readLocalJournal } from '../../store/shared/replica.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Overview {
  readonly counts: Readonly<Record<'questions' | 'rfcs' | 'events' | 'requests' | 'work' | 'agents', number>>;
  /** The first ones, and how many there are. */
  readonly secrets: readonly SecretIn[];
  readonly secretCount: number;
}

export interface SecretIn extends FoundSecret {
  /** Id of the item, such as Q-12; else the kind of the record. */
  readonly item: string;
}

const mostSecrets = 50;

/** Yields to other work between batches: a long journal takes some seconds. @throws Error when it cannot be read */
export async function overviewOf(workspace: Workspace): Promise<Overview> {
  const { location, options } = workspace;
  const { state } = (await workspace.store()).read();
  const trust = createTrust(() => workspace.pins());
  const journal = await readLocalJournal({ root: location.root, fs: options.fs, trust });
  const found: SecretIn[] = [];
  for (const rows of journal.batches(0)) {
    await new Promise((resolve) => setTimeout(resolve));
    for (const { bytes } of rows) {
      const text = bytes.toString('utf8');
      const line = jsonOrNull(text.slice(Math.max(0, text.indexOf('{')))) as { records?: unknown } | null;
      const records: readonly unknown[] = Array.isArray(line?.records) ? line.records : [text];
      for (const record of records) {
        const all = textsIn(record).join('\n');
        found.push(...findSecrets(all).map((secret) => ({ ...secret, item: itemOf(record) })));
      }
    }
  }
  const { questions, rfcs, events, requests, settledRequests, work, agents } = state;
  return {
    counts: {
      ...{ questions: questions.size, rfcs: rfcs.size, events: events.size, work: work.size, agents: agents.size },
      requests: requests.size + settledRequests.size,
    },
    secrets: found.slice(0, mostSecrets),
    secretCount: found.length,
  };
}

/** All strings of a record, and of what a human signed in it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const { payloadType, payload } = value as { payloadType?: unknown; payload?: unknown };
  const isEnvelope = payloadType !== undefined && typeof payload === 'string';
  const signed = isEnvelope ? jsonOrNull(Buffer.from(payload, 'base64').toString('utf8')) : null;
  return [signed, ...(Object.values(value) as unknown[])].flatMap(textsIn);
}

function itemOf(record: unknown): string {
  const { id, question, rfc, kind } = (record ?? {}) as Readonly<Record<string, unknown>>;
  const named = [id, question, rfc, kind].find((one): one is string => typeof one === 'string' && one !== '');
  return named?.slice(0, 100) ?? '…';
}
