/** Parking a question: the agent leaves a resume brief, for the session that continues once a human has decided. */
import { parkingProblem } from '../../core/question/parking.ts';
import { briefLength, lengthOf, type ResumeBrief } from '../../core/records/question.ts';
import type { Question } from '../../core/state/state.ts';
import { recordsOf } from '../../store/rows/read.ts';
import type { Store, View } from '../../store/store.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { registration, type AgentSession } from '../workspace/session.ts';

/**
 * Stores the brief with the question, which keeps all that it holds. A later brief replaces an earlier one.
 * @throws AppError `bad_input` for a brief that is too long; `not_found`; `conflict` once it is decided; `denied` to another agent
 */
export async function parkQuestion(
  store: Store,
  session: AgentSession,
  id: string,
  { hostSession, ...brief }: ResumeBrief & { readonly hostSession?: string | undefined },
): Promise<void> {
  const length = lengthOf(brief);
  if (length > briefLength)
    throw new AppError('bad_input', `the brief has ${String(length)} characters; the limit is ${String(briefLength)}`, {
      advice: () => 'Mention files instead of quoting them, and do not repeat the question.',
    });
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const problem = parkingProblem(state, id, session.actor);
      if (problem !== null) throw new AppError(reasonOf(state.questions.get(id)), problem);
      const own = hostSession === undefined ? {} : { session: hostSession };
      const parked = {
        kind: 'question.parked' as const,
        v: 1 as const,
        id,
        ...own,
        brief: { ...brief, files: [...brief.files] },
      };
      return { records: [...registration(state, session), parked], result: null };
    }),
  );
}

function reasonOf(question: Question | undefined): 'not_found' | 'conflict' | 'denied' {
  if (!question) return 'not_found';
  return question.resolution === null ? 'denied' : 'conflict';
}

/** The brief that was left with a question; null without one. */
export function parkedView({ rows }: View, id: string) {
  const parked = recordsOf(rows, id, 'question.parked').at(-1);
  if (!parked) return null;
  const { doing, next, files, checkFirst = null } = parked.record.brief;
  return { by: parked.actor, at: parked.time, doing, next, files, check_first: checkFirst };
}
