/**
 * The audit: every act of a journal from its first line, who did it, and whether a human's signature vouches for it.
 * Nothing saved is trusted: the chain, each signature and each binding are checked again.
 */
import type { Trust } from '../../core/records/decision.ts';
import { isKeyRecord } from '../../core/records/key.ts';
import type { JournalRecord, SignedRecord } from '../../core/records/records.ts';
import { directlyHeld } from '../../core/hold/holds.ts';
import type { Admitted, Refusal, State } from '../../core/state/state.ts';
import { answerLine } from '../../core/kit/answerLine.ts';
import { firstLine } from '../../core/kit/text.ts';
import { walkJournal } from '../../store/journal/journalWalk.ts';
import type { Walk, WalkedLine } from '../../store/journal/journalWalk.ts';
import { openLedger } from '../../store/journal/ledger.ts';
import { openJournal } from '../../store/journal/openJournal.ts';
import { journalPath } from '../../store/journal/segments.ts';
import { noAnchor } from '../../store/journal/stateFile.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * `verified`: a decision whose signature, key and binding are good. `forged`: it says that a human decided, and nobody
 * did. `refused`: against a rule, so without effect. `unsigned`: an act that needs no signature, for it only adds.
 */
export type AuditMark = 'verified' | 'forged' | 'refused' | 'unsigned';

export interface AuditEntry {
  /** Offset of its line in the journal, and its place in the line. */
  readonly at: number;
  readonly index: number;
  /** As the line says it: its writer's clock. A decision's is signed. */
  readonly time: string;
  readonly mark: AuditMark;
  readonly kind: string;
  /** What it is about: `Q-12`, `RFC-3`, a work item, `policy`, `keys`, `journal`. */
  readonly subject: string;
  /** Work items it concerns. */
  readonly work: readonly string[];
  /** The signer's name where there is a good signature, else who the line says it was. */
  readonly who: string;
  readonly actor: string;
  readonly keyid: string | null;
  /** The first line of what was said. */
  readonly said: string | null;
  /** Why it had no effect. */
  readonly why: string | null;
}

export interface AuditSummary {
  readonly workspace: string | null;
  /** Bytes and hash up to the last act that counts. */
  readonly position: number;
  readonly head: string;
  readonly acts: number;
  readonly decisions: number;
  readonly forged: number;
  readonly refused: number;
  /** Damaged stretches that a human signed to be passed over. */
  readonly set_aside: readonly { readonly from: number; readonly to: number }[];
  /** Who signed how often. */
  readonly signers: readonly { readonly keyid: string; readonly name: string; readonly decisions: number }[];
  /** All that is wrong, in words. None: everything verifies. */
  readonly faults: readonly string[];
}

export interface Audit {
  readonly walk: Walk;
  readonly entries: readonly AuditEntry[];
  /** Takes in what lies behind what was read: a step for each line that counts, with how far it got. Bytes. */
  follow(bytes: Buffer): Generator<number, void>;
  /** @param more what else is known to be wrong, for example of the anchor */
  summary(more?: readonly string[]): AuditSummary;
}

export function openAudit(trust: Trust): Audit {
  const walk = walkJournal({ trust });
  const entries: AuditEntry[] = [];
  const counts = { verified: 0, forged: 0, refused: 0, unsigned: 0 };
  const signers = new Map<string, { keyid: string; name: string; decisions: number }>();

  function take(walked: WalkedLine): void {
    for (const entry of entriesOf(walk.state, walked)) {
      entries.push(entry);
      counts[entry.mark]++;
      if (entry.mark !== 'verified' || entry.keyid === null) continue;
      const known = signers.get(entry.keyid);
      if (known) known.decisions++;
      else signers.set(entry.keyid, { keyid: entry.keyid, name: entry.who, decisions: 1 });
    }
  }

  return {
    walk,
    entries,
    *follow(bytes) {
      for (const walked of walk.follow(bytes)) {
        take(walked);
        yield walk.scanned;
      }
    },
    summary: (more = []) => ({
      workspace: walk.state.workspace?.id ?? null,
      position: walk.position,
      head: walk.head,
      acts: entries.length,
      decisions: counts.verified,
      forged: counts.forged,
      refused: counts.refused,
      set_aside: walk.setAside.map(({ from, to }) => ({ from, to })),
      signers: [...signers.values()],
      faults: [
        ...(walk.fault ? [`The chain breaks: ${walk.fault.why}.`] : []),
        ...(counts.forged === 0
          ? []
          : [
              counts.forged === 1
                ? '1 decision is not verified: nobody made it.'
                : `${String(counts.forged)} decisions are not verified: nobody made them.`,
            ]),
        ...more,
      ],
    }),
  };
}

/** The same bytes audited in one go. @param onStep how far it got, bytes */
export function auditBytes(bytes: Buffer, keys: readonly PinnedKey[], onStep: (done: number) => void = ignore): Audit {
  const audit = openAudit(createTrust(() => keys));
  for (const done of audit.follow(bytes)) onStep(done);
  return audit;
}

