/** A question as the API shows it. */
import type { QuestionView } from '../../app/question/views.ts';
import { answerLine } from '../../core/kit/answerLine.ts';
import { questionNotes } from '../../core/kit/questionNotes.ts';
import type { ViewNotes } from '../../core/kit/questionNotes.ts';
import type { Blocker } from './schemas.ts';

export interface ShownIn {
  readonly origin: string;
  readonly project: string | null;
}

export function blockerOf(view: QuestionView, { origin, project }: ShownIn): Blocker {
  const { agent_id, agent_name, type, urgency, resolution, effect, approved, note, answered_by, signed_with } = view;
  const answered_with = [...view.answered_with];
  const { holding, waiting_for, multiple, free_text, expires_at, time_waiting_ms } = view;
  return {
    ...{ id: view.id, project_id: project, agent_id, agent_name },
    ...{ task_id: view.work?.id ?? null, task_title: view.work?.title ?? null },
    ...{ blocker_type: view.mode === 'sync' ? 'SYNC' : 'ASYNC', question: view.text },
    ...{ answer: view.answer && answerLine(view.answer), status: statusOf(view) },
    ...{ created_at: view.raised_at, resolved_at: view.answered_at, expires_at, time_waiting_ms },
    ...{ type, urgency, resolution, effect, approved, note, answered_by, signed_with, answered_with },
    ...{ holding, blocks: [...view.blocks, ...view.cascade].map(({ id }) => id), holds: [...view.holds] },
    ...{ waiting_for, asked_back: view.ask_backs.find(({ reply }) => reply === null)?.text ?? null },
    parked: view.parked && { ...view.parked, files: [...view.parked.files] },
    ...{ choices: view.choices.map((choice) => ({ ...choice })), multiple, free_text },
    ...(Object.fromEntries(questionNotes.map(({ view: name }) => [name, view[name]])) as ViewNotes),
    ...{ alternatives: [...view.alternatives], files: view.files.map((file) => ({ ...file })) },
    payload_json: view.payload_json,
    url: `${origin}/open/${view.id}`,
  };
}

/** A human can release what has expired; then it is resolved. */
export function statusOf({
  status,
  resolution,
}: {
  readonly status: QuestionView['status'];
  readonly resolution: unknown;
}): Blocker['status'] {
  if (resolution !== null) return 'RESOLVED';
  return status === 'expired' ? 'EXPIRED' : 'PENDING';
}
