/**
 * The fold (a reducer): applies records to the state in journal order. Live and on replay, records get their effect
 * only here. So this is where the main rule is enforced: without a human's verified signature, nothing shrinks the held
 * set.
 */
import {
  startChange,
  type Change,
  Inadmissible,
  unknownKey,
  type Folding,
  type Deciding,
  noEffect,
  type Effects,
} from '../state/change.ts';
import {
  subjectOf,
  withoutEnvelope,
  type Trust,
  type DecisionPayload,
  type VerifiedDecision,
} from '../records/decision.ts';
import { applyDecision, dropOutdated } from './quorum.ts';
import { isOfSamePerson, personOf } from '../kit/persons.ts';
import { plural } from '../kit/text.ts';
import { recordVersion, versionOf, format, lastOfDevelopment } from '../records/parts.ts';
import {
  type Admitted,
  anyRecord,
  type CountedLine,
  type JournalRecord,
  type SignedRecord,
} from '../records/records.ts';
import type { PlainKind, PlainOf } from '../records/plain.ts';
import type { InadmissibleReason, Refusal, State } from '../state/state.ts';
import { heldChangeEffects } from '../decision/hold.ts';
import { importEffects } from './import.ts';
import { eventEffects } from '../memory/event.ts';
import { askBackEffects, questionEffects } from '../question/fold.ts';
import { parkingEffects } from '../question/parking.ts';
import { requestEffects } from '../request/fold.ts';
import { linking, rfcEffects } from '../rfc/fold.ts';
import { registerWork, updateWork } from '../work/fold.ts';

// Effects of records about the workspace and its journal.

const journalEffects: Effects<
  'workspace.created' | 'format.changed' | 'segment.sealed' | 'agent.registered' | 'gate.decidedOffline'
> = {
  'workspace.created': ({ state, change }, { workspace: id, minReader, minWriter }) => {
    if (state.workspace) throw new Inadmissible('the workspace already exists');
    change.assign(state, 'workspace', { id, minReader, minWriter });
  },
  'format.changed': ({ state, change }, record) => {
    const { id, minReader, minWriter } = inWorkspace(state);
    const asked = (one: number) => (one <= lastOfDevelopment ? format.current : one);
    change.assign(state, 'workspace', {
      id,
      minReader: Math.max(minReader, asked(record.minReader)),
      minWriter: Math.max(minWriter, asked(record.minWriter)),
    });
  },
  'segment.sealed': ({ state, change, line }) => {
    change.assign(state, 'sealed', line.end);
  },
  'agent.registered': ({ state, change, line }, { id, type, host, label }) => {
    change.set(state.agents, id, { id, type, host, label, worktree: line.actor.worktree ?? null });
  },
  'gate.decidedOffline': noEffect,
};

function inWorkspace(state: State) {
  if (!state.workspace) throw new Inadmissible('the journal does not begin with its workspace');
  return state.workspace;
}

// A human takes seconds to sign with a passkey, and agents continue writing in the meantime. So its signature is bound
// to a recent place of the journal instead of the line before; what was shown must still be the same. On another branch
// of the journal (one that was cut and continued) the place is missing.

/** Together at least 2 MiB of journal, which takes a busy team minutes. */
const apart = 16_384;
const atMost = 128;

/** Keeps one place in every 16 KiB. */
function rememberPlace(state: State, change: Change, { end, hash }: Pick<CountedLine, 'end' | 'hash'>): void {
  const last = state.places.at(-1);
  if (last && end - last.at < apart) return;
  change.assign(state, 'places', [...state.places, { at: end, hash }].slice(-atMost));
}

function isRecentPlace(
  { places }: Pick<State, 'places'>,
  { position, head }: { readonly position: number; readonly head: string },
): boolean {
  return places.some(({ at, hash }) => at === position && hash === head);
}

// The effect of every kind of record that needs no signature. A missing kind does not compile.

export const effects: Effects<PlainKind> = {
  ...journalEffects,
  'work.registered': registerWork,
  'work.updated': updateWork,
  ...questionEffects,
  'question.raised': raiseQuestion,
  ...askBackEffects,
  ...parkingEffects,
  'wait.noted': noEffect,
  ...eventEffects,
  ...rfcEffects,
  ...requestEffects,
  ...importEffects,
  ...heldChangeEffects,
  'precedent.set': noEffect,
  'precedent.ended': noEffect,
  'precedent.takenBack': noEffect,
};

