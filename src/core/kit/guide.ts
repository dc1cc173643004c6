/** What a message tells its reader to do next: tools advise tools, verbs of the command line advise verbs. */
export interface Guide {
  /** How a sentence about a step begins: `Call holdpoint_await_answer`, `Run holdpoint question await`. */
  readonly call: 'Call' | 'Run';
  name(step: Step, input?: StepInput): string;
}

export type Step =
  | 'raise_question'
  | 'await_answer'
  | 'reply_question'
  | 'park_question'
  | 'withdraw_question'
  | 'list_questions'
  | 'register_work'
  | 'check_gate'
  | 'update_rfc'
  | 'get_rfc'
  | 'list_rfcs'
  | 'search_events'
  | 'close_event'
  | 'register_responsibility'
  | 'create_request'
  | 'list_requests'
  | 'respond_to_request'
  | 'await_request';

export type StepInput = Readonly<Record<string, string | boolean>>;

/** The tool for a step, and its input. One that is not here has the step's name. */
const tools: Readonly<
  Partial<Record<Step, (input?: StepInput) => readonly [tool: string, input: StepInput | undefined]>>
> = {
  list_questions: (input) => ['list_items', input ?? { what: 'questions' }],
  register_work: (input) => ['record_work', input],
  update_rfc: (input) => ['propose_rfc', input],
  get_rfc: (input) => ['list_items', input],
  list_rfcs: (input) => ['list_items', input ?? { what: 'rfcs' }],
  search_events: (input) => (input?.['id'] === undefined ? ['get_briefing', input] : ['list_items', input]),
  close_event: ({ id, ...more } = {}) => ['post_note', id === undefined ? more : { close: id, ...more }],
  list_requests: (input) => ['list_items', input ?? { what: 'requests' }],
  await_request: (input) => ['await_answer', input],
};

/** For agents that call tools: `holdpoint_await_answer {"id":"Q-1"}`. */
export const toolGuide: Guide = {
  call: 'Call',
  name(step, given) {
    const [tool, input] = tools[step]?.(given) ?? [step, given];
    return `holdpoint_${tool}${input === undefined ? '' : ` ${JSON.stringify(input)}`}`;
  },
};
