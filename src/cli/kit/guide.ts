/** Maps the steps that messages name to verbs. */
import type { Guide, Step, StepInput } from '../../core/kit/guide.ts';

const words: Readonly<Record<Step, (input: StepInput) => string>> = {
  raise_question: () => 'question create',
  await_answer: ({ id }) => `${String(id ?? '').startsWith('RFC-') ? 'rfc' : 'question'} await`,
  reply_question: () => 'question reply',
  withdraw_question: () => 'question withdraw',
  park_question: () => 'question park',
  list_questions: ({ id }) => (id === undefined ? 'question list' : 'question show'),
  register_work: () => 'work register',
  check_gate: () => 'work list',
  update_rfc: () => 'rfc update',
  get_rfc: () => 'rfc show',
  list_rfcs: () => 'rfc list',
  search_events: () => 'search',
  close_event: () => 'resolve',
  register_responsibility: () => 'responsibility register',
  create_request: () => 'request create',
  list_requests: ({ id }) => (id === undefined ? 'request list' : 'request show'),
  respond_to_request: () => 'request respond',
  await_request: () => 'request await',
};

/** Inputs that verbs take as arguments; all others are options with the same name. */
const argument = 'id';

/** `holdpoint rfc update RFC-3 --submit` */
export const verbGuide: Guide = {
  call: 'Run',
  name(step, input = {}) {
    const asOption = step === 'search_events' || step === 'register_work';
    const parts = Object.entries(input).map(([name, value]) => {
      if (name === argument && !asOption) return String(value);
      const option = `--${name.replaceAll('_', '-')}`;
      return value === true ? option : `${option} ${String(value)}`;
    });
    return ['holdpoint', words[step](input), ...parts].join(' ');
  },
};
