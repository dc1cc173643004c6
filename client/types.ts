/** Generated from schemas/openapi.json by `npm run generate`. */
/* eslint-disable max-lines -- generated */

export type Event =
  | { readonly schema: 'holdpoint/watch/1'; readonly type: 'watching'; readonly position: string }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_proposed';
      readonly agent_id: string;
      readonly created_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_revised';
      readonly revised_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_submitted';
      readonly submitted_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_approved';
      readonly conditions: readonly string[];
      readonly constraints: readonly string[];
      /** Numbers of open questions that need no answer. */
      readonly waived: readonly number[];
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_changes_requested';
      readonly reason: string;
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_rejected';
      readonly reason: string;
      readonly then: 'stop' | 'another_way';
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_withdrawn';
      readonly reason: string;
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly rfc_id: string;
      readonly title: string;
      /** The revision it is about. */
      readonly revision: number;
      readonly type: 'rfc_implemented';
      readonly implemented_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_created';
      readonly agent_id: string;
      readonly blocker_type: 'SYNC' | 'ASYNC';
      readonly question: string;
      /** How the policy notifies a human of it. */
      readonly interruption: 'now' | 'digest' | 'silent';
      readonly created_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_resolved';
      readonly answer: string;
      /** What the answer means for what was asked: `do_not` and `stop` refuse it. */
      readonly effect: 'proceed' | 'do_not' | 'stop';
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'refusal_lifted';
      readonly reason: string;
      readonly lifted_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_cancelled';
      readonly reason: string;
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_released';
      readonly note: string;
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_withdrawn';
      readonly reason: string;
      readonly withdrawn_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_asked_back';
      readonly agent_id: string;
      readonly question: string;
      readonly asked_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_replied';
      readonly agent_id: string;
      readonly reply: string;
      readonly replied_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_parked';
      readonly agent_id: string;
      readonly parked_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'blocker_expired';
      readonly expired_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly type: 'agent_resumed';
      readonly agent_id: string;
      readonly resumed_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'approval_recorded';
      /** Of the question, RFC or other subject. */
      readonly item_id: null | string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'record_refused';
      readonly item_id: string;
      /** Whether it claims a human's decision. */
      readonly forged: boolean;
      readonly why: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'human' | 'agent' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'record';
      readonly item_id: null | string;
      readonly record: Readonly<Record<string, unknown>>;
    };

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What was wrong, in a few words. */
  readonly error: string;
  /** For programs. */
  readonly code: string;
  /** What was wrong and what to do. */
  readonly detail: string;
  readonly blocker_id?: string;
  readonly resolved_at?: string | null;
  readonly url?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

export interface Whoami {
  readonly agent_id: string;
  readonly project_id: string | null;
}

export interface BlockerList {
  readonly blockers: readonly Blocker[];
  /** Of the whole selection, as the other counts. */
  readonly total: number;
  readonly pending_count: number;
  readonly sync_count: number;
  /** `before` of the next page; null on the last one. */
  readonly next_before: string | null;
}

