/** What messages advise a program to do next. What the API does not have, MCP has. */
import { toolGuide } from '../../core/kit/guide.ts';
import type { Guide, Step, StepInput } from '../../core/kit/guide.ts';

const calls: Readonly<Partial<Record<Step, (input: StepInput) => string>>> = {
  raise_question: () => 'POST /api/blockers',
  await_answer: ({ id = '{id}' }) => `POST /api/blockers/${String(id)}/await`,
  reply_question: ({ id = '{id}' }) => `POST /api/blockers/${String(id)}/reply`,
  park_question: ({ id = '{id}' }) => `POST /api/blockers/${String(id)}/park`,
  withdraw_question: ({ id = '{id}' }) => `POST /api/blockers/${String(id)}/withdraw`,
  list_questions: ({ id }) => (id === undefined ? 'GET /api/blockers' : `GET /api/blockers/${String(id)}`),
  register_work: () => 'POST /api/work',
  check_gate: () => 'POST /api/gate',
};

export const apiGuide: Guide = {
  call: 'Call',
  name: (step, input) => calls[step]?.(input ?? {}) ?? toolGuide.name(step, input),
};