/** A question may ask a human an RFC's open question; each family stores its half. */
function raiseQuestion(at: Folding, record: PlainOf<'question.raised'>): void {
  const link = linking(at.state, record);
  questionEffects['question.raised'](at, record);
  link?.(at.change);
}

/**
 * Programs write no line with a refused record, so one with many was written by hand. Without a limit, a few megabytes
 * of them would take every program minutes to read.
 */
const mostRefusedPerLine = 10;
/** The state keeps this many refusals, among them the first forgeries, which other refusals cannot crowd out. */
const mostKept: Readonly<Record<InadmissibleReason, number>> = { invalid: 1_000, held: 1_000, forgery: 10_000 };

export interface Folded {
  readonly admitted: readonly Admitted[];
  readonly refused: readonly Refusal[];
  /** Undoes the line's effects, after a commit that lost its race. */
  undo(): void;
}

/**
 * Applies one valid line. Never throws because of the line's content: records without effect are listed as refused.
 * @param parsed the line's records, if the caller has already parsed them
 */
export function applyLine(
  state: State,
  line: CountedLine,
  trust: Trust,
  parsed: readonly JournalRecord[] | null = null,
): Folded {
  const change = startChange();
  const admitted: Admitted[] = [];
  const refused: Refusal[] = [];
  for (const [index, raw] of line.records.entries()) {
    if (refused.length === mostRefusedPerLine) {
      refuse(restOf(line.records.slice(index)), raw);
      break;
    }
    try {
      const own = parsed?.[index];
      const record = own ?? parse(raw);
      const brought: Admitted[] = [];
      const bring = (act: Admitted) => brought.push(act);
      const effect = applyRecord({ state, change, line, trust, bring }, record);
      admitted.push(effect, ...brought);
    } catch (error) {
      if (!(error instanceof Inadmissible)) {
        change.undo();
        throw error;
      }
      refuse(error, raw);
    }
  }

  function refuse({ message, reason }: Pick<Inadmissible, 'message' | 'reason'>, raw: unknown): void {
    const refusal: Refusal = {
      at: line.at,
      time: line.time,
      kind: stringField(raw, 'kind') ?? 'unknown',
      subject: stringField(raw, 'id') ?? 'journal',
      actor: line.actor.id,
      why: message,
      reason,
    };
    refused.push(refusal);
    if (state.refusals.length < mostKept[reason]) change.push(state.refusals, refusal);
  }

  rememberPlace(state, change, line);
  if (state.approvals.size > 0) dropOutdated(state, change, { trust, line });
  return {
    admitted,
    refused,
    undo: () => {
      change.undo();
    },
  };
}

/** What a line has after too many refused records: none of it is read. */
function restOf(records: readonly unknown[]): Pick<Inadmissible, 'message' | 'reason'> {
  return {
    message: `is one of ${plural(records.length, 'further record')} after ${String(mostRefusedPerLine)} refused ones in a line, and was not read`,
    reason: records.some(claimsDecision) ? 'forgery' : 'invalid',
  };
}

/** @throws Inadmissible */
function parse(raw: unknown): JournalRecord {
  const parsed = anyRecord.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new Inadmissible(parseProblem(raw), claimsDecision(raw) ? 'forgery' : 'invalid');
}

function applyRecord(at: Folding, record: JournalRecord): Admitted {
  const { state, change, line } = at;
  const { at: place, time, actor } = line;
  const admitted = { record, at: place, time, actor };
  if ('envelope' in record) {
    const decision = verifySigned(at, record);
    const outcome = applyDecision(decision, record);
    const { payload, keyid, name: keyName, passkey } = decision;
    change.add(state.nonces, payload.nonce);
    const by = { by: payload.by, keyid, keyName, nonce: payload.nonce, ...(passkey ? { passkey } : {}) };
    return { ...admitted, time: decision.line.time, signed: by, ...(outcome === 'kept' ? { kept: true } : {}) };
  }
  if (record.kind !== 'workspace.created') inWorkspace(state);
  requireOwnAgent(at, record);
  // The table's type relates each kind to its effect; indexing by a union loses that.
  (effects[record.kind] as (at: Folding, record: JournalRecord) => void)(at, record);
  return { ...admitted, signed: null };
}

/** In a shared journal, no record says what another person's agent did. Its assignments and names in lists are no acts. */
function requireOwnAgent({ state, line: { actor } }: Folding, record: JournalRecord): void {
  const agent = 'agent' in record ? record.agent : record.kind === 'agent.registered' ? record.id : null;
  if (state.shared === null || typeof agent !== 'string') return;
  if (actor.kind !== 'agent' || !isOfSamePerson(agent, actor.id))
    throw new Inadmissible(`${agent} is not an agent of ${personOf(actor.id) ?? actor.id}`);
}