export interface Blocker {
  readonly id: string;
  readonly project_id: string | null;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly task_id: string | null;
  readonly task_title: string | null;
  /** SYNC: the work stops. ASYNC: the agent continues. */
  readonly blocker_type: 'SYNC' | 'ASYNC';
  readonly question: string;
  /** The choices and the text of the answer. */
  readonly answer: string | null;
  /** RESOLVED: a human decided, or the agent withdrew it; `resolution` says which. */
  readonly status: 'PENDING' | 'RESOLVED' | 'EXPIRED';
  readonly created_at: string;
  readonly resolved_at: string | null;
  readonly expires_at: string | null;
  readonly time_waiting_ms: number;
  readonly type: 'clarification' | 'decision' | 'approval';
  readonly urgency: 'low' | 'medium' | 'high' | 'critical';
  readonly resolution: 'answered' | 'cancelled' | 'released' | 'withdrawn' | null;
  /** What the answer means for the work. Only `proceed` allows it. */
  readonly effect: 'proceed' | 'do_not' | 'stop' | null;
  /** Of an approval: whether it was given. */
  readonly approved: boolean | null;
  /** The human's reason or note. */
  readonly note: string | null;
  readonly answered_by: string | null;
  readonly signed_with: string | null;
  /** Ids of the other questions that the same act answered. */
  readonly answered_with: readonly string[];
  /** Whether it stops work now. An expired SYNC blocker still does. */
  readonly holding: boolean;
  /** Ids of the work that it stops. */
  readonly blocks: readonly string[];
  /** Files that it holds. */
  readonly holds: readonly string[];
  /** `agent`: a human asked the agent something, and waits for its reply. */
  readonly waiting_for: 'human' | 'agent' | null;
  /** What a human asked the agent, until the agent replies. */
  readonly asked_back: string | null;
  /** The resume brief of an agent that stopped waiting. */
  readonly parked: {
    readonly by: string;
    readonly at: string;
    readonly doing: string;
    readonly next: string;
    readonly files: readonly string[];
    readonly check_first: string | null;
  } | null;
  readonly choices: readonly {
    readonly label: string;
    readonly description?: string;
    readonly recommended: boolean;
    readonly effect?: 'proceed' | 'do_not' | 'stop';
  }[];
  readonly multiple: boolean;
  readonly free_text: boolean;
  readonly background: string | null;
  readonly context: string | null;
  readonly impact: string | null;
  readonly if_delayed: string | null;
  readonly assumption: string | null;
  readonly for: string | null;
  /** What the agent has considered or tried. */
  readonly alternatives: readonly string[];
  /** Files to look at. */
  readonly files: readonly { readonly path: string; readonly line?: number }[];
  /** Structured content, or null. */
  readonly payload_json: Readonly<Record<string, unknown>> | null;
  /** Where a human answers. */
  readonly url: string;
}

export interface BlockerCreate {
  /** Must be the token's agent. */
  readonly agent_id?: string;
  /** The work item that it stops. Without one it stops the whole agent. */
  readonly task_id?: string | null;
  /** SYNC: the work stops. ASYNC: the agent continues. */
  readonly blocker_type?: 'SYNC' | 'ASYNC';
  /** In Markdown; the first line must be understandable by itself. */
  readonly question: string;
  /** clarification: which way? decision: should I? approval: yes or no, always sync. */
  readonly type?: 'clarification' | 'decision' | 'approval';
  /** low: can wait for days; medium: hours; high: blocks work now; critical: stops the whole workflow. */
  readonly urgency?: 'low' | 'medium' | 'high' | 'critical';
  /** More work items it stops. */
  readonly also_work_ids?: readonly string[];
  /** A workflow it stops, instead of a work item or in addition to it. */
  readonly workflow_id?: string;
  /** Answers to pick from, if any. Not for approvals. */
  readonly choices?: readonly {
    /** What the human picks. */
    readonly label: string;
    /** What picking it means. */
    readonly description?: string;
    /** True for the choice you recommend. */
    readonly recommended?: boolean;
    /** What picking it means for your work: proceed, do_not (not this; the rest may continue another way) or stop (the work stops). The human can change it. */
    readonly effect?: 'proceed' | 'do_not' | 'stop';
  }[];
  /** True if several choices may be picked. */
  readonly multiple?: boolean;
  /** False if the human must pick one of the choices. */
  readonly free_text?: boolean;
  /** Why you ask: what you found, in Markdown. */
  readonly background?: string;
  /** The code or text the question is about. */
  readonly context?: string;
  /** The impact, for example "Delays API tokens by 2 days". */
  readonly impact?: string;
  /** What happens if the answer comes late. */
  readonly if_delayed?: string;
  readonly alternatives?: readonly string[];
  /** Files to look at, as context. They are not held. */
  readonly files?: readonly {
    /** Workspace-relative or absolute path. */
    readonly path: string;
    readonly line?: number;
  }[];
  /** Files that no agent may edit until the question or RFC is decided: workspace-relative paths or globs with * ** ?. A folder includes everything in it. ** and the root are not accepted: only a human can hold every file. */
  readonly holds?: readonly string[];
  /** A person or responsibility that should answer, for example "ada" or "security". Everybody can answer. */
  readonly for?: string;
  /** async: what you assume until the answer comes. */
  readonly assumption?: string;
  /** Free JSON object that an integration keeps with the question; the human sees it. */
  readonly payload_json?: object;
  /** Only if this was answered before: why that answer no longer applies. */
  readonly reopen_reason?: string;
}

