/** A journal in memory: lines folded one after another, without disk or database. */
import { randomUUID } from 'node:crypto';
import { signRecord, type Unsigned, type Signer } from '../../../src/app/decision/decisions.ts';
import type { Trust } from '../../../src/core/records/decision.ts';
import { applyLine, type Folded } from '../../../src/core/fold/fold.ts';
import { definitionOf } from '../../../src/core/decision/decisions.ts';
import { noLine } from '../../../src/core/records/parts.ts';
import type { Actor, CountedLine, LineBody } from '../../../src/core/records/records.ts';
import { raisedAmong } from '../../../src/core/question/fold.ts';
import { emptyState, type State } from '../../../src/core/state/state.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { makeHuman, type Human } from './people.ts';

export interface Lab {
  readonly state: State;
  readonly trust: Trust;
  readonly human: Human;
  /** All lines so far, for folding them again. */
  readonly lines: CountedLine[];
  /** Writes the next line with any records. */
  write(records: readonly unknown[], actor?: Actor, time?: string): Folded;
  /** A decision on the current state of a question, with a valid signature by default. */
  signed(record: Unsigned, changes?: Partial<Signing>): unknown;
}

export interface Signing {
  readonly signer: Signer;
  readonly shown: string;
  readonly nonce: string;
  readonly workspace: string;
  readonly head: string;
  readonly position: number;
  /** ISO 8601. */
  readonly at: string;
}

export const workspaceId = '6f1c2b34-0000-4000-8000-000000000001';
export const noon = '2026-03-02T12:00:00.000Z';
export const bot: Actor = { kind: 'agent', id: 'copilot-001', worktree: '.' };

/** @param others more people whose keys are in the ring */
export function makeLab(human: Human = makeHuman(), others: readonly Human[] = []): Lab {
  const state = emptyState();
  const trust = createTrust(() => [human, ...others].map(({ pin }) => pin));
  const lines: CountedLine[] = [];
  readFrom(state, lines);
  let at = 0;
  let head = noLine;
  const lab: Lab = {
    state,
    trust,
    human,
    lines,
    write(records, actor = bot, time = noon) {
      const prev = head;
      head = hashOf([at, prev]);
      const body = { at, prev, op: randomUUID(), time, actor, records };
      const line = { ...(JSON.parse(JSON.stringify(body)) as LineBody), hash: head, end: at + 100 };
      at = line.end;
      lines.push(line);
      return applyLine(state, line, trust);
    },
    signed(record, changes = {}) {
      const seen = definitionOf(record).shown(state, record);
      const shown = changes.shown ?? (seen ? hashOf(seen) : '0'.repeat(64));
      const place = {
        workspaceId: changes.workspace ?? workspaceId,
        position: { position: changes.position ?? at, head: changes.head ?? head },
      };
      return signRecord(place, changes.signer ?? human, record, {
        shown,
        nonce: changes.nonce ?? randomUUID(),
        at: changes.at ?? noon,
      });
    },
  };
  lab.write([{ kind: 'workspace.created', v: 1, workspace: workspaceId, minReader: 1, minWriter: 1 }], {
    kind: 'system',
    id: 'holdpoint',
  });
  return lab;
}

/** Has a state read closed questions from these lines. */
export function readFrom(state: State, lines: readonly CountedLine[]): void {
  state.readRaised = ({ id, line }) => raisedAmong(lines.find(({ at }) => at === line?.at)?.records ?? [], id);
}

/** A human widens a hold to every file, or returns it to the named files, with a valid signature. */
export function setHeld(lab: Lab, id: string, files: 'all' | 'named'): Folded {
  const record = { kind: files === 'all' ? 'hold.widened' : 'hold.narrowed', v: 1, id } as const;
  return lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
}

export function work(id: string, more: object = {}): object {
  return { kind: 'work.registered', v: 1, id, workKind: 'task', title: `Title of ${id}`, ...more };
}

/** A line of 3,000 work items, some 700 KB. @param prefix of their ids */
export function longLine(prefix: string): { readonly records: readonly object[] } {
  const title = 'x'.repeat(150);
  return { records: Array.from({ length: 3_000 }, (_, index) => work(`${prefix}${String(index)}`, { title })) };
}

export function flow(id: string, more: object = {}): object {
  return work(id, { workKind: 'workflow', ...more });
}

export function update(id: string, more: object): object {
  return { kind: 'work.updated', v: 1, id, ...more };
}

export function question(number: number, more: object = {}): object {
  return {
    kind: 'question.raised',
    v: 1,
    id: `Q-${String(number)}`,
    text: `Question ${String(number)}?`,
    type: 'clarification',
    urgency: 'medium',
    mode: 'sync',
    work: null,
    expiresAt: '2026-03-03T12:00:00.000Z',
    ...more,
  };
}
