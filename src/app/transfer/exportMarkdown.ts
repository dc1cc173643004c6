/** An export for people: one document, generated part by part. Text by agents and people is quoted. */
import { heading, inline, parts, quoted } from '../../core/mirrors/text.ts';
import type { View } from '../../store/store.ts';
import type { EventView } from '../memory/views.ts';
import { questionMirror, requestMirror, rfcMirror } from '../mirrors/texts.ts';
import { passkeyWords } from '../workspace/signedWith.ts';
import { exportMembers } from './exporting.ts';
import type { ExportedQuestion } from './exporting.ts';

/** Links lead from the root of the workspace. */
const root = '.';

/** @param since ISO 8601, UTC; null for all */
export function* markdownParts(view: View, since: string | null): Generator<string> {
  const file = exportMembers(view, since);
  const { workspace_id: workspace } = file;
  yield `# Export of ${file.exported_at}`;
  yield `Workspace ${workspace}.${since === null ? '' : ` Only what happened since ${since}, and what that refers to.`}`;
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

function questionPart(question: ExportedQuestion, workspace: string): string {
  const { answered_by: who, answered_at: at, signed_with: signed, answered_with: others } = question;
  const together = others.length === 0 ? '' : `, together with ${others.join(', ')}`;
  const by = who === null ? '' : ` by ${inline(who)}, ${at ?? ''}${passkeyWords(signed)}${together}`;
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
    quoted(event.text),
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