export interface Outcome {
  /** Only `proceed` allows the work. */
  readonly result: 'proceed' | 'refused' | 'denied' | 'expired' | 'withdrawn' | 'waiting' | 'error';
  readonly outcome: string;
  readonly effect: 'proceed' | 'do_not' | 'stop' | null;
  readonly approved: boolean | null;
  /** What holds the work all the same, with `still_held`. */
  readonly held_by?: readonly string[];
  /** Waiting longer costs too much: park it. */
  readonly parking_due?: true;
  readonly blocker: Blocker;
}

export interface Park {
  /** What you were doing, for a reader who knows nothing of this session. */
  readonly doing: string;
  /** What to do next, for each likely answer. */
  readonly next: string;
  /** The files that matter: workspace-relative or absolute paths. */
  readonly files?: readonly string[];
  /** What may have changed by then and should be checked before continuing. */
  readonly check_first?: string;
  /** The id of your session in your host, if you know it: a human can then resume it. */
  readonly session_id?: string;
}

export interface Resolved {
  readonly blocker_id: string;
  /** PENDING: it needs the signatures of more people. */
  readonly status: 'RESOLVED' | 'PENDING';
  readonly resolved_at: string | null;
}

export interface Gate {
  readonly result: 'proceed' | 'denied';
  readonly verdict: 'allow' | 'deny';
  readonly state: 'CLEAR' | 'BLOCKED' | 'UNKNOWN';
  readonly reasons: readonly { readonly code: string; readonly subject: string; readonly [member: string]: unknown }[];
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  readonly problem: string | null;
  /** Work that can be taken, a hundred items at most. */
  readonly free: readonly { readonly id: string; readonly title: string }[];
  readonly free_count: number;
  /** What to do. */
  readonly detail: string;
}

export interface GateCheck {
  readonly task_id?: string;
  /** Workspace-relative or absolute paths you want to edit. */
  readonly files?: readonly string[];
}

export interface WorkList {
  readonly work: readonly Work[];
  readonly total: number;
}

