/** A question's row: what was asked, and what has become of it. */
import { questionNotes, rowNotes } from '../../core/kit/questionNotes.ts';
import { urgencyRank } from '../../core/kit/words.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import type { Question } from '../../core/state/state.ts';
import type { Projecting } from './projection.ts';
import { insert, put, update } from './put.ts';
import type { Questions } from './tables.ts';

interface Named {
  readonly id: string;
}

const texts: readonly (keyof Questions)[] = [
  'question_text',
  'choices',
  'alternative_approaches_considered',
  'related_files',
  'payload_json',
  ...questionNotes.map(({ column }) => column),
];

export function projectRaised({ db, state }: Projecting, { id }: Named): void {
  const question = state.questions.get(id);
  if (!question) return;
  const { resolution } = question;
  const row = { ...asked(question), ...current(question), ...(resolution ? outcome(question) : {}) };
  insert(db, 'questions', row, texts);
  for (const work_id of question.alsoWork)
    put(db, 'question_work', ['question_id', 'work_id'], { question_id: question.id, work_id });
}

export function projectQuestion({ db, state }: Projecting, { id }: Named): void {
  const question = state.questions.get(id);
  if (question) update(db, 'questions', id, { ...current(question), ...outcome(question) });
}

/** What never changes. */
function asked(question: Question) {
  const { id, asker, raised, raisedAt } = question;
  return {
    id,
    number: Number(id.slice(2)),
    agent_id: asker.id,
    session: asker.session ?? null,
    worktree: asker.worktree ?? null,
    work_id: raised.work,
    question_text: raised.text,
    question_type: raised.type,
    raised_at: raisedAt,
    expires_at: raised.expiresAt,
    choices: JSON.stringify(raised.choices),
    multiple: raised.multiple ? 1 : 0,
    free_text: raised.freeText ? 1 : 0,
    ...rowNotes(raised),
    payload_json: raised.payload ?? null,
    alternative_approaches_considered: JSON.stringify(raised.alternatives),
    related_files: JSON.stringify(raised.files),
    rfc_id: raised.rfc?.id ?? null,
    reopens: raised.reopens ?? null,
    reopen_reason: raised.reopenReason ?? null,
  } satisfies Partial<Questions>;
}

function current({ urgency, mode, status, raised, addedHolds, resolution }: Question) {
  return {
    urgency,
    urgency_rank: urgencyRank(urgency),
    mode,
    status,
    holds: JSON.stringify([...raised.holds, ...addedHolds]),
    answer_choices: JSON.stringify(resolution?.answer?.choices ?? []),
  } satisfies Partial<Questions>;
}

/** All null until a question ends. */
function outcome(question: Question) {
  const { resolution, revoked, lifted } = question;
  return {
    resolution: resolution?.how ?? null,
    answer: resolution?.answer?.text ?? null,
    note: resolution?.note ?? null,
    answered_by: resolution?.by ?? null,
    answered_at: resolution?.at ?? null,
    revoked_at: revoked?.at ?? null,
    revoked_by: revoked?.by ?? null,
    revoked_reason: revoked?.reason ?? null,
    effect: effectOf(question),
    lifted_at: lifted?.at ?? null,
    lifted_by: lifted?.by ?? null,
    lifted_reason: lifted?.reason ?? null,
  } satisfies Partial<Questions>;
}
