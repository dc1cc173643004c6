/** What everyone on the team will see once a workspace is shared, read from the very bytes that leave the machine. */
import { findSecrets } from '../../core/kit/secrets.ts';
import type { FoundSecret } from '../../core/kit/secrets.ts';
import { readLocalJournal } from '../../store/shared/moving.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Overview {
  readonly counts: {
    readonly questions: number;
    readonly rfcs: number;
    readonly events: number;
    readonly requests: number;
    readonly work: number;
    readonly agents: number;
  };
  readonly bytes: number;
  readonly lines: number;
  /** Time of the first line; null in an empty journal. */
  readonly oldest: string | null;
  /** Names of the humans who signed decisions. */
  readonly people: readonly string[];
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
  const journal = await readLocalJournal({
    root: location.root,
    fs: options.fs,
    trust: createTrust(() => workspace.pins()),
  });
  const people = new Set<string>();
  const secrets: SecretIn[] = [];
  let secretCount = 0;
  let oldest: string | null = null;
  const look = (item: string, text: string) => {
    for (const found of findSecrets(text)) {
      secretCount++;
      if (secrets.length < mostSecrets) secrets.push({ ...found, item });
    }
  };
  for (const rows of journal.batches(0)) {
    await new Promise((resolve) => setTimeout(resolve));
    for (const { kind, bytes } of rows) {
      const text = bytes.toString('utf8');
      const line = kind === 'line' ? lineOf(text) : null;
      if (!line) {
        look('…', text);
        continue;
      }
      oldest ??= typeof line.time === 'string' ? line.time : null;
      for (const record of line.records) lookAt(record, { look, people });
    }
  }
  return {
    counts: {
      questions: state.questions.size,
      rfcs: state.rfcs.size,
      events: state.events.size,
      requests: state.requests.size + state.settledRequests.size,
      work: state.work.size,
      agents: state.agents.size,
    },
    bytes: journal.size,
    lines: journal.lines,
    oldest,
    people: [...people].sort((a, b) => a.localeCompare(b)),
    secrets,
    secretCount,
  };
}

interface Line {
  readonly time?: unknown;
  readonly records: readonly unknown[];
}

function lineOf(text: string): Line | null {
  const start = text.indexOf('{');
  try {
    const line = JSON.parse(text.slice(start)) as { time?: unknown; records?: unknown } | null;
    return line !== null && Array.isArray(line.records) ? { time: line.time, records: line.records } : null;
  } catch {
    return null;
  }
}

interface Seeing {
  readonly look: (item: string, text: string) => void;
  readonly people: Set<string>;
}

/** All strings of a record, and of what a human signed in it. */
function lookAt(record: unknown, { look, people }: Seeing): void {
  const item = itemOf(record);
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) {
      const signed = payloadOf(value);
      if (signed) {
        if (typeof signed.by === 'string') people.add(signed.by);
        visit(signed);
      }
      for (const part of Object.values(value)) visit(part);
    }
  };
  visit(record);
  look(item, texts.join('\n'));
}

function itemOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '…';
  const { id, question, rfc, kind } = record as Readonly<Record<string, unknown>>;
  const named = [id, question, rfc, kind].find((one): one is string => typeof one === 'string' && one !== '');
  return named?.slice(0, 100) ?? '…';
}

/** What a signature covers, if the value is an envelope. */
function payloadOf(value: object): { readonly by?: unknown } | null {
  if (!('payloadType' in value) || !('payload' in value) || typeof value.payload !== 'string') return null;
  try {
    const payload: unknown = JSON.parse(Buffer.from(value.payload, 'base64').toString('utf8'));
    return typeof payload === 'object' && payload !== null ? payload : null;
  } catch {
    return null;
  }
}
