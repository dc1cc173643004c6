/** Rows of what humans asked back about questions, and of its delivery to agents. */
import type { AskBack } from '../../core/records/askBack.ts';
import type { askBackRecords } from '../../core/records/askBack.ts';
import type { Projecting, Projections } from './projection.ts';
import { put } from './put.ts';

interface Delivery {
  readonly id: string;
  readonly number: number;
  readonly agent: string;
}

export const askBackProjections: Projections<(typeof askBackRecords)[number]['kind']> = {
  'question.askedBack': projectThread,
  'question.replied': projectThread,
  'question.askBackOffered': offer,
  'question.askBackAcknowledged': (at, record) => {
    offer(at, record);
    at.db.run(
      `UPDATE ask_back_deliveries SET acknowledged_at = coalesce(acknowledged_at, ?)
        WHERE question_id = ? AND number = ? AND agent_id = ?`,
      [at.effect.time, record.id, record.number, record.agent],
    );
  },
};

/** All of them: one line may hold several acts. */
function projectThread({ db, state }: Projecting, { id }: { readonly id: string }): void {
  for (const [index, one] of (state.questions.get(id)?.askBacks ?? []).entries())
    put(db, 'ask_backs', ['question_id', 'number'], rowOf(id, index + 1, one));
}

function rowOf(question_id: string, number: number, { text, by, at, reply }: AskBack) {
  return {
    ...{ question_id, number, text, asked_by: by, asked_at: at },
    ...{ reply: reply?.text ?? null, replied_by: reply?.by ?? null, replied_at: reply?.at ?? null },
  };
}

/** Keeps the time of the first offer, and the session of the last: only that one knows of it. */
function offer({ db, effect }: Projecting, { id, number, agent }: Delivery): void {
  db.run(
    `INSERT INTO ask_back_deliveries VALUES (?, ?, ?, ?, ?, NULL)
      ON CONFLICT (question_id, number, agent_id) DO UPDATE SET session = excluded.session
      WHERE acknowledged_at IS NULL`,
    [id, number, agent, effect.actor.session ?? '', effect.time],
  );
}
