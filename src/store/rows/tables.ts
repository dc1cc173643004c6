/** Tables of the projection, as Kysely types. Times are ISO 8601 UTC. */
import * as words from '../../core/kit/words.ts';
import type {
  AnswerEffect,
  BaseStatus,
  QuestionMode,
  QuestionStatus,
  QuestionType,
  Urgency,
  WorkKind,
} from '../../core/kit/words.ts';
import { oneOf } from './oneOf.ts';
import { questionNotes } from '../../core/kit/questionNotes.ts';
import type { RowNotes } from '../../core/kit/questionNotes.ts';
import { askBackSchema } from './askBackTables.ts';
import type { AskBackTables } from './askBackTables.ts';
import { parkedBriefSchema } from './parkedBriefTables.ts';
import type { ParkedBriefTables } from './parkedBriefTables.ts';
import { eventSchema } from './eventTables.ts';
import type { EventTables } from './eventTables.ts';
import { importSchema } from './importTables.ts';
import type { ImportTables } from './importTables.ts';
import { requestSchema } from './requestTables.ts';
import type { RequestTables } from './requestTables.ts';
import { rfcRelationships, rfcSchema } from './rfcTables.ts';
import type { RfcTables } from './rfcTables.ts';
import { undeliveredSchema } from './undeliveredTables.ts';
import type { UndeliveredTables } from './undeliveredTables.ts';

