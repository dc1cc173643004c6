/** Which verbs of the command line are which tools, and which of their options are which inputs. */
interface Verb {
  readonly verb: string;
  /** Input of the tool to options or arguments, as the help writes them. */
  readonly inputs: Readonly<Record<string, readonly string[]>>;
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
        choices: ['--choice', '--recommended'],
        multiple: ['--multiple'],
        free_text: ['--no-free-text'],
        background: ['--background'],
        context: ['--context'],
        impact: ['--impact'],
        if_delayed: ['--delay'],
        alternatives: ['--alternative'],
        files: ['--file'],
        holds: ['--holds'],
        assumption: ['--assumption'],
        reopen_reason: ['--reopen-reason'],
        wait_seconds: ['--wait'],
      },
    },
  ],
  holdpoint_await_answer: [{ verb: 'question await', inputs: { id: ['[id]'], wait_seconds: ['--wait'] } }],
  holdpoint_list_questions: [
    {
      verb: 'question list',
      inputs: {
        status: ['--status'],
        agent: ['--agent'],
        work_id: ['--work'],
        type: ['--type'],
        urgent: ['--urgent'],
      },
    },
    { verb: 'question show', inputs: { id: ['<id>'] } },
  ],
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
  holdpoint_check_gate: [{ verb: 'gate', inputs: { work_id: ['--work'], files: ['--file'] } }],
};

/** Verbs that are no agent's tool: lists and dashboards, the form, the server. */
export const otherVerbs: readonly string[] = ['work show', 'work list', 'relationship connected', 'open', 'mcp'];
