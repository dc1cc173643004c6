/** Rows of resume briefs. */
import type { Projecting, Projections } from './projection.ts';
import { put } from './put.ts';

export const parkingProjections: Projections<'question.parked'> = {
  'question.parked': ({ db, effect }: Projecting, { id, brief: { doing, next, files, checkFirst = null } }) => {
    put(db, 'parked_briefs', ['question_id'], {
      ...{ question_id: id, agent_id: effect.actor.id, parked_at: effect.time },
      ...{ doing, next, files: JSON.stringify(files), check_first: checkFirst },
    });
  },
};
