/** The complete contents of a workspace as one value, for import or reading. */
import type { RfcDocument } from '../../core/records/rfc.ts';
import type { Policy } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import { eventView, type EventView } from '../memory/views.ts';
import { listImported, type ImportedItem } from './imported.ts';
import {
  listRequests,
  listResponsibilities,
  requestDetails,
  workspaceOf,
  type RequestDetails,
  type ResponsibilityView,
} from '../request/views.ts';
import { documentOf } from '../rfc/parts.ts';
import { listRfcs, rfcView, type RfcView } from '../rfc/views.ts';
import { listQuestions, type QuestionView } from '../question/views.ts';
import { listWork, type WorkView } from '../work/work.ts';

/** Later versions read earlier ones. A member by which an item holds more needs a new version: others are ignored. */
export const exportVersion = 1;

/** Without waiting times and other values that change by themselves. */
export type ExportedQuestion = Omit<QuestionView, 'time_waiting_ms'> & {
  readonly also_work: readonly string[];
  /** Its own globs; if empty, `holds` has those of the work item. */
  readonly own_holds: readonly string[];
  /** Globs added later. */
  readonly added_holds: readonly string[];
};
export type ExportedRfc = Omit<RfcView, 'time_waiting_ms'> & {
  readonly own_holds: readonly string[];
  readonly added_holds: readonly string[];
  readonly documents: readonly { readonly number: number; readonly document: RfcDocument }[];
};

export interface ExportFile {
  readonly holdpoint_export: typeof exportVersion;
  readonly exported_at: string;
  readonly workspace_id: string;
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
  /** Signatures with signer and time. They are valid only in this workspace; elsewhere they are history. */
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

/** The members of an export in order. Lists are generated lazily and can be iterated once. */
export function exportMembers(view: View): ExportMembers {
  return {
    holdpoint_export: exportVersion,
    exported_at: view.now,
    workspace_id: workspaceOf(view),
    policy: view.state.policy,
    agents: [...view.state.agents.values()]
      .map(({ id, type, host, label }) => ({ id, type, host, label }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    work: listWork(view.state),
    questions: rowsOf([...listQuestions(view).questions].reverse(), (question) => exportedQuestion(view, question)),
    rfcs: rowsOf(listRfcs(view).reverse(), ({ id }) => exportedRfc(view, id)),
    events: rowsOf(eventIds(view), (id) => eventView(view, id)),
    responsibilities: listResponsibilities(view),
    requests: rowsOf(requestIds(view), (id) => exportedRequest(view, id)),
    decisions: view.rows.all<ExportFile['decisions'][number]>(
      'SELECT nonce, subject, action, decided_by, keyid, decided_at FROM decisions ORDER BY position, nonce',
    ),
    history: listImported(view).reverse(),
  };
}

export function isList(value: unknown): value is Iterable<object> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

type ExportMembers = {
  readonly [Name in keyof ExportFile]: ExportFile[Name] extends readonly (infer Row)[]
    ? Iterable<Row>
    : ExportFile[Name];
};

function* rowsOf<From, Row>(all: readonly From[], make: (one: From) => Row | null | undefined): Generator<Row> {
  for (const one of all) {
    const row = make(one);
    if (row !== null && row !== undefined) yield row;
  }
}

function eventIds({ rows }: View): string[] {
  return rows.all<{ id: string }>(`SELECT id FROM items WHERE kind = 'event' ORDER BY number`).map(({ id }) => id);
}

function requestIds(view: View): string[] {
  return listRequests(view, { box: 'all', of: [], limit: Number.MAX_SAFE_INTEGER })
    .requests.map(({ id }) => id)
    .sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
}

function exportedRequest(view: View, id: string): Omit<RequestDetails, 'overdue'> | null {
  const details = requestDetails(view, id);
  if (!details) return null;
  const { overdue: _, ...request } = details;
  return request;
}

function exportedQuestion(view: View, { time_waiting_ms: _, ...question }: QuestionView): ExportedQuestion {
  const known = view.state.questions.get(question.id);
  return {
    ...question,
    also_work: known?.alsoWork ?? [],
    own_holds: known?.holds ?? [],
    added_holds: known?.addedHolds ?? [],
  };
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
