/**
 * What each operation returns as data, in `_meta` of MCP results, over HTTP and with `--json`. `npm run generate` makes
 * schemas/outputs.json from these types, and every output names its schema. Fields are snake_case, as in the inputs.
 */
import type { EventView, FoundEvent } from '../../app/memory/events.ts';
import type {
  NoticedRequest,
  Queue,
  RequestDetails,
  RequestView,
  ResponsibilityView,
} from '../../app/request/views.ts';
import type { DocumentView } from '../../app/rfc/parts.ts';
import type { RfcSummary, RfcView } from '../../app/rfc/views.ts';
import type { RegisteredResponsibility } from '../../app/request/requests.ts';
import type { NamedWork, QuestionList, QuestionView } from '../../app/question/views.ts';
import type { Registered, WorkView } from '../../app/work/work.ts';
import type { Briefing } from '../../core/memory/briefing.ts';
import type { SharedData } from '../../app/workspace/freshness.ts';
import type { AllFiles } from '../../core/state/heldChanges.ts';
import type { Missing } from '../../core/question/question.ts';
import type { AnswerEffect, QuestionStatus, Urgency } from '../../core/kit/words.ts';
import type { Outcome } from './outcome.ts';

interface Bindings {
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}

interface GateReasonData {
  readonly code: string;
  readonly subject: string;
  readonly question: {
    readonly id: string;
    readonly text: string;
    readonly status: QuestionStatus;
    readonly urgency: Urgency;
    readonly effect: AnswerEffect | null;
  } | null;
  readonly rfc: { readonly id: string; readonly title: string; readonly status: string } | null;
  readonly all_files: AllFiles | null;
  /** Who must decide it, who has signed so far, and whether with a passkey; null if any human can with any key. */
  readonly people: string | null;
}

interface WrittenRfc {
  readonly rfc: RfcView;
  /** Parts of the file that fields replace: no human sees them. */
  readonly left_out?: readonly string[];
}

/** Keyed by the operation's name. */
export interface ToolOutputs {
  raise_question: Outcome & {
    readonly already: boolean;
    readonly earlier: boolean;
    readonly question: QuestionView;
    /** Waiting longer costs more than starting again: leave a resume brief and end the turn. */
    readonly parking_due?: true;
    /** What would let a human answer faster. The question is asked, and holds, all the same. */
    readonly missing?: readonly Missing[];
  };
  await_answer: Outcome & {
    /** The one to act on first. */
    readonly question?: QuestionView;
    readonly questions: readonly QuestionView[];
    /** Waiting longer costs more than starting again: leave a resume brief and end the turn. */
    readonly parking_due?: true;
    readonly rfcs?: readonly RfcSummary[];
  };
  reply_question: Outcome & { readonly question: QuestionView };
  park_question: Outcome & { readonly question: QuestionView };
  withdraw_question: Outcome & { readonly question: QuestionView };
  list_questions: { readonly question: QuestionView } | QuestionList;
  register_work: Registered;
  update_work: Bindings & { readonly work: WorkView };
  list_work: { readonly work: WorkView } | { readonly work: readonly WorkView[]; readonly total: number };
  check_gate: Bindings & {
    readonly result: 'proceed' | 'denied';
    readonly verdict: 'allow' | 'deny';
    readonly state: 'CLEAR' | 'BLOCKED' | 'UNKNOWN';
    readonly reasons: readonly GateReasonData[];
    readonly problem: string | null;
    readonly shared: SharedData;
    /** A hundred of them at most. */
    readonly free: readonly NamedWork[];
    readonly free_count: number;
    readonly requests_waiting: number;
  };
  propose_rfc: WrittenRfc;
  update_rfc: WrittenRfc;
  get_rfc: { readonly rfc: RfcView; readonly revision?: DocumentView & { readonly number: number } };
  list_rfcs: {
    readonly rfcs: readonly RfcSummary[];
    readonly total: number;
    readonly waiting_count: number;
  };
  post_event: { readonly already: boolean; readonly event: EventView };
  close_event: { readonly outcome: 'proposed' | 'active' | 'resolved' | 'superseded'; readonly event: EventView };
  search_events:
    | { readonly event: EventView }
    | { readonly events: readonly FoundEvent[]; readonly total: number; readonly unranked: number };
  get_briefing: { readonly briefing: Briefing; readonly requests_waiting: number };
  register_responsibility: RegisteredResponsibility;
  create_request: { readonly already: boolean; readonly request: RequestDetails };
  list_requests:
    | { readonly request: RequestDetails }
    | {
        readonly requests: readonly RequestView[];
        readonly total: number;
        readonly responsibilities?: readonly ResponsibilityView[];
        readonly queues?: readonly Queue[];
      };
  respond_to_request: { readonly request: RequestDetails };
  await_request: Outcome & { readonly requests: readonly RequestDetails[] };
}

/** MCP's data also has the status; the HTTP API's has both. */
interface InResult {
  readonly status?: 'ok' | 'error' | 'denied';
  readonly text?: string;
}

/** Any result may also carry outcomes that have not reached the agent yet. */
export interface AlsoDelivered extends InResult {
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
}

export interface ErrorOutput extends InResult {
  /** `denied`: by a hold, a refusal or an UNKNOWN store. `error`: nothing was done. */
  readonly result: 'error' | 'denied';
  readonly error: { readonly code: string; readonly message: string };
}

export type OperationName = keyof ToolOutputs;

/** `holdpoint/list_questions/1`: the number changes when a field is removed or changes its meaning. */
export function schemaOf(output: string): string {
  return `holdpoint/${output}/1`;
}
