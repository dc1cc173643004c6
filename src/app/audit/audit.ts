/**
 * The audit: every act of a journal from its first line, its author, and whether a human's signature confirms it.
 * Trusts no saved state: checks the chain, each signature and each binding again.
 */
import { subjectOf, type Trust } from '../../core/records/decision.ts';
import type { Admitted, Actor, JournalRecord } from '../../core/records/records.ts';
import { directlyHeld } from '../../core/hold/holds.ts';
import { quorumWords } from '../../core/state/quorum.ts';
import type { Refusal, SignedBy, State } from '../../core/state/state.ts';
import { firstLine, onOneLine, sameNameKey, answerLine } from '../../core/kit/text.ts';
import { walkJournal, type Walk, type WalkedLine } from '../../store/journal/journalWalk.ts';
import { openJournal } from '../../store/journal/openJournal.ts';
import { journalPath } from '../../store/journal/files.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { savedStateFault } from './savedState.ts';
import { signedWith, type SignedWith } from '../workspace/signedWith.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * `verified`: a decision with a valid signature, key and binding. `forged`: claims a human's decision without one.
 * `refused`: violates a rule, so it has no effect. `unsigned`: needs no signature, because it only adds.
 */
export type AuditMark = 'verified' | 'forged' | 'refused' | 'unsigned';

export interface AuditEntry {
  /** Offset of its line in the journal, and its index in the line. */
  readonly at: number;
  readonly index: number;
  /** Time by the writer's clock, as stated in the line. For a decision it is signed. */
  readonly time: string;
  readonly mark: AuditMark;
  readonly kind: string;
  /** The subject: `Q-12`, `RFC-3`, a work item, `policy`, `keys`, `journal`. */
  readonly subject: string;
  /** Affected work items. */
  readonly work: readonly string[];
  /** The signer's name for a valid signature, otherwise the author stated in the line. */
  readonly who: string;
  readonly actor: string;
  /** As stated in the line, which anybody can write: only a signature proves a human. */
  readonly actor_kind: Actor['kind'];
  readonly keyid: string | null;
  /** Whose key it is, where the key ring has another name than the signature. */
  readonly key_of: string | null;
  /** `passkey`: verified by a PIN, a fingerprint or the like. Null without a valid signature. */
  readonly signed_with: SignedWith | null;
  /** First line of its text. */
  readonly said: string | null;
  /** Why it had no effect. */
  readonly why: string | null;
}

export interface AuditSummary {
  readonly workspace: string | null;
  /** Length in bytes and hash up to the last valid act. */
  readonly position: number;
  readonly head: string;
  readonly acts: number;
  readonly decisions: number;
  readonly forged: number;
  readonly refused: number;
  /** Damaged ranges that a human's signature lets readers skip. */
  readonly set_aside: readonly { readonly from: number; readonly to: number }[];
  /** Number of decisions per signer. */
  readonly signers: readonly { readonly keyid: string; readonly name: string; readonly decisions: number }[];
  /** Everything that is wrong, as text. Empty when everything verifies. */
  readonly faults: readonly string[];
}

export interface Audit {
  readonly walk: Walk;
  readonly entries: readonly AuditEntry[];
  /** Reads on from where it stopped; yields the offset after each valid line. Bytes. */
  follow(bytes: Buffer): Generator<number, void>;
  /** @param more further known faults, for example of the anchor */
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
                ? '1 decision is not verified: it has no valid signature.'
                : `${String(counts.forged)} decisions are not verified: they have no valid signatures.`,
            ]),
        ...more,
      ],
    }),
  };
}

/** @param onStep progress in bytes */
export function auditBytes(
  bytes: Buffer,
  keys: readonly PinnedKey[],
  onStep: (done: number) => void = () => undefined,
): Audit {
  const audit = openAudit(createTrust(() => keys));
  for (const done of audit.follow(bytes)) onStep(done);
  return audit;
}

/**
 * The bytes of the journal; empty without one.
 * @throws Error when it cannot be read
 */
export function journalBytes(workspace: Workspace, from = 0): Buffer {
  const { fs } = workspace.options;
  const journal = openJournal(fs, journalPath(workspace.location.root));
  if (!journal) return Buffer.alloc(0);
  try {
    const size = journal.size();
    return typeof size === 'string' || size <= from ? Buffer.alloc(0) : journal.read(from, size);
  } finally {
    journal.close();
  }
}

