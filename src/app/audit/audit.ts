/**
 * The audit: every act of a journal from its first line, its author, and whether a human's signature confirms it.
 * Trusts no saved state: checks the chain, each signature and each binding again.
 */
import { subjectOf, type Trust } from '../../core/records/decision.ts';
import type { Admitted, Actor, JournalRecord } from '../../core/records/records.ts';
import { directlyHeld } from '../../core/hold/holds.ts';
import { quorumWords, signedWith, type SignedWith } from '../../core/state/quorum.ts';
import type { Refusal, SignedBy, State } from '../../core/state/state.ts';
import { firstLine, onOneLine, sameNameKey, answerLine } from '../../core/kit/text.ts';
import { type Walk, type WalkedLine, walkJournal } from '../../store/journal/ledger.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { savedStateFault } from './savedState.ts';
import type { Workspace } from '../workspace/workspace.ts';
import * as z from 'zod';
import { envelope } from '../../core/records/parts.ts';
import { instant, sha256Hex } from '../../core/kit/fields.ts';
import { hashOf, sha256 } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';

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

export interface AuditSummary extends ReturnType<Audit['summary']> {}

export interface Audit extends ReturnType<typeof openAudit> {}

export function openAudit(trust: Trust) {
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
    /** Reads on from where it stopped; yields the offset after each valid line. Bytes. */
    *follow(bytes: Buffer): Generator<number, void> {
      for (const walked of walk.follow(bytes)) {
        take(walked);
        yield walk.scanned;
      }
    },
    /** @param more further known faults, for example of the anchor */
    summary: (more: readonly string[] = []) => ({
      workspace: walk.state.workspace?.id ?? null,
      /** Length in bytes and hash up to the last valid act. */
      position: walk.position,
      head: walk.head,
      acts: entries.length,
      decisions: counts.verified,
      forged: counts.forged,
      refused: counts.refused,
      /** Damaged ranges that a human's signature lets readers skip. */
      set_aside: walk.setAside.map(({ from, to }) => ({ from, to })),
      /** Number of decisions per signer. */
      signers: [...signers.values()],
      /** Everything that is wrong, as text. Empty when everything verifies. */
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

/** Whether only its line says that a human did it, or somebody with the name of one who signs: anybody can write that. */
export function isUnsignedHuman(
  { mark, actor_kind: kind, who }: Pick<AuditEntry, 'mark' | 'actor_kind' | 'who'>,
  { signers }: Pick<AuditSummary, 'signers'>,
): boolean {
  if (mark === 'verified') return false;
  return kind === 'human' || signers.some(({ name }) => sameNameKey(name) === sameNameKey(who));
}

// An audit as one file that a third party can check without the store: a JSON header line, then the journal byte for
// byte. The journal contains every signed decision, and each decision vouches for the chain before it, because it names
// the hash of the preceding line. The seal is a human's signature over the journal's end, and so covers what came after
// the last decision. Only the editor can create seals; in an unsealed bundle from a shell, acts after the last decision
// could be cut off unnoticed.

/** What a human signs when exporting. Not a record kind, so the signature decides nothing. */
export const exportAction = 'audit.exported';

const content = {
  holdpoint: z.literal('audit'),
  v: z.literal(1),
  workspace: z.uuid(),
  position: z.int().positive(),
  head: sha256Hex,
  /** Length in bytes and hash of the journal that follows. */
  size: z.int().positive(),
  journalHash: sha256Hex,
  exportedAt: instant,
  /** Keys known to the exporter, as labels only: the verifier brings trusted keys. */
  keys: z.array(z.strictObject({ keyid: sha256Hex, publicKey: z.base64(), name: z.string().max(200) })).max(1_000),
};
const bundleHeader = z.strictObject({ ...content, seal: envelope.nullable() });
export type BundleHeader = z.infer<typeof bundleHeader>;
export type BundleContent = Omit<BundleHeader, 'seal'>;

/**
 * @throws AppError `conflict` when there is nothing to export, or the chain breaks: a copy of a damaged journal proves
 * nothing
 */
export function bundleOf(
  { walk }: Audit,
  bytes: Buffer,
  { exportedAt, pins }: { readonly exportedAt: string; readonly pins: readonly PinnedKey[] },
): BundleContent {
  if (walk.fault) throw new AppError('conflict', `this cannot be exported: ${walk.fault.why}`);
  if (!walk.state.workspace) throw new AppError('conflict', 'nothing has been recorded here yet');
  return {
    holdpoint: 'audit',
    v: 1,
    workspace: walk.state.workspace.id,
    position: walk.position,
    head: walk.head,
    size: bytes.length,
    journalHash: sha256(bytes),
    exportedAt,
    keys: pins.map(({ keyid, publicKey, name }) => ({ keyid, publicKey, name })),
  };
}

export function formatBundle(header: BundleHeader, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(JSON.stringify(header)), Buffer.from('\n'), bytes]);
}

/**
 * Checks a bundle against trusted keys. Problems are in the summary's faults.
 * @param onStep progress in bytes
 * @throws AppError `bad_input` when it is not a bundle
 */
export function checkBundle(
  file: Buffer,
  keys: readonly PinnedKey[],
  onStep: (done: number) => void = () => undefined,
) {
  const { header, journal, isAsWritten } = split(file);
  const audit = auditBytes(journal, keys, onStep);
  const faults: string[] = isAsWritten ? [] : ['Its first line is not written as Holdpoint writes it.'];
  const { walk } = audit;
  if (journal.length !== header.size || sha256(journal) !== header.journalHash)
    faults.push('Its journal is not the exported one.');
  else if (walk.position !== header.position || walk.head !== header.head)
    faults.push('Its journal does not end where stated.');
  if (walk.state.workspace?.id !== header.workspace) faults.push('It comes from a different workspace than stated.');
  const seal = sealOf(header, keys, walk.state);
  if (typeof seal === 'string') faults.push(seal);
  return {
    header,
    audit,
    /** Who sealed it; null for an unsealed bundle. */
    seal: typeof seal === 'string' ? null : seal,
    summary: audit.summary(faults),
  };
}

function split(file: Buffer) {
  const end = file.indexOf('\n');
  const line = file.subarray(0, Math.max(end, 0));
  let raw: unknown = null;
  try {
    raw = JSON.parse(line.toString('utf8'));
  } catch {
    // Reported below.
  }
  const header = bundleHeader.safeParse(raw);
  if (!header.success) throw new AppError('bad_input', 'this is not an audit exported by Holdpoint');
  // JSON can be written in many ways, with members twice too, and a seal covers only what it means here.
  const isAsWritten = line.equals(Buffer.from(JSON.stringify(raw))) && isSealAsWritten(header.data);
  return { header: header.data, journal: file.subarray(end + 1), isAsWritten };
}

/** The last digit of base64 can have bits that no byte has. */
function isSealAsWritten({ seal }: BundleHeader): boolean {
  const parts = seal === null ? [] : [seal.payload, ...seal.signatures.map(({ sig }) => sig)];
  return parts.every((part) => Buffer.from(part, 'base64').toString('base64') === part);
}

/** Hash of the header without its seal. */
export function sealedHash({ seal: _, ...header }: BundleHeader): string {
  return hashOf(header);
}

/** Who sealed it, null without a seal, or the problem with the seal. */
function sealOf(header: BundleHeader, keys: readonly PinnedKey[], state: State) {
  if (!header.seal) return null;
  const verified = createTrust(() => keys).verify(header.seal);
  if ('why' in verified) return `Its signature ${verified.why}.`;
  const { payload, keyid } = verified;
  const ended = state.retiredKeys.get(keyid);
  if (ended !== undefined) return `It is signed by a key that was removed at ${ended}.`;
  const fits =
    payload.action === exportAction &&
    payload.subject === 'journal' &&
    payload.workspace === header.workspace &&
    payload.head === header.head &&
    payload.position === header.position &&
    payload.recordHash === sealedHash(header);
  return fits ? { by: payload.by, at: payload.at, keyid } : 'Its signature is for something else.';
}