export interface WorkItems {
  id: string;
  kind: WorkKind;
  title: string;
  status: BaseStatus;
  step: string | null;
  workflow_id: string | null;
  assigned_agent: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface Questions extends RowNotes {
  id: string;
  number: number;
  agent_id: string;
  session: string | null;
  worktree: string | null;
  work_id: string | null;
  question_text: string;
  question_type: QuestionType;
  urgency: Urgency;
  /** 0 critical .. 3 low, for sorting. */
  urgency_rank: number;
  mode: QuestionMode;
  status: QuestionStatus;
  raised_at: string;
  expires_at: string;
  /** JSON array of `Choice`. */
  choices: string;
  multiple: number;
  free_text: number;
  /** JSON object. */
  payload_json: string | null;
  /** JSON array of strings. */
  alternative_approaches_considered: string;
  /** JSON array of {path, line}. */
  related_files: string;
  /** JSON array of globs. */
  holds: string;
  resolution: 'answered' | 'cancelled' | 'released' | 'withdrawn' | null;
  answer: string | null;
  /** JSON array of labels. */
  answer_choices: string;
  note: string | null;
  answered_by: string | null;
  answered_at: string | null;
  /** The RFC whose open question this one asks of a human. */
  rfc_id: string | null;
  reopens: string | null;
  reopen_reason: string | null;
  /** When a human ruled out reuse of the answer. */
  revoked_at: string | null;
  revoked_by: string | null;
  revoked_reason: string | null;
  /** Effect of the answer on what was asked; null while unanswered. */
  effect: AnswerEffect | null;
  /** When a human lifted the refusal. */
  lifted_at: string | null;
  lifted_by: string | null;
  lifted_reason: string | null;
}

export interface Tables
  extends AskBackTables, EventTables, ImportTables, ParkedBriefTables, RequestTables, RfcTables, UndeliveredTables {
  agents: { id: string; type: string; host: string; label: string };
  work_items: WorkItems;
  work_dependencies: { work_id: string; depends_on: string };
  questions: Questions;
  /** Further work items that a question holds, besides `work_id`. */
  question_work: { question_id: string; work_id: string };
  /** `session`: the session of the last offer, or the empty string. */
  deliveries: {
    question_id: string;
    agent_id: string;
    session: string;
    offered_at: string;
    acknowledged_at: string | null;
  };
  /** Questions that were answered with an earlier answer. */
  answer_reuses: { position: number; question_id: string; agent_id: string; reused_at: string };
  decisions: {
    nonce: string;
    subject: string;
    action: string;
    decided_by: string;
    keyid: string;
    decided_at: string;
    position: number;
  };
  /** View: blocks, depends_on and references as one relation. */
  relationships: { from_id: string; from_type: string; relationship_type: string; to_id: string; to_type: string };
}

/** A row is written as its whole line left it, so it may refer to a record later in that line. */
const sameLine = 'DEFERRABLE INITIALLY DEFERRED';

export function schema(): string[] {
  return [
    `CREATE TABLE agents (id TEXT PRIMARY KEY, type TEXT NOT NULL, host TEXT NOT NULL, label TEXT NOT NULL) STRICT`,
    `CREATE TABLE work_items (
      id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (${oneOf('kind', words.workKind.options)}), title TEXT NOT NULL,
      status TEXT NOT NULL CHECK (${oneOf('status', words.baseStatus.options)}), step TEXT,
      workflow_id TEXT REFERENCES work_items(id) ${sameLine}, assigned_agent TEXT, created_by TEXT NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL, CHECK (workflow_id IS NULL OR workflow_id <> id)) STRICT`,
    `CREATE TABLE work_dependencies (
      work_id TEXT NOT NULL REFERENCES work_items(id), depends_on TEXT NOT NULL REFERENCES work_items(id) ${sameLine},
      PRIMARY KEY (work_id, depends_on), CHECK (work_id <> depends_on)) STRICT`,
    `CREATE INDEX work_dependants ON work_dependencies (depends_on)`,
    `CREATE INDEX work_members ON work_items (workflow_id)`,
    `CREATE TABLE questions (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, session TEXT, worktree TEXT,
      work_id TEXT REFERENCES work_items(id),
      question_text TEXT NOT NULL CHECK (length(question_text) BETWEEN 1 AND 2000),
      question_type TEXT NOT NULL CHECK (${oneOf('question_type', words.questionType.options)}),
      urgency TEXT NOT NULL CHECK (${oneOf('urgency', words.urgency.options)}), urgency_rank INTEGER NOT NULL,
      mode TEXT NOT NULL CHECK (${oneOf('mode', words.questionMode.options)}),
      status TEXT NOT NULL CHECK (${oneOf('status', words.questionStatus.options)}),
      raised_at TEXT NOT NULL, expires_at TEXT NOT NULL, choices TEXT NOT NULL, multiple INTEGER NOT NULL,
      free_text INTEGER NOT NULL, ${questionNotes.map(({ column }) => `${column} TEXT`).join(', ')}, payload_json TEXT,
      alternative_approaches_considered TEXT NOT NULL,
      related_files TEXT NOT NULL, holds TEXT NOT NULL,
      resolution TEXT CHECK (${oneOf('resolution', ['answered', 'cancelled', 'released', 'withdrawn'])}),
      answer TEXT CHECK (length(answer) <= 5000), answer_choices TEXT NOT NULL, note TEXT, answered_by TEXT, answered_at TEXT,
      rfc_id TEXT REFERENCES rfcs(id), reopens TEXT REFERENCES questions(id), reopen_reason TEXT,
      revoked_at TEXT, revoked_by TEXT, revoked_reason TEXT,
      effect TEXT CHECK (${oneOf('effect', words.answerEffect.options)}), lifted_at TEXT, lifted_by TEXT, lifted_reason TEXT,
      CHECK ((resolution IS NULL) = (answered_at IS NULL)), CHECK (question_type <> 'approval' OR mode = 'sync')) STRICT`,
    `CREATE INDEX questions_by_status ON questions (status, raised_at)`,
    `CREATE INDEX questions_by_agent ON questions (agent_id, status)`,
    `CREATE INDEX questions_by_work ON questions (work_id)`,
    `CREATE TABLE question_work (
      question_id TEXT NOT NULL REFERENCES questions(id), work_id TEXT NOT NULL REFERENCES work_items(id),
      PRIMARY KEY (question_id, work_id)) STRICT`,
    ...rfcSchema,
    `CREATE TABLE deliveries (
      question_id TEXT NOT NULL REFERENCES questions(id), agent_id TEXT NOT NULL, session TEXT NOT NULL,
      offered_at TEXT NOT NULL, acknowledged_at TEXT, PRIMARY KEY (question_id, agent_id)) STRICT`,
    `CREATE INDEX deliveries_offered ON deliveries (agent_id, session) WHERE acknowledged_at IS NULL`,
    ...undeliveredSchema,
    `CREATE TABLE answer_reuses (
      position INTEGER NOT NULL, question_id TEXT NOT NULL REFERENCES questions(id), agent_id TEXT NOT NULL,
      reused_at TEXT NOT NULL, PRIMARY KEY (question_id, position)) STRICT`,
    `CREATE TABLE decisions (
      nonce TEXT PRIMARY KEY, subject TEXT NOT NULL, action TEXT NOT NULL, decided_by TEXT NOT NULL, keyid TEXT NOT NULL,
      decided_at TEXT NOT NULL, position INTEGER NOT NULL) STRICT`,
    `CREATE VIEW relationships AS
      SELECT id AS from_id, 'question' AS from_type, 'blocks' AS relationship_type, work_id AS to_id,
        (SELECT kind FROM work_items WHERE work_items.id = work_id) AS to_type
        FROM questions WHERE work_id IS NOT NULL
      UNION ALL SELECT question_id, 'question', 'blocks', work_id,
        (SELECT kind FROM work_items WHERE work_items.id = work_id) FROM question_work
      UNION ALL SELECT work_id, (SELECT kind FROM work_items WHERE work_items.id = work_id), 'depends_on', depends_on,
        (SELECT kind FROM work_items WHERE work_items.id = depends_on) FROM work_dependencies
      UNION ALL SELECT id, 'question', 'references', rfc_id, 'rfc' FROM questions WHERE rfc_id IS NOT NULL
      UNION ALL SELECT questions.id, 'question', 'references', json_extract(file.value, '$.path'), 'file'
        FROM questions, json_each(questions.related_files) file
      UNION ALL ${rfcRelationships}
      UNION ALL SELECT request_id, 'request', 'references', work_id,
        (SELECT kind FROM work_items WHERE work_items.id = work_id) FROM request_work
      UNION ALL SELECT id, 'request', 'references', json_extract(payload_json, '$.ingest_request_id'), 'request'
        FROM requests WHERE json_extract(payload_json, '$.ingest_request_id') IS NOT NULL
      UNION ALL SELECT event_id, 'event', 'references', related_id, 'event' FROM event_relations`,
    ...askBackSchema,
    ...parkedBriefSchema,
    ...eventSchema(),
    ...requestSchema,
    ...importSchema(),
  ];
}
