/** Maps tools to verbs of the command line, and inputs to options. */
interface Verb {
  readonly verb: string;
  /** Maps each input of the tool to options or arguments, as written in the help. */
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  /** Options for scripts without an equivalent input. */
  readonly besides?: readonly string[];
}

/** By the tool's name. */
export const verbsOf: Readonly<Record<string, readonly Verb[]>> = {
  holdpoint_raise_question: [
    {
      verb: 'question create',
      inputs: {
        text: ['--text'],
        type: ['--type'],
        urgency: ['--urgency'],
        mode: ['--mode'],
        work_id: ['--blocking-task-id', '--blocking-workflow-id'],
        also_work_ids: ['--blocking-workflow-id'],
        choices: ['--choice', '--choice-effect', '--recommended'],
        multiple: ['--multiple'],
        free_text: ['--no-free-text'],
        background: ['--background'],
        context: ['--context'],
        impact: ['--impact'],
        if_delayed: ['--delay'],
        payload_json: ['--payload-json'],
        alternatives: ['--alternative'],
        files: ['--file'],
        holds: ['--holds'],
        for: ['--for'],
        assumption: ['--assumption'],
        reopen_reason: ['--reopen-reason'],
        wait_seconds: ['--wait'],
      },
    },
  ],
  holdpoint_await_answer: [
    { verb: 'question await', inputs: { id: ['[id]'], wait_seconds: ['--wait'] } },
    { verb: 'rfc await', inputs: { id: ['[id]'], wait_seconds: ['--wait'] } },
  ],
  holdpoint_list_questions: [
    {
      verb: 'question list',
      inputs: {
        status: ['--status'],
        agent: ['--agent'],
        work_id: ['--work'],
        type: ['--type'],
        all: ['--all'],
        urgent: ['--urgent'],
      },
    },
    { verb: 'question show', inputs: { id: ['<id>'] } },
  ],
  holdpoint_reply_question: [{ verb: 'question reply', inputs: { id: ['<id>'], text: ['--text'] } }],
  holdpoint_withdraw_question: [{ verb: 'question withdraw', inputs: { id: ['<id>'], reason: ['--reason'] } }],
  holdpoint_register_work: [
    {
      verb: 'work register',
      inputs: {
        id: ['--id'],
        kind: ['--kind'],
        title: ['--title'],
        status: ['--status'],
        workflow: ['--workflow'],
        depends_on: ['--depends-on'],
        holds: ['--holds'],
        assigned_agent: ['--agent'],
      },
    },
  ],
  holdpoint_update_work: [
    {
      verb: 'work update',
      inputs: {
        id: ['<id>'],
        status: ['--status'],
        step: ['--step'],
        title: ['--title'],
        workflow: ['--workflow'],
        assigned_agent: ['--agent'],
        add_depends_on: ['--depends-on'],
        remove_depends_on: ['--remove-depends-on'],
        add_holds: ['--holds'],
        remove_holds: ['--remove-holds'],
      },
    },
  ],
  holdpoint_check_gate: [
    {
      verb: 'gate',
      inputs: { work_id: ['--work'], files: ['--file'] },
      besides: ['--commit', '--staged', '--message-file', '--attestations', '--keys', '--require'],
    },
  ],
  holdpoint_propose_rfc: [
    {
      verb: 'rfc create',
      inputs: {
        title: ['--title'],
        file: ['--file'],
        summary: ['--summary'],
        motivation: ['--motivation'],
        detailed_design: ['--design'],
        implementation_timeline: ['--timeline'],
        rollback_plan: ['--rollback'],
        other_sections: ['--other-section'],
        alternatives: ['--alternative'],
        unresolved_questions: ['--question'],
        context_ids: ['--context-id'],
        reasoning_ids: ['--reasoning-id'],
        for: ['--for'],
        submit: ['--submit'],
        affected_workflows: ['--blocking-workflow-id'],
        blocked_tasks: ['--blocking-task-id'],
        holds: ['--holds'],
      },
    },
  ],
  holdpoint_update_rfc: [
    {
      verb: 'rfc update',
      inputs: {
        id: ['<id>'],
        title: ['--title'],
        file: ['--file'],
        summary: ['--summary'],
        motivation: ['--motivation'],
        detailed_design: ['--design'],
        implementation_timeline: ['--timeline'],
        rollback_plan: ['--rollback'],
        other_sections: ['--other-section'],
        alternatives: ['--alternative'],
        unresolved_questions: ['--question'],
        context_ids: ['--context-id'],
        reasoning_ids: ['--reasoning-id'],
        submit: ['--submit'],
        section: ['--section'],
        note: ['--note'],
        replies: ['--reply'],
        add_workflows: ['--blocking-workflow-id'],
        add_tasks: ['--blocking-task-id'],
        add_holds: ['--holds'],
        hand_to: ['--hand-to'],
        implemented: ['--implemented'],
      },
    },
  ],
  holdpoint_get_rfc: [{ verb: 'rfc show', inputs: { id: ['<id>'], revision: ['--revision'] } }],
  holdpoint_list_rfcs: [
    {
      verb: 'rfc list',
      inputs: { status: ['--status'], agent: ['--agent'], work_id: ['--work'], waiting: ['--waiting'] },
    },
  ],
  holdpoint_post_event: [
    {
      verb: 'post',
      inputs: {
        type: ['--type'],
        title: ['--title'],
        text: ['--text'],
        priority: ['--priority'],
        scopes: ['--scope'],
        related: ['--related'],
      },
    },
  ],
  holdpoint_close_event: [
    { verb: 'resolve', inputs: { id: ['<id>'], reason: ['--reason'] } },
    { verb: 'supersede', inputs: { id: ['<id>'], superseded_by: ['--by'], reason: ['--reason'] } },
  ],
  holdpoint_search_events: [
    {
      verb: 'search',
      inputs: {
        words: ['[words]'],
        id: ['--id'],
        type: ['--type'],
        status: ['--status'],
        priority: ['--priority'],
        scope: ['--scope'],
        author: ['--author'],
        since: ['--since'],
        limit: ['--limit'],
      },
    },
  ],
  holdpoint_get_briefing: [{ verb: 'briefing', inputs: { focus: ['--focus'], max_tokens: ['--max-tokens'] } }],
  holdpoint_register_responsibility: [
    {
      verb: 'responsibility register',
      inputs: { id: ['--id'], kind: ['--kind'], name: ['--name'], agents: ['--agent'] },
    },
  ],
  holdpoint_create_request: [
    {
      verb: 'request create',
      inputs: {
        type: ['--type'],
        origin: ['--origin'],
        target: ['--target'],
        subject: ['--subject'],
        summary: ['--summary'],
        suggested_actions: ['--action'],
        links: ['--link'],
        tags: ['--tag'],
        bundle_ids: ['--bundle'],
        objectives: ['--objective'],
        suggested_responsibilities: ['--suggest'],
        ingest_request_id: ['--ingest'],
        body_md_path: ['--body'],
        origin_mandate_id: ['--mandate'],
        source_context: ['--source'],
        priority: ['--priority'],
        available_at: ['--available'],
        due_at: ['--due'],
        sla_response_seconds: ['--sla-response'],
        sla_completion_seconds: ['--sla-completion'],
        payload_json: ['--payload-json'],
        idempotency_key: ['--key'],
      },
    },
  ],
  holdpoint_list_requests: [
    {
      verb: 'request list',
      inputs: {
        box: ['--box'],
        responsibility: ['--responsibility'],
        status: ['--status'],
        type: ['--type'],
        limit: ['--limit'],
      },
    },
    { verb: 'request show', inputs: { id: ['<id>'] } },
  ],
  holdpoint_respond_to_request: [
    {
      verb: 'request respond',
      inputs: {
        id: ['<id>'],
        action: ['--action'],
        note: ['--note'],
        until: ['--until'],
        work: ['--work'],
        step: ['--step'],
        requests: ['--dispatched'],
      },
    },
  ],
  holdpoint_await_request: [{ verb: 'request await', inputs: { id: ['[id]'], wait_seconds: ['--wait'] } }],
};

/** Verbs that are not agent tools: lists and dashboards, the form, the server. */
export const otherVerbs: readonly string[] = [
  'rfc review',
  'work show',
  'work list',
  'responsibility list',
  'relationship connected',
  'dashboard',
  'mirror',
  'attestations write',
  'import',
  'inbox',
  'watch',
  'remind',
  'reminders',
  'export',
  'history',
  'audit',
  'check',
  'keys',
  'open',
  'mcp',
  'setup',
  'hook',
  'team init',
  'team roles',
  'team join',
  'team share',
  'team leave',
  'team status',
  'team members',
];
