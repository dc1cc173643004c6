/** What verbs print. `npm run generate` makes schemas/outputs.json from the types of the `--json` output. */
import type { IgnoredRow } from '../../trust/ringRecords.ts';
import type { AuditEntry, AuditSummary } from '../../app/audit/audit.ts';
import type { CheckReport } from '../../app/audit/checkReport.ts';
import type { Dashboards } from '../../app/dashboard/dashboard.ts';
import type { ChangedInCommit, Reference } from '../../app/hold/commitGate.ts';
import type { GateAnswer } from '../../app/hold/gate.ts';
import type { Restored } from '../../app/hold/restore.ts';
import type { Mirrored } from '../../app/mirrors/mirrors.ts';
import type { ResponsibilityView } from '../../app/request/views.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import type { ImportData } from '../../app/transfer/importing.ts';
import type { ImportedItem } from '../../app/transfer/exporting.ts';
import type { Invitation, Member, PersonsLogin } from '../../app/team/people.ts';
import type { TeamStatus } from '../../app/team/servers.ts';
import type { Relationship } from '../../app/work/work.ts';
import type { ReminderOverview } from '../../app/waiting/reminderSender.ts';
import type { InboxWorkspace } from '../../app/waiting/inbox.ts';
import { sharedData } from '../../app/workspace/freshness.ts';
import type { ReviewNote, ReviewVerdict } from '../../core/records/rfc.ts';
import type { StreamEvent } from '../../core/waiting/eventStream.ts';
import { allFiles } from '../../core/state/heldChanges.ts';
import type { Uncovered } from '../../hosts/setup/check.ts';
import type { HostCheck } from '../../hosts/setup/findings.ts';
import type { MachineCheck } from '../../hosts/setup/machineCheck.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { schemaOf } from '../../tools/kit/outputs.ts';
import type { SetupName } from '../../hosts/setup/place.ts';
import type { AppError } from '../../app/workspace/errors.ts';
import { onOneLine } from '../../core/kit/text.ts';
import { inTypedNames, type InputNames } from '../../tools/kit/inputProblems.ts';
import { type Globals, type Io, verbGuide } from './io.ts';
import type { GateReason } from '../../core/hold/gate.ts';
import { isRfc } from '../../core/hold/holds.ts';
import { effectOf } from '../../core/state/answerEffect.ts';

export interface VerbOutputs {
  gate: GateData & { readonly requests_waiting: number };
  gate_commits: GateData & {
    readonly commits: readonly string[];
    readonly references: readonly Reference[];
    /** Held files that were changed, which no human has accepted. */
    readonly changed_files: readonly ChangedInCommit[];
  };
  restore: { readonly files: readonly Restored[] };
  rfc_review: {
    /** It never approves: `denied` where the author has to revise. */
    readonly result: 'denied' | 'waiting';
    readonly outcome: 'revise' | 'waiting';
    readonly effect: null;
    readonly approved: null;
    readonly verdict: ReviewVerdict | null;
    /** Why the review ended early. */
    readonly note: ReviewNote | null;
    readonly answered: number;
    readonly for_human: number;
    readonly rfc: RfcView;
  };
  responsibility_list: { readonly responsibilities: readonly ResponsibilityView[]; readonly total: number };
  relationship_connected: { readonly relationships: readonly Relationship[]; readonly total: number };
  dashboard: Dashboards[keyof Dashboards];
  inbox: {
    readonly workspaces: readonly (Omit<InboxWorkspace, 'problem'> & {
      /** For `unknown`. */
      readonly problem: string | null;
    })[];
    /** Waiting items of all workspaces. */
    readonly total: number;
    /** Number of workspaces that are UNKNOWN. */
    readonly unknown: number;
  };
  /** One for each line. The first is `watching`; its position is the one that the others follow. */
  watch: { readonly type: 'watching'; readonly position: string } | StreamEvent;
  remind: { readonly sending: boolean; readonly problem: string | null };
  reminders: ReminderOverview;
  mirror: Mirrored & { readonly check: boolean };
  attestations_write: { readonly total: number; readonly written: readonly string[] };
  import: ImportData;
  /** With `--out`. Otherwise the export itself is printed. */
  export: { readonly file: string; readonly format: string; readonly bytes: number };
  history: { readonly item: ImportedItem } | { readonly items: readonly ImportedItem[]; readonly total: number };
  audit: AuditSummary & {
    /** Rows of the team's key ring that have no effect. */
    readonly ignored_ring_rows?: readonly IgnoredRow[];
    readonly entries?: readonly AuditEntry[];
    readonly exported?: string;
    readonly exported_at?: string;
    readonly seal?: { readonly by: string; readonly at: string; readonly keyid: string } | null;
  };
  check: CheckReport;
  keys: {
    readonly keys: readonly {
      readonly keyid: string;
      readonly public_key: string;
      readonly name: string;
      readonly enrolled_at: string;
      /** Where it signs, if it is a passkey. */
      readonly passkey: { readonly origin: string; readonly rp_id: string; readonly label: string } | null;
      readonly retired: { readonly at: string; readonly why: string } | null;
    }[];
  };
  serve_token_add: {
    readonly name: string;
    readonly agent: string;
    /** The token itself: it is shown here only. */
    readonly token: string;
  };
  serve_token_list: {
    readonly tokens: readonly {
      readonly name: string;
      readonly agent: string;
      /** Folders of the stores that it opens. */
      readonly workspaces: readonly string[];
      readonly created_at: string;
      /** Null: until it is removed. */
      readonly expires_at: string | null;
    }[];
  };
  serve_token_remove: { readonly removed: string };
  open: { readonly id: string; readonly uri: string };
  team_init: { readonly logins: readonly PersonsLogin[] };
  team_join: {
    readonly workspace: string;
    readonly name: string;
    /** File that keeps the URL; null for the environment. */
    readonly file: string | null;
  };
  team_invite: Invitation;
  team_status: TeamStatus;
  team_members:
    | { readonly members: readonly Member[] }
    /** With `--remove`. */
    | { readonly removed: readonly string[] };
  setup:
    /** `uncovered`: other worktrees of the repository, and which hosts have no hook there. */
    | { readonly hosts: readonly HostCheck[]; readonly uncovered: readonly Uncovered[] }
    /** With `--command`. */
    | { readonly command: string; readonly works: boolean }
    | {
        readonly hosts: readonly SetupName[];
        readonly written: boolean;
        readonly files: readonly {
          readonly file: string;
          readonly before: string | null;
          readonly after: string | null;
        }[];
      };
  setup_machine: {
    readonly hosts: readonly MachineCheck[];
    /** Of the programs that the rules start; null without rules. */
    readonly version: string | null;
    /** An administrator can change all files, so only another user's check says what agents can change. */
    readonly as_administrator: boolean;
  };
}

