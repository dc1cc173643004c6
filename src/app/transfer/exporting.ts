/** Exports everything in a workspace, as streams of pieces: as JSON for import, as Markdown for people, or as a database. */

import { visibleJson } from '../../core/kit/visible.ts';
import { asBlockQuote, heading, inline, parts, questionMirror, requestMirror, rfcMirror } from '../mirrors/texts.ts';
import type { HistoryKind, ImportSource } from '../../core/records/import.ts';
import { closeQuietly, type FileSystem } from '../../store/journal/files.ts';
import type { ImportedItem } from '../../store/rows/items.ts';
import { itemOf } from '../../store/rows/read.ts';
import { databaseOf, loadSqlite } from '../../store/rows/sqlite.ts';
import type { View } from '../../store/store.ts';
import { eventView, type EventView } from '../memory/events.ts';
import { listQuestions, type QuestionView } from '../question/views.ts';
import { listRequests, listResponsibilities, requestDetails, workspaceOf } from '../request/views.ts';
import { documentOf } from '../rfc/parts.ts';
import { listRfcs, rfcView } from '../rfc/views.ts';
import { listWork } from '../work/work.ts';
import { signedWithWords } from '../../core/state/quorum.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Later versions read earlier ones. A member by which an item holds more needs a new version: others are ignored. */
export const exportVersion = 1;

export type ExportFormat = 'json' | 'markdown' | 'sqlite';

/** Minimum size of a piece except the last; each is one write. Characters. */
const pieceSize = 64 * 1024;

/** JSON and Markdown are generated row by row; a database is one piece. */
export async function exportedPieces(
  workspace: Workspace,
  format: ExportFormat,
): Promise<Iterable<string | Uint8Array>> {
  const store = await workspace.store();
  if (format !== 'sqlite') return textPieces(store.read(), format);
  return [databaseOf(await loadSqlite(workspace.options.wasm), store.exportDatabase())];
}

export function* textPieces(view: View, format: Exclude<ExportFormat, 'sqlite'>): Generator<string> {
  let piece = '';
  for (const text of format === 'json' ? jsonTexts(view) : withSeparators(markdownParts(view))) {
    piece += text;
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** With an empty line between them. */
function* withSeparators(all: Iterable<string>): Generator<string> {
  let between = '';
  for (const part of all) {
    yield `${between}${part}`;
    between = '\n\n';
  }
  yield '\n';
}

// An export as JSON, row by row: each row is generated, written and dropped before the next, so memory use does not
// grow with the workspace. Hidden characters are escaped: a terminal shows the same text as the file.

function* jsonTexts(view: View): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(exportMembers(view)) as [string, unknown][]) {
    yield `${before}\n ${JSON.stringify(name)}: `;
    before = ',';
    if (!isList(value)) {
      yield visibleJson(value);
      continue;
    }
    let between = '[';
    for (const row of value) {
      yield `${between}\n  ${visibleJson(row)}`;
      between = ',';
    }
    yield between === '[' ? '[]' : '\n ]';
  }
  yield '\n}\n';
}

// An export for people: one document, generated part by part. Text by agents and people is quoted.

/** Links lead from the root of the workspace. */
const root = '.';

function* markdownParts(view: View): Generator<string> {
  const file = exportMembers(view);
  const { workspace_id: workspace } = file;
  yield `# Export of ${file.exported_at}`;
  yield `Workspace ${workspace}.`;
  yield* list('Work', file.work, (item) =>
    line(
      `**${inline(item.title)}** (${inline(item.id)})`,
      item.status.replaceAll('_', ' '),
      item.assigned_agent === null ? null : inline(item.assigned_agent),
      item.depends_on.length === 0 ? null : `waits for ${item.depends_on.map(inline).join(', ')}`,
    ),
  );
  yield* section('Questions', file.questions, (question) => questionPart(question, workspace));
  yield* section('RFCs', file.rfcs, (rfc) => withoutFrontMatter(rfcMirror({ ...rfc, time_waiting_ms: 0 }, workspace)));
  yield* section('Project memory', file.events, eventPart);
  yield* section('Requests', file.requests, (request) =>
    withoutFrontMatter(requestMirror({ ...request, overdue: false }, 'inbox', root)),
  );
  yield* list('Decisions', file.decisions, ({ decided_at, action, subject, decided_by, keyid }) =>
    line(decided_at, action, subject, inline(decided_by), `key ${keyid.slice(0, 16)}`),
  );
  yield* list('Imported history (not verified)', file.history, (item) =>
    line(
      item.id,
      item.kind,
      inline(item.status),
      item.happened_at,
      inline(`${item.source}: ${item.ref}`),
      inline(item.title),
    ),
  );
}

/** The heading is written with the first row; an empty section has none. */
function* section<Row>(title: string, rows: Iterable<Row>, part: (row: Row) => string): Generator<string> {
  let isFirst = true;
  for (const row of rows) {
    if (isFirst) yield `## ${title}`;
    isFirst = false;
    yield part(row);
  }
}

function* list<Row>(title: string, rows: Iterable<Row>, item: (row: Row) => string): Generator<string> {
  const text = heading(title, [...rows].map(item));
  if (text !== null) yield text;
}

