/** All a workspace knows, as one value: for another workspace to take in, or for whoever wants to read it. */
import type { RfcDocument } from '../../core/records/rfc.ts';
import type { Policy } from '../../core/state/state.ts';
import { query } from '../../store/rows/sqlite.ts';
import type { View } from '../../store/store.ts';
import { eventView } from '../memory/views.ts';
import type { EventView } from '../memory/views.ts';
import { listImported } from './imported.ts';
import type { ImportedItem } from './imported.ts';
import { listRequests, listResponsibilities, requestDetails, workspaceOf } from '../request/views.ts';
import type { RequestDetails, ResponsibilityView } from '../request/views.ts';
import { documentOf } from '../rfc/parts.ts';
import { listRfcs, rfcView } from '../rfc/views.ts';
import type { RfcView } from '../rfc/views.ts';
import { listQuestions } from '../question/views.ts';
import type { QuestionView } from '../question/views.ts';
import { listWork } from '../work/work.ts';
import type { WorkView } from '../work/work.ts';

/** The version of this format. Later ones read earlier ones. */
export const exportVersion = 1;

/** Waiting times and the like change by themselves: they are left out. */
export type ExportedQuestion = Omit<QuestionView, 'time_waiting_ms'> & {
  /** Globs of its own; `holds` has the work item's where it has none. */
  readonly own_holds: readonly string[];
  /** Globs added later. */
  readonly added_holds: readonly string[];
};
export type ExportedRfc = Omit<RfcView, 'time_waiting_ms'> & {
  readonly own_holds: readonly string[];
  readonly added_holds: readonly string[];
  /** What each revision says. */
  readonly documents: readonly { readonly number: number; readonly document: RfcDocument }[];
};

export interface ExportFile {
  readonly holdpoint_export: typeof exportVersion;
  readonly exported_at: string;
  readonly workspace_id: string;
  /** Only what happened then or later, and what that refers to; null for all. */
  readonly since: string | null;
  readonly policy: Policy;
  readonly agents: readonly {
    readonly id: string;
    readonly type: string;
    readonly host: string;
    readonly label: string;
  }[];
  readonly work: readonly WorkView[];
  readonly questions: readonly ExportedQuestion[];
  readonly rfcs: readonly ExportedRfc[];
  readonly events: readonly EventView[];
  readonly responsibilities: readonly ResponsibilityView[];
  readonly requests: readonly Omit<RequestDetails, 'overdue'>[];
  /** Who signed what and when. Signatures are of this workspace alone: elsewhere they are history. */
  readonly decisions: readonly {
    readonly nonce: string;
    readonly subject: string;
    readonly action: string;
    readonly decided_by: string;
    readonly keyid: string;
    readonly decided_at: string;
  }[];
  readonly history: readonly ImportedItem[];
}

/** Oldest first, each kind. @param since ISO 8601, UTC; null for all */
export function exportOf(view: View, since: string | null = null): ExportFile {
  const isSince = (...times: readonly (string | null | undefined)[]) =>
    since === null || times.some((time) => typeof time === 'string' && time >= since);
  const questions = [...listQuestions(view).questions]
    .reverse()
    .filter((one) => one.holding || isSince(one.raised_at, one.answered_at, one.revoked?.at));
  const rfcs = listRfcs(view)
    .reverse()
    .filter((one) => one.holding || isSince(one.updated_at))
    .map(({ id }) => exportedRfc(view, id));
  const events = query.selectFrom('events').select(['id', 'posted_at', 'closed_at']).orderBy('number');
  const requests = listRequests(view, { box: 'all', of: [], limit: Number.MAX_SAFE_INTEGER }).requests;
  const needed = new Set([
    ...questions.flatMap(({ work }) => work?.id ?? []),
    ...rfcs.flatMap((rfc) => [...rfc.affected_workflows, ...rfc.blocked_tasks].map(({ id }) => id)),
  ]);
  const all = new Map(listWork(view.state).map((item) => [item.id, item]));
  for (const item of all.values()) if (isSince(item.updated_at)) needed.add(item.id);
  // What an item waits for comes along, or it would wait for less elsewhere.
  for (const id of needed)
    for (const other of [all.get(id)?.workflow, ...(all.get(id)?.depends_on ?? [])])
      if (other !== null && other !== undefined) needed.add(other);
  return {
    holdpoint_export: exportVersion,
    exported_at: view.now,
    workspace_id: workspaceOf(view),
    since,
    policy: view.state.policy,
    agents: view.rows.all(query.selectFrom('agents').selectAll().orderBy('id')),
    work: [...all.values()].filter(({ id }) => needed.has(id)),
    questions: questions.map((question) => exportedQuestion(view, question)),
    rfcs,
    events: view.rows
      .all(events)
      .filter(({ posted_at, closed_at }) => isSince(posted_at, closed_at))
      .flatMap(({ id }) => eventView(view, id) ?? []),
    responsibilities: listResponsibilities(view),
    requests: requests
      .filter((one) => isSince(one.created_at, one.closed_at, one.responded_at))
      .flatMap(({ id }) => requestDetails(view, id) ?? [])
      .map(({ overdue: _, ...request }) => request)
      .sort((a, b) => Number(a.id.slice(2)) - Number(b.id.slice(2))),
    decisions: view.rows
      .all(query.selectFrom('decisions').selectAll().orderBy('position').orderBy('nonce'))
      .filter(({ decided_at }) => isSince(decided_at))
      .map(({ position: _, ...decision }) => decision),
    history: listImported(view)
      .reverse()
      .filter(({ happened_at, imported_at }) => isSince(happened_at, imported_at)),
  };
}

function exportedQuestion(view: View, { time_waiting_ms: _, ...question }: QuestionView): ExportedQuestion {
  const known = view.state.questions.get(question.id);
  return { ...question, own_holds: known?.holds ?? [], added_holds: known?.addedHolds ?? [] };
}

function exportedRfc(view: View, id: string): ExportedRfc {
  const known = view.state.rfcs.get(id);
  const shown = rfcView(view, id);
  if (!known || !shown) throw new Error(`there is no ${id}`);
  const { time_waiting_ms: _, ...rfc } = shown;
  return {
    ...rfc,
    own_holds: known.holds,
    added_holds: known.addedHolds,
    documents: known.revisions.map(({ number }) => ({ number, document: documentOf(view, known, number) })),
  };
}
