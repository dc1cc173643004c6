/** Imports CodeFrame's blockers from the legacy schema, the target schema, and those in between. */
import { workId } from '../../core/kit/fields.ts';
import type { BaseStatus } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { shortenText } from '../../core/rfc/document.ts';
import type { ForeignRow as Row, ForeignTable } from '../../store/rows/sqlite.ts';
import { AppError } from '../workspace/errors.ts';
import {
  agentNamed,
  historyRow,
  instantOf,
  printableText,
  printableOrNull,
  readingDatabase,
  rowKey,
  shortName,
  skipColumns,
  type Collector,
  type Reader,
  type Reading,
  type ReadOptions,
} from './importReading.ts';

const blockerColumns = [
  'id',
  'task_id',
  'project_id',
  'severity',
  'blocker_type',
  'reason',
  'question',
  'resolution',
  'answer',
  'agent_id',
  'status',
  'created_at',
  'resolved_at',
];
const taskColumns = ['id', 'title', 'status', 'assigned_to'];

/** @throws AppError `bad_input` for a file that is not CodeFrame's, or cannot be read */
export function readCodeframe(reader: Reader, options: ReadOptions): Reading {
  const { source } = options;
  return readingDatabase(reader, options, 'codeframe', (db, into) => {
    const blockers = db.table('blockers');
    if (!blockers)
      throw new AppError(
        'bad_input',
        `${source} is not a CodeFrame database: it has no table "blockers" (but ${db.tables.slice(0, 10).join(', ') || 'none at all'}). Nothing was imported.`,
      );
    const tasks = db.table('tasks');
    for (const table of db.tables) if (table !== 'blockers' && table !== 'tasks') into.skip(`table ${table}`);
    skipColumns(into, 'blockers', blockers, blockerColumns);
    if (tasks) skipColumns(into, 'tasks', tasks, taskColumns);
    const taskRows = new Map((tasks?.rows ?? []).map((row) => [printableText(row['id']), row]));
    const run = { into, tasks: taskRows, taken: new Set<string>(), now: reader.workspace.now() };
    for (const row of blockers.rows) readBlocker(run, row);
    return {
      format: formatOf(blockers),
      found: { blockers: blockers.rows.length, tasks: tasks?.rows.length ?? 0 },
    };
  });
}

function formatOf({ columns }: ForeignTable): string {
  const legacy = columns.includes('severity');
  const target = columns.includes('blocker_type');
  return `CodeFrame, ${legacy && target ? 'schema between the legacy one and the target' : legacy ? 'legacy schema' : 'target schema'}`;
}

interface Run {
  readonly into: Collector;
  readonly tasks: ReadonlyMap<string, Row>;
  /** Tasks that are registered already. */
  readonly taken: Set<string>;
  readonly now: string;
}

function readBlocker(run: Run, row: Row): void {
  const { into, tasks, now } = run;
  const ref = `blocker ${printableText(row['id'])}`;
  const text = printableOrNull(row['question']) ?? printableOrNull(row['reason']) ?? 'No question provided';
  const task = row['task_id'] === null || row['task_id'] === undefined ? null : printableText(row['task_id']);
  const taskRow = task === null ? undefined : tasks.get(task);
  const agent = printableOrNull(row['agent_id']) ?? printableOrNull(taskRow?.['assigned_to']) ?? 'unknown-agent';
  const asked = instantOf(row['created_at']);
  if (asked === null) into.change(ref, 'has no readable time: it counts as asked now');
  const at = asked ?? now;
  const answer = printableOrNull(row['answer']) ?? printableOrNull(row['resolution']);
  const resolvedAt = instantOf(row['resolved_at']);
  const status = statusOf(row, resolvedAt);
  const mode = modeOf(into, ref, row);
  const key = rowKey('codeframe', row['id'], text, row['created_at']);
  const data = {
    id: row['id'],
    question: text,
    answer,
    status,
    mode,
    agent_id: agent,
    task_id: task,
    task_title: printableOrNull(taskRow?.['title']),
    project_id: row['project_id'] ?? null,
    created_at: at,
    resolved_at: resolvedAt,
  };
  const toHistory = () =>
    into.rows.push(
      historyRow(key, { ref, at, of: 'question', title: text, status: status.toLowerCase(), agent, work: task, data }),
    );
  if (status !== 'PENDING') {
    toHistory();
    return;
  }
  if (text.length > limits.questionText) {
    toHistory();
    into.leaveOut(
      ref,
      `still open there, but its text has ${String(text.length)} characters and a question at most ${String(limits.questionText)}: it is imported as history and holds nothing, so ask it again`,
    );
    return;
  }
  const asker = agentNamed(agent);
  if (asker !== agent) into.change(ref, `agent ${shortName(agent)} is called ${asker} here`);
  if (task !== null) takeTask(run, task, at);
  into.originals.set(key, { status: 'pending', data });
  into.rows.push({
    row: 'question',
    key,
    ref,
    at,
    by: asker,
    added: [],
    raised: {
      text,
      type: 'clarification',
      urgency: mode === 'sync' ? 'high' : 'medium',
      mode,
      work: task === null ? null : workIdOf(task),
      background: `Imported from CodeFrame (${ref}, asked by ${shortName(agent)} at ${at}).`,
    },
  });
}

/** From the column `status`, or else from the time of resolution. */
function statusOf(row: Row, resolvedAt: string | null): 'PENDING' | 'RESOLVED' | 'EXPIRED' {
  const said = printableText(row['status']).toUpperCase();
  if (said === 'RESOLVED' || said === 'EXPIRED' || said === 'PENDING') return said;
  const hasTime = resolvedAt !== null || printableOrNull(row['resolved_at']) !== null;
  return hasTime ? 'RESOLVED' : 'PENDING';
}

function modeOf(into: Collector, ref: string, row: Row): 'sync' | 'async' {
  const said = printableText(row['blocker_type'] ?? row['severity']).toLowerCase();
  if (said === 'sync' || said === 'async') return said;
  into.change(ref, `is neither SYNC nor ASYNC ("${said.slice(0, 40)}"): it counts as SYNC`);
  return 'sync';
}

const workStatus: Readonly<Record<string, BaseStatus>> = {
  in_progress: 'in_progress',
  completed: 'done',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Registers the work of an open blocker, so that there is something to hold. */
function takeTask({ into, tasks, taken }: Run, task: string, at: string): void {
  const row = tasks.get(task);
  if (taken.has(task)) return;
  taken.add(task);
  const ref = `task ${task}`;
  if (!row) into.change(ref, 'is not in the file: it is registered by its id, so that its blocker can hold it');
  const assigned = printableOrNull(row?.['assigned_to']);
  const title = printableOrNull(row?.['title']) ?? `CodeFrame task ${task}`;
  if (title.length > limits.title) into.change(ref, `title shortened to ${String(limits.title)} characters`);
  into.rows.push({
    row: 'work',
    key: rowKey('codeframe', 'task', task),
    ref,
    at,
    by: 'codeframe',
    registered: {
      id: workIdOf(task),
      workKind: 'task',
      title: shortenText(title, limits.title),
      status: workStatus[printableText(row?.['status']).toLowerCase()] ?? 'todo',
      assignee: assigned === null ? null : agentNamed(assigned),
    },
    step: null,
    updatedAt: at,
  });
}

function workIdOf(task: string): string {
  const id = `codeframe-task-${task}`;
  return workId.safeParse(id).success ? id : `codeframe-task-${rowKey('codeframe', task).slice(0, 12)}`;
}