type VerbName = keyof VerbOutputs;

/** The output: text, or with `--json` the data and the name of its schema. */
export type Shown = {
  [N in VerbName]: { readonly text: string; readonly schema: N; readonly data: VerbOutputs[N] };
}[VerbName];

/** JSON on one line that begins with the name of its schema. */
export function jsonOf({ schema, data }: Pick<Shown, 'schema' | 'data'>): string {
  return visibleJson({ schema: schemaOf(schema), ...data });
}

/** Prints the error of any verb as one line or an error object. */
export function printError(
  io: Io,
  globals: Globals,
  error: unknown,
  { result = 'error', names }: { readonly result?: 'error' | 'denied'; readonly names?: InputNames } = {},
): void {
  // By name: a gate that loads this has a class of its own.
  const { code, advice } = (error as Partial<AppError>).name === 'AppError' ? (error as AppError) : failed;
  const said = error instanceof Error ? error.message : String(error);
  const plain = systemProblem(error) ?? inTypedNames(said, names);
  const message = advice ? `${plain}. ${advice(verbGuide)}` : plain;
  if (globals.json) io.out(visibleJson({ schema: schemaOf('error'), result, error: { code, message } }));
  else io.err(`holdpoint: ${message}`);
}

const failed = { code: 'error', advice: undefined } as const;

const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
};

/** What the system refused, in words; null for another error. */
function systemProblem(error: unknown): string | null {
  const { code, path: file } = error as NodeJS.ErrnoException;
  const why = error instanceof Error && code !== undefined ? systemWords[code] : undefined;
  return why === undefined ? null : `${file === undefined ? 'this failed' : file.slice(0, 200)}: ${why}`;
}

/** A table for terminals, each row on one line: columns as wide as their widest cell, numbers right-aligned, the last column not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(onOneLine));
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const numeric = head.map((_, column) => rows.length > 0 && rows.every((row) => /^\d+$/.test(row[column] ?? '')));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A warning, not a fault: such a row has no effect. */
export function ignoredRowText({ row, why }: IgnoredRow): string {
  return `Warning: row ${String(row)} of the team's list of keys is ignored, because it ${why}. Someone added it on the server.`;
}

interface ReasonData extends ReturnType<typeof reasonData> {}

function reasonData({ code, subject, holder, people }: GateReason) {
  return {
    ...{ code, subject },
    /** Ids of its holders. */
    question: holder && !isRfc(holder) ? holder.id : null,
    effect: holder && !isRfc(holder) ? effectOf(holder) : null,
    rfc: holder && isRfc(holder) ? holder.id : null,
    all_files: holder && allFiles(holder),
    /** Who must decide it, and who has signed so far; null if any human can. */
    people: people ?? null,
  };
}

interface GateData extends ReturnType<typeof gateData> {}

export function gateData({ verdict, state, reasons, conditions, constraints, shared }: GateAnswer, text: string) {
  return {
    result: verdict === 'allow' ? ('proceed' as const) : ('denied' as const),
    ...{ verdict, state, text, conditions, constraints },
    shared: sharedData(shared),
    reasons: reasons.map((reason): ReasonData => reasonData(reason)),
  };
}

export function gateJson(answer: GateAnswer, requests: number, text: string): string {
  return jsonOf({ schema: 'gate', data: { ...gateData(answer, text), requests_waiting: requests } });
}