function parseProblem(raw: unknown): string {
  const kind = stringField(raw, 'kind');
  const known = anyRecord.kinds.some((one) => one === kind);
  if (!known) return `is of a kind this program does not know (${kind ?? 'none'})`;
  const v = versionOf(raw);
  if (v !== null && v > recordVersion)
    return `is of version ${String(v)} of ${kind ?? ''}, which a newer Holdpoint writes: update this one`;
  const issue = anyRecord.safeParse(raw).error?.issues[0];
  return `is malformed: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
}

/** Whether a malformed record claims to be a human's decision, and so is treated as an attempted forgery. */
function claimsDecision(raw: unknown): boolean {
  const kind = stringField(raw, 'kind');
  return anyRecord.isSigned(kind);
}

function stringField(raw: unknown, name: string): string | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const value = (raw as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value.slice(0, 100) : null;
}

// Verifies who signed a record. A decision that does not match in every respect is an attempted forgery, without
// effect.

/** @throws Inadmissible unless a key that is trusted here signed exactly this record for this workspace and position */
function verifySigned(at: Folding, record: SignedRecord): Deciding {
  const { state, line, trust } = at;
  const verified = trust.verify(record.envelope, line.at);
  if ('why' in verified) throw new Inadmissible(verified.why, 'forgery');
  const { payload, keyid, name, passkey } = verified;
  const ended = state.retiredKeys.get(keyid);
  if (ended !== undefined) throw new Inadmissible(`is signed by a key that was given up at ${ended}`, 'forgery');
  const misfit = bindingProblem(at, record, verified);
  if (misfit !== null) throw new Inadmissible(misfit, 'forgery');
  // One instant for each act, wherever it is told: the one that was signed, not that of the write.
  return { ...at, line: { ...line, time: payload.at }, payload, keyid, name, passkey };
}

/** Detects a genuine signature used for another record or place. */
function bindingProblem(
  { state, line, trust }: Folding,
  record: SignedRecord,
  { payload, passkey }: VerifiedDecision,
): string | null {
  if (payload.workspace !== state.workspace?.id) return 'its signature was given for another workspace';
  const misfit = contentProblem(trust, record, payload);
  if (misfit !== null) return misfit;
  if (state.nonces.has(payload.nonce)) return 'its signature was used before';
  const isBound = passkey && isRecentPlace(state, payload);
  if (!isBound && (payload.head !== line.prev || payload.position > line.at))
    return 'its signature was given for another state of the journal';
  return null;
}

/** Detects a record with another kind, item or content than was signed. */
function contentProblem(trust: Trust, record: SignedRecord, payload: DecisionPayload): string | null {
  if (payload.action !== record.kind) return `its signature was given for ${payload.action}`;
  if (payload.subject !== subjectOf(record)) return `its signature was given for ${payload.subject}`;
  return payload.recordHash === trust.hash(withoutEnvelope(record)) ? null : 'its content is not what was signed';
}

// Compares the versions that a journal requires with those of this program.

/** Whether this program is too old to read or to write, by the versions the journal requires. */
export function formatProblem(state: State): 'reader' | 'writer' | null {
  if (!state.workspace) return null;
  if (state.workspace.minReader > format.current) return 'reader';
  return state.workspace.minWriter > format.current ? 'writer' : null;
}

// Which refused records are reported to a human, and which may be a human's whose key another folder keeps.

const settling: ReadonlySet<string> = new Set(['question.answered', 'question.cancelled', 'question.released']);

/**
 * When a decision on this item was written that only a key which is not trusted here signed (ISO 8601). A program with
 * another home folder finds the decisions of its own human like that; they have no effect, because an agent can write them too.
 */
export function untrustedDecision({ refusals }: State, id: string): string | null {
  return (
    refusals.findLast(({ subject, kind, why }) => subject === id && settling.has(kind) && why.includes(unknownKey))
      ?.time ?? null
  );
}

const known: ReadonlySet<string> = new Set(anyRecord.kinds);

/**
 * Our programs validate records before writing them, so a written and refused record was written by hand. A record of
 * an unknown kind may come from a later program.
 */
export function isAttempt({ reason, kind }: Refusal): boolean {
  return reason !== 'invalid' || known.has(kind);
}
