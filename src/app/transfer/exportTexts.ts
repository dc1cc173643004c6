/** The three formats of an export, as bytes. */
import { heading, inline, parts, quoted } from '../../core/mirrors/text.ts';
import { loadSqlite } from '../../store/rows/sqlite.ts';
import { exportPieces } from './exportJson.ts';
import { exportOf } from './exporting.ts';
import type { ExportFile } from './exporting.ts';
import { questionMirror, requestMirror, rfcMirror } from '../mirrors/texts.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type ExportFormat = 'json' | 'markdown' | 'sqlite';

/** @param since ISO 8601, UTC; null for all */
export async function exported(workspace: Workspace, format: ExportFormat, since: string | null): Promise<Buffer> {
  const store = await workspace.store();
  if (format === 'json') return Buffer.from([...exportPieces(store.read(), since)].join(''));
  const file = exportOf(store.read(), since);
  if (format === 'markdown') return Buffer.from(markdownOf(file));
  const { databaseOf } = await import('../../store/rows/exportDatabase.ts');
  return databaseOf(
    await loadSqlite(workspace.options.wasm),
    store.exportDatabase(),
    since === null ? null : keptIds(file),
  );
}

/** Ids of what stays in a database that does not have all. */
function keptIds({ work, questions, rfcs, events, requests }: ExportFile) {
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  return { work: ids(work), questions: ids(questions), rfcs: ids(rfcs), events: ids(events), requests: ids(requests) };
}

/** For people: everything as one document. What agents and people wrote stands in quotations. */
export function markdownOf(file: ExportFile): string {
  const { workspace_id: workspace, since } = file;
  const line = (...said: readonly (string | null)[]) => `- ${said.filter((one) => one !== null).join(' · ')}`;
  const withoutFrontMatter = (text: string) => demoted(text.replace(/^---\n.*?\n---\n/s, '').trim());
  return `${parts(
    `# Export of ${file.exported_at}`,
    `Workspace ${workspace}.${since === null ? '' : ` Only what happened since ${since}, and what that refers to.`}`,
    heading(
      'Work',
      file.work.map((item) =>
        line(
          `**${inline(item.title)}** (${inline(item.id)})`,
          item.status.replaceAll('_', ' '),
          item.assigned_agent === null ? null : inline(item.assigned_agent),
          item.depends_on.length === 0 ? null : `waits for ${item.depends_on.map(inline).join(', ')}`,
        ),
      ),
    ),
    file.questions.length > 0 ? '## Questions' : null,
    ...file.questions.map((question) =>
      withoutFrontMatter(
        parts(
          questionMirror({ ...question, time_waiting_ms: 0 }, workspace),
          `${inline(question.agent_id)}, ${question.raised_at}: ${question.resolution ?? question.status}${question.answered_by === null ? '' : ` by ${inline(question.answered_by)}, ${question.answered_at ?? ''}`}`,
        ),
      ),
    ),
    file.rfcs.length > 0 ? '## RFCs' : null,
    ...file.rfcs.map((rfc) => withoutFrontMatter(rfcMirror({ ...rfc, time_waiting_ms: 0 }, workspace))),
    file.events.length > 0 ? '## Project memory' : null,
    ...file.events.map((event) =>
      parts(
        `### ${event.id}: ${event.priority} ${event.type}, ${event.status}`,
        `${inline(event.author)}${event.author_kind === 'human' ? ' (human)' : event.imported ? ' (imported, not verified)' : ''}, ${event.posted_at}${event.scopes.length === 0 ? '' : `, on ${event.scopes.map(inline).join(', ')}`}`,
        quoted(event.text),
        event.closed_at === null
          ? null
          : `Closed ${event.closed_at}${event.superseded_by_event_id === null ? '' : `, superseded by ${event.superseded_by_event_id}`}${event.resolved_reason === null ? '' : `: ${inline(event.resolved_reason)}`}`,
      ),
    ),
    file.requests.length > 0 ? '## Requests' : null,
    ...file.requests.map((request) => withoutFrontMatter(requestMirror({ ...request, overdue: false }, 'inbox'))),
    heading(
      'Decisions',
      file.decisions.map(({ decided_at, action, subject, decided_by, keyid }) =>
        line(decided_at, action, subject, inline(decided_by), `key ${keyid.slice(0, 16)}`),
      ),
    ),
    heading(
      'Imported history (not verified)',
      file.history.map((item) =>
        line(
          item.id,
          item.kind,
          item.status,
          item.happened_at,
          inline(`${item.source}: ${item.ref}`),
          inline(item.title),
        ),
      ),
    ),
  )}\n`;
}

/** Headings of a part, two levels deeper. */
function demoted(text: string): string {
  return text.replace(/^(#{1,4}) /gm, '##$1 ');
}