export interface Work {
  readonly id: string;
  readonly kind: 'task' | 'workflow';
  readonly title: string;
  /** `blocked_…` while it is held. */
  readonly status:
    | 'todo'
    | 'in_progress'
    | 'done'
    | 'failed'
    | 'cancelled'
    | 'deleted'
    | 'blocked_pending_human_input'
    | 'blocked_pending_approval';
  readonly base_status: 'todo' | 'in_progress' | 'done' | 'failed' | 'cancelled' | 'deleted';
  readonly step: string | null;
  readonly workflow: string | null;
  readonly depends_on: readonly string[];
  readonly holds: readonly string[];
  readonly assigned_agent: string | null;
  readonly blocks: readonly { readonly id: string; readonly text: string; readonly via: string }[];
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface WorkRegister {
  /** Your own short id for it, for example "t-1" or "auth/tokens". */
  readonly id: string;
  /** task (default) or workflow. A hold on a workflow holds all its tasks. */
  readonly kind?: 'task' | 'workflow';
  /** Short name for people. */
  readonly title: string;
  /** todo (default), or in_progress if you start it now. */
  readonly status?: 'todo' | 'in_progress';
  /** The workflow it belongs to. */
  readonly workflow?: string;
  /** Work items that must be finished first. */
  readonly depends_on?: readonly string[];
  /** Files that belong to this work: they are held while it is held. Paths or globs with * ** ?. */
  readonly holds?: readonly string[];
  readonly assigned_agent?: string;
}

export interface WorkUpdate {
  /** in_progress: you start it. done: finished. todo: parked. failed, cancelled: abandoned. deleted: gone from lists, with everything in it; only while nothing is held and nothing else needs it. */
  readonly status?: 'todo' | 'in_progress' | 'done' | 'failed' | 'cancelled' | 'deleted';
  /** The step you are on. */
  readonly step?: string;
  /** Short name for people. */
  readonly title?: string;
  /** Id of a registered work item, for example "t-1". */
  readonly workflow?: string;
  readonly assigned_agent?: string;
  /** More work items that must be finished first. */
  readonly add_depends_on?: readonly string[];
  /** Work items it does not need any more. */
  readonly remove_depends_on?: readonly string[];
  /** More files that belong to it. */
  readonly add_holds?: readonly string[];
  /** Files that do not belong to it. */
  readonly remove_holds?: readonly string[];
}

export interface Operations {
  /** The agent that the token acts as. */
  whoami: { readonly input: object; readonly answer: Whoami };
  /** Blockers, newest first, in pages. */
  listBlockers: {
    readonly input: {
      readonly project_id?: string;
      readonly status?: 'PENDING' | 'RESOLVED' | 'EXPIRED';
      readonly agent_id?: string;
      readonly task_id?: string;
      readonly blocker_type?: 'SYNC' | 'ASYNC';
      readonly type?: 'clarification' | 'decision' | 'approval';
      readonly limit?: number;
      readonly before?: string;
    };
    readonly answer: BlockerList;
  };
  /** Ask a human; SYNC stops the work. */
  createBlocker: { readonly input: BlockerCreate; readonly answer: Blocker };
  /** One blocker. */
  getBlocker: { readonly input: { readonly id: string }; readonly answer: Blocker };
  /** Wait for a human, up to 50 seconds. */
  awaitBlocker: {
    readonly input: { readonly id: string } & { readonly wait_seconds?: number };
    readonly answer: Outcome;
  };
  /** Take back an ASYNC blocker of your own. */
  withdrawBlocker: { readonly input: { readonly id: string } & { readonly reason: string }; readonly answer: Blocker };
  /** Reply to what a human asked about a question; releases nothing. */
  replyToHuman: { readonly input: { readonly id: string } & { readonly text: string }; readonly answer: Blocker };
  /** Leave a resume brief and stop waiting; everything stays held. */
  parkBlocker: { readonly input: { readonly id: string } & Park; readonly answer: Blocker };
  /** Record a decision that a human has signed; without a signature, nothing is resolved. */
  resolveBlocker: {
    readonly input: { readonly id: string } & (
      | {
          readonly record: {
            readonly kind: string;
            readonly envelope: Readonly<Record<string, unknown>>;
            readonly [member: string]: unknown;
          };
        }
      | { readonly answer: string }
    );
    readonly answer: Resolved;
  };
  /** Whether work or files may be changed: 200 allows, anything else does not. */
  checkGate: { readonly input: GateCheck; readonly answer: Gate };
  /** All work items. */
  listWork: { readonly input: object; readonly answer: WorkList };
  /** Register a work item, or add to it. */
  registerWork: { readonly input: WorkRegister; readonly answer: Work };
  /** One work item. */
  getWork: { readonly input: { readonly id: string }; readonly answer: Work };
  /** Start, finish or change a work item. */
  updateWork: { readonly input: { readonly id: string } & WorkUpdate; readonly answer: Work };
}

export const operations = {
  whoami: { method: 'GET', path: '/api/whoami' },
  listBlockers: { method: 'GET', path: '/api/blockers' },
  createBlocker: { method: 'POST', path: '/api/blockers' },
  getBlocker: { method: 'GET', path: '/api/blockers/{id}' },
  awaitBlocker: { method: 'POST', path: '/api/blockers/{id}/await' },
  withdrawBlocker: { method: 'POST', path: '/api/blockers/{id}/withdraw' },
  replyToHuman: { method: 'POST', path: '/api/blockers/{id}/reply' },
  parkBlocker: { method: 'POST', path: '/api/blockers/{id}/park' },
  resolveBlocker: { method: 'POST', path: '/api/blockers/{id}/resolve' },
  checkGate: { method: 'POST', path: '/api/gate' },
  listWork: { method: 'GET', path: '/api/work' },
  registerWork: { method: 'POST', path: '/api/work' },
  getWork: { method: 'GET', path: '/api/work/{id}' },
  updateWork: { method: 'PATCH', path: '/api/work/{id}' },
} as const;