/** Faults beyond the chain: the anchor knows another journal, the saved state is forged, or the store is unusable. */
export function faultsOf(workspace: Workspace, walk: Walk): string[] {
  const { problem } = workspace.standing();
  if (problem) return walk.fault && problem.damage ? [] : [problem.what];
  const fault = savedStateFault(workspace, walk);
  return fault ? [fault] : [];
}

export interface AuditFilter {
  readonly hold?: string | undefined;
  readonly work?: string | undefined;
  /** Earliest day or instant, ISO 8601. */
  readonly since?: string | undefined;
  /** Part of a name or id, ignoring case. */
  readonly who?: string | undefined;
  /** Includes acts of agents and timers, not only decisions and attempted forgeries. */
  readonly all?: boolean | undefined;
}

export function filterEntries(entries: readonly AuditEntry[], filter: AuditFilter): AuditEntry[] {
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
    actor_kind: line.actor.kind,
    who: entry.who ?? line.actor.id,
  }));
}

type Partly = Omit<AuditEntry, 'at' | 'index' | 'actor' | 'actor_kind' | 'who'> & { readonly who: string | null };

function admittedEntry(state: State, { record, time, signed, kept }: Admitted): Partly {
  const subject = subjectOfRecord(record);
  return {
    time,
    mark: signed ? 'verified' : 'unsigned',
    kind: record.kind,
    subject,
    work: workOf(state, subject),
    who: signed?.by ?? null,
    keyid: signed?.keyid ?? null,
    key_of: signed && isOther(signed) ? signed.keyName : null,
    signed_with: signedWith(signed),
    said: saidIn(record),
    why: kept ? keptWords(state, subject) : null,
  };
}

/** Whether a signature names somebody else than the ring; a key that was given without a name has no other one. */
function isOther({ by, keyid, keyName }: SignedBy): boolean {
  const [signed, ring] = [by, keyName].map((name) => sameNameKey(onOneLine(name)));
  return signed !== ring && keyName !== 'key' && !keyid.startsWith(keyName);
}

/** A decision that needs more people had no effect yet. */
function keptWords(state: State, subject: string): string {
  const item = state.questions.get(subject) ?? state.rfcs.get(subject);
  return ['needs more people', ...(item ? [quorumWords(state, item) ?? ''] : [])]
    .filter((part) => part !== '')
    .join(': ');
}

function refusedEntry(state: State, { time, kind, subject, why, reason }: Refusal): Partly {
  const mark = reason === 'forgery' ? 'forged' : 'refused';
  const work = workOf(state, subject);
  return { time, mark, kind, subject, work, who: null, keyid: null, key_of: null, signed_with: null, said: null, why };
}

function subjectOfRecord(record: JournalRecord): string {
  if ('envelope' in record) return subjectOf(record);
  return 'id' in record ? record.id : 'journal';
}

function workOf(state: State, subject: string): readonly string[] {
  const holder = state.questions.get(subject) ?? state.rfcs.get(subject);
  if (holder) return directlyHeld(state, holder);
  return state.work.has(subject) ? [subject] : [];
}

const effectWords = { do_not: 'do not', stop: 'stop' } as const;

/** The text of a record, most important part first. */
function saidIn(record: JournalRecord): string | null {
  if (record.kind === 'question.answered') {
    const { effect } = record.answer;
    const said = answerLine(record.answer);
    const meant = firstLine(
      effect === undefined || effect === 'proceed' ? said : `${effectWords[effect]}: ${said}`,
      200,
    );
    const others = (record.together ?? []).map((one) => one.id).filter((id) => id !== record.id);
    return others.length === 0 ? meant : `${meant} (together with ${others.join(', ')})`;
  }
  if (record.kind === 'key.passkeyAdded') {
    const { name, keyid, passkey } = record;
    return firstLine(`${name}: ${passkey.label}, ${passkey.origin} ${keyid.slice(0, 16)}`, 200);
  }
  if (record.kind === 'key.passkeyRenamed') return firstLine(`${record.name}: ${record.label}`, 200);
  if ('keyid' in record) {
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
