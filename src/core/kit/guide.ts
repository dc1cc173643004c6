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

/** For agents that call tools: `holdpoint_await_answer {"id":"Q-1"}`. */
export const toolGuide: Guide = {
  call: 'Call',
  name: (step, input) => `holdpoint_${step}${input === undefined ? '' : ` ${JSON.stringify(input)}`}`,
};
