/**
 * The fold: records in journal order to state. It is the one place where a record gets its effect, live and on replay,
 * so it is also where the main rule is kept: nothing without a human's verified signature makes the held set smaller.
 */
import { startChange } from '../state/change.ts';
import type { Change } from '../state/change.ts';
import type { Trust } from '../records/decision.ts';
import { applyDecision } from './decision.ts';
import { applyEvent } from '../memory/fold.ts';
import { applyImport } from './import.ts';
import { applyQuestion } from '../question/fold.ts';
import { applyRequest } from '../request/fold.ts';
import { applyRfc, linking } from '../rfc/fold.ts';
import { registerWork, updateWork } from '../work/fold.ts';
import { isImportRecord } from '../records/import.ts';
import type { ImportRecord } from '../records/import.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import { isKeyRecord } from '../records/key.ts';
import { anyRecord, format, maxSeals, segmentFormat } from '../records/records.ts';
import type { CountedLine, JournalRecord } from '../records/records.ts';
import { isRequestDecision, isRequestRecord } from '../records/request.ts';
import { isRfcDecision, isRfcRecord } from '../records/rfc.ts';
import type { Admitted, Refusal, State } from '../state/state.ts';
import { isWideningRecord } from '../records/widening.ts';

export interface Folded {
  readonly admitted: readonly Admitted[];
  readonly refused: readonly Refusal[];
  /** Takes the line's effects back (a commit that lost its race). */
  undo(): void;
}

/**
 * Applies one line that counts. Never throws for what a line says: records without effect are listed as refused.
 * @param parsed the line's own records, by whoever has just parsed them to write it
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
    try {
      const record = parsed?.[index] ?? parse(raw);
      if (isImportRecord(record)) {
        inWorkspace(state);
        const acts = applyImport(state, change, record, line, trust);
        admitted.push(effectOf(record, line), ...acts);
      } else admitted.push(applyRecord(state, change, record, line, trust));
    } catch (error) {
      if (!(error instanceof Inadmissible)) {
        change.undo();
        throw error;
      }
      const refusal: Refusal = {
        at: line.at,
        time: line.time,
        kind: stringField(raw, 'kind') ?? 'unknown',
        subject: stringField(raw, 'id') ?? 'journal',
        actor: line.actor.id,
        why: error.message,
        reason: error.reason,
      };
      refused.push(refusal);
      change.push(state.refusals, refusal);
    }
  }
  return {
    admitted,
    refused,
    undo: () => {
      change.undo();
    },
  };
}

/** @throws Inadmissible */
function parse(raw: unknown): JournalRecord {
  const parsed = anyRecord.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new Inadmissible(parseProblem(raw), claimsDecision(raw) ? 'forgery' : 'invalid');
}

function effectOf(record: JournalRecord, { at, time, actor }: CountedLine): Admitted {
  return { record, at, time, actor, signed: null };
}

function applyRecord(
  state: State,
  change: Change,
  record: Exclude<JournalRecord, ImportRecord>,
  line: CountedLine,
  trust: Trust,
): Admitted {
  const effect = effectOf(record, line);
  if (isRfcRecord(record)) {
    inWorkspace(state);
    applyRfc(state, change, record, line, trust);
    return effect;
  }
  if (isRequestRecord(record)) {
    inWorkspace(state);
    applyRequest(state, change, record, line, trust);
    return effect;
  }
  if (isRfcDecision(record) || isRequestDecision(record) || isKeyRecord(record) || isWideningRecord(record))
    return { ...effect, signed: applyDecision(state, change, record, line, trust) };
  switch (record.kind) {
    case 'workspace.created':
      if (state.workspace) throw new Inadmissible('the workspace exists already');
      change.assign(state, 'workspace', {
        id: record.workspace,
        minReader: record.minReader,
        minWriter: record.minWriter,
      });
      return effect;
    case 'format.changed': {
      const { id, minReader, minWriter } = inWorkspace(state);
      change.assign(state, 'workspace', {
        id,
        minReader: Math.max(minReader, record.minReader),
        minWriter: Math.max(minWriter, record.minWriter),
      });
      return effect;
    }
    case 'segment.sealed':
      sealSegment(state, change, line);
      return effect;
    case 'agent.registered':
      inWorkspace(state);
      change.set(state.agents, record.id, {
        id: record.id,
        type: record.type,
        host: record.host,
        label: record.label,
        worktree: line.actor.worktree ?? null,
      });
      return effect;
    case 'work.registered':
      inWorkspace(state);
      registerWork(state, change, record, line);
      return effect;
    case 'work.updated':
      updateWork(state, change, record, line);
      return effect;
    case 'question.raised': {
      inWorkspace(state);
      const link = linking(state, record);
      applyQuestion(state, change, record, line);
      link?.(change);
      return effect;
    }
    case 'question.widened':
    case 'question.escalated':
    case 'question.expired':
    case 'outcome.offered':
    case 'outcome.acknowledged':
    case 'answer.reused':
      inWorkspace(state);
      applyQuestion(state, change, record, line);
      return effect;
    case 'event.posted':
    case 'event.closed':
    case 'event.closeProposed':
      inWorkspace(state);
      applyEvent(state, change, record, line, trust);
      return effect;
    case 'event.postedByHuman':
    case 'event.closedByHuman':
    case 'event.proposalDeclined':
    case 'question.answered':
    case 'question.cancelled':
    case 'question.released':
    case 'answer.revoked':
    case 'policy.changed':
    case 'journal.lineSetAside':
    case 'journal.restored':
    case 'journal.startedAnew':
      return { ...effect, signed: applyDecision(state, change, record, line, trust) };
  }
}

/** Never where a program may be open that would take what comes behind it for a part of the journal. */
function sealSegment(state: State, change: Change, line: CountedLine): void {
  if (inWorkspace(state).minReader < segmentFormat)
    throw new Inadmissible(`asks for a workspace of format ${String(segmentFormat)}`);
  if (state.seals.at(-1) === line.end) throw new Inadmissible('the segment ends here already');
  if (state.seals.length >= maxSeals) throw new Inadmissible('the journal has as many files as it may have');
  change.push(state.seals, line.end);
}

function inWorkspace(state: State) {
  if (!state.workspace) throw new Inadmissible('the journal does not begin with its workspace');
  return state.workspace;
}

/** Whether this program may read on and write on, by the versions the journal asks for. */
export function formatProblem(state: State): 'reader' | 'writer' | null {
  if (!state.workspace) return null;
  if (state.workspace.minReader > format.current) return 'reader';
  return state.workspace.minWriter > format.current ? 'writer' : null;
}

function parseProblem(raw: unknown): string {
  const kind = stringField(raw, 'kind');
  const known = anyRecord.kinds.some((one) => one === kind);
  if (!known) return `is of a kind this program does not know (${kind ?? 'none'})`;
  const issue = anyRecord.safeParse(raw).error?.issues[0];
  return `is malformed: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
}

/** A malformed record of a signed kind is a forgery attempt too: it says that a human decided. */
function claimsDecision(raw: unknown): boolean {
  const kind = stringField(raw, 'kind');
  return anyRecord.isSigned(kind);
}

function stringField(raw: unknown, name: string): string | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const value = (raw as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value.slice(0, 100) : null;
}