function ignore(): void {
  // Nobody wants to know.
}

/**
 * The journal as it lies there, its segments one after another; empty when there is none.
 * @throws Error when it cannot be read
 */
export function journalBytes(workspace: Workspace, from = 0): Buffer {
  const { fs } = workspace.options;
  const journal = openJournal(fs, journalPath(workspace.location.root), endsOf(workspace));
  if (!journal) return Buffer.alloc(0);
  try {
    const size = journal.size();
    return typeof size === 'string' || size <= from ? Buffer.alloc(0) : journal.read(from, size);
  } finally {
    journal.close();
  }
}

/** Where its segments end; of one that is UNKNOWN, as far as it can be read. */
function endsOf(workspace: Workspace): readonly number[] {
  const { state } = workspace.standing();
  if (state) return state.seals;
  const { fs } = workspace.options;
  const trust = createTrust(workspace.pins);
  const ledger = openLedger({ root: workspace.location.root, fs, trust, stateFile: noAnchor });
  ledger.close();
  return ledger.state.seals;
}

/** What is wrong with a workspace beyond its chain: the anchor knows another journal, or the store cannot be used. */
export function faultsOf(workspace: Workspace, walk: Walk): string[] {
  const { problem } = workspace.standing();
  return problem && !(walk.fault && problem.damage) ? [problem.what] : [];
}

export interface AuditFilter {
  /** A question or RFC. */
  readonly hold?: string | undefined;
  readonly work?: string | undefined;
  /** A day or an instant, ISO 8601: from then on. */
  readonly since?: string | undefined;
  /** Part of a name or id, in any case. */
  readonly who?: string | undefined;
  /** Acts of agents and of time too, not decisions and attempts alone. */
  readonly all?: boolean | undefined;
}

export function filtered(entries: readonly AuditEntry[], filter: AuditFilter): AuditEntry[] {
  const { hold, work, since, all } = filter;
  const who = filter.who?.toLowerCase();
  return entries.filter(
    (entry) =>
      (all === true || entry.mark === 'verified' || entry.mark === 'forged') &&
      (hold === undefined || entry.subject === hold) &&
      (work === undefined || entry.work.includes(work)) &&
      (since === undefined || entry.time >= since) &&
      (who === undefined || entry.who.toLowerCase().includes(who) || entry.actor.toLowerCase().includes(who)),
  );
}

function entriesOf(state: State, { line, folded }: WalkedLine): AuditEntry[] {
  const admitted = folded.admitted.map((effect) => admittedEntry(state, effect));
  const refused = folded.refused.map((refusal) => refusedEntry(state, refusal));
  return [...admitted, ...refused].map((entry, index) => ({
    ...entry,
    at: line.at,
    index,
    actor: line.actor.id,
    who: entry.who ?? line.actor.id,
  }));
}

type Partly = Omit<AuditEntry, 'at' | 'index' | 'actor' | 'who'> & { readonly who: string | null };

function admittedEntry(state: State, { record, time, signed }: Admitted): Partly {
  const subject = subjectOfRecord(record);
  return {
    time,
    mark: signed ? 'verified' : 'unsigned',
    kind: record.kind,
    subject,
    work: workOf(state, subject),
    who: signed?.by ?? null,
    keyid: signed?.keyid ?? null,
    said: saidIn(record),
    why: null,
  };
}

function refusedEntry(state: State, { time, kind, subject, why, reason }: Refusal): Partly {
  const mark = reason === 'forgery' ? 'forged' : 'refused';
  return { time, mark, kind, subject, work: workOf(state, subject), who: null, keyid: null, said: null, why };
}

function subjectOfRecord(record: JournalRecord | SignedRecord): string {
  if ('id' in record) return record.id;
  if (isKeyRecord(record)) return 'keys';
  return record.kind === 'policy.changed' ? 'policy' : 'journal';
}

function workOf(state: State, subject: string): readonly string[] {
  const holder = state.questions.get(subject) ?? state.rfcs.get(subject);
  if (holder) return directlyHeld(state, holder);
  return state.work.has(subject) ? [subject] : [];
}

const effectWords = { do_not: 'do not', stop: 'stop' } as const;

/** What the record says, in the order of what matters most to a reader. */
function saidIn(record: JournalRecord): string | null {
  if (record.kind === 'question.answered') {
    const { effect } = record.answer;
    const said = answerLine(record.answer);
    return firstLine(effect === undefined || effect === 'proceed' ? said : `${effectWords[effect]}: ${said}`, 200);
  }
  if (isKeyRecord(record)) {
    const lost = record.kind === 'key.lost' ? record.lost : [];
    const all = [...lost, record].map(({ name, keyid }) => `${name} ${keyid.slice(0, 16)}`);
    return firstLine(all.join(' → '), 200);
  }
  const said = record as Readonly<Record<string, unknown>>;
  for (const name of ['reason', 'note', 'text', 'title', 'subject', 'name', 'status', 'step']) {
    const value = said[name];
    if (typeof value === 'string') return firstLine(value, 200);
  }
  return null;
}