function questionPart(question: ReturnType<typeof exportedQuestion>, workspace: string): string {
  const { answered_by: who, answered_at: at, signed_with: signed, answered_with: others } = question;
  const together = others.length === 0 ? '' : `, together with ${others.join(', ')}`;
  const by = who === null ? '' : ` by ${inline(who)}, ${at ?? ''}${signedWithWords(signed)}${together}`;
  return withoutFrontMatter(
    parts(
      questionMirror({ ...question, time_waiting_ms: 0 }, workspace, root),
      `${inline(question.agent_id)}, ${question.raised_at}: ${question.resolution ?? question.status}${by}`,
    ),
  );
}

function eventPart(event: EventView): string {
  const author = event.author_kind === 'human' ? ' (human)' : event.imported ? ' (imported, not verified)' : '';
  const scopes = event.scopes.length === 0 ? '' : `, on ${event.scopes.map(inline).join(', ')}`;
  const successor = event.superseded_by_event_id === null ? '' : `, superseded by ${event.superseded_by_event_id}`;
  const reason = event.resolved_reason === null ? '' : `: ${inline(event.resolved_reason)}`;
  return parts(
    `### ${event.id}: ${event.priority} ${event.type}, ${event.status}`,
    `${inline(event.author)}${author}, ${event.posted_at}${scopes}`,
    asBlockQuote(event.text),
    event.closed_at === null ? null : `Closed ${event.closed_at}${successor}${reason}`,
  );
}

function line(...said: readonly (string | null)[]): string {
  return `- ${said.filter((one) => one !== null).join(' · ')}`;
}

/** Moves the headings of a mirror two levels down. */
function withoutFrontMatter(text: string): string {
  return text
    .replace(/^---\n.*?\n---\n/s, '')
    .trim()
    .replace(/^(#{1,4}) /gm, '##$1 ');
}

interface Target {
  readonly fs: FileSystem;
  readonly file: string;
  /** A unique name in the same folder. */
  readonly temporary: string;
  /** Moves the temporary file to its final name. */
  put(temporary: string, file: string): void;
}

/** Writes each piece before generating the next. Returns the number of bytes. */
export function writeExport({ fs, file, temporary, put }: Target, pieces: Iterable<string | Uint8Array>): number {
  let size = 0;
  try {
    const descriptor = fs.openSync(temporary, 'wx', 0o600);
    try {
      for (const piece of pieces) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
        for (let at = 0; at < bytes.length;) at += fs.writeSync(descriptor, bytes, at);
        size += bytes.length;
      }
      fs.fsyncSync(descriptor);
    } finally {
      closeQuietly(fs, descriptor);
    }
    put(temporary, file);
    return size;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

// The contents of an export.

interface SignedDecision {
  readonly nonce: string;
  readonly subject: string;
  readonly action: string;
  readonly decided_by: string;
  readonly keyid: string;
  readonly decided_at: string;
}

type Members = ReturnType<typeof exportMembers>;

/** As the JSON file has it. */
export type ExportFile = {
  readonly [Name in keyof Members]: Members[Name] extends object & Iterable<infer Row> ? readonly Row[] : Members[Name];
};

/** The members of an export in order. Lists are generated lazily and can be iterated once. */
function exportMembers(view: View) {
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
    /** Signatures with signer and time. They are valid only in this workspace; elsewhere they are history. */
    decisions: view.rows.all<SignedDecision>(
      'SELECT nonce, subject, action, decided_by, keyid, decided_at FROM decisions ORDER BY position, nonce',
    ),
    history: listImported(view).reverse(),
  };
}

function isList(value: unknown): value is Iterable<object> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

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

function exportedRequest(view: View, id: string) {
  const details = requestDetails(view, id);
  if (!details) return null;
  const { overdue: _, ...request } = details;
  return request;
}

/** Without waiting times and other values that change by themselves. */
function exportedQuestion(view: View, { time_waiting_ms: _, ...question }: QuestionView) {
  const known = view.state.questions.get(question.id);
  return {
    ...question,
    also_work: known?.alsoWork ?? [],
    /** Its own globs; if empty, `holds` has those of the work item. */
    own_holds: known?.holds ?? [],
    /** Globs added later. */
    added_holds: known?.addedHolds ?? [],
  };
}

function exportedRfc(view: View, id: string) {
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

// Lists of imported items: history with its source, and the origin of other items.

export type { ImportedItem };

/** Latest first. @param kind default: all */
export function listImported({ rows }: View, kind?: HistoryKind): ImportedItem[] {
  const found = rows.all<{ json: string }>(
    `SELECT json FROM items WHERE kind = 'history' AND coalesce(type = ?, 1) ORDER BY number DESC`,
    kind ?? null,
  );
  return found.map(({ json }) => JSON.parse(json) as ImportedItem);
}

/** By its id (`H-12`) or the id it became (`Q-3`). Null for an unknown id. */
export function importedItem({ rows }: View, id: string): ImportedItem | null {
  const found = itemOf(rows, 'history', id);
  if (found) return found;
  const row = rows.all<{ json: string }>(
    `SELECT json FROM links JOIN items ON kind = from_kind AND id = from_id WHERE from_kind = 'history' AND to_id = ?`,
    id,
  )[0];
  return row ? (JSON.parse(row.json) as ImportedItem) : null;
}

const programs: Readonly<Record<ImportSource, string>> = {
  codeframe: 'CodeFrame',
  engram: 'Engram',
  markdown: 'Markdown',
  json: 'an export',
};

/** `imported from CodeFrame (legacy.db, blocker 3), not verified` */
export function originText({ from, source, ref }: Pick<ImportedItem, 'from' | 'source' | 'ref'>): string {
  return `imported from ${programs[from]} (${source}, ${ref}), not verified`;
}
