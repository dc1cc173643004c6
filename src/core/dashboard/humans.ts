/** How humans keep up: response times, questions per day, expired questions, rejected AI answers, reused answers. */
import type { State } from '../state/state.ts';
import { urgency as urgencies, type Urgency } from '../kit/words.ts';
import { msBetween, dayOf, lastDays, spans, type Calendar, type Spans } from './figures.ts';

export interface HumansDay {
  /** YYYY-MM-DD in the reader's calendar. */
  readonly day: string;
  /** Questions raised on that day. */
  readonly raised: Readonly<Record<Urgency, number>>;
  /** Questions decided by a human on that day. */
  readonly decided: number;
}

export interface Humans {
  readonly waiting: number;
  readonly answered: number;
  readonly cancelled: number;
  readonly released: number;
  /** By the agent that asked. */
  readonly withdrawn: number;
  /** Questions not decided in time, whether released since or not. */
  readonly expired: number;
  readonly time_to_answer: Spans;
  readonly time_to_answer_by_urgency: Readonly<Record<Urgency, Spans>>;
  /** Oldest first, today last. */
  readonly days: readonly HumansDay[];
  /** How often agents received an earlier answer again, and how many answers were excluded from reuse. */
  readonly reused: number;
  readonly revoked: number;
  /** Answers of the AI reviewer shown to humans, those rejected, and follow-up calls. */
  readonly ai_answers: number;
  readonly ai_overruled: number;
  readonly reviewer_loops: number;
}

/** Figures from the projection that the state does not contain. */
export interface HumansCounts {
  readonly reused: number;
  readonly ai_answers: number;
  readonly ai_overruled: number;
}

export function humansOf(state: State, counts: HumansCounts, now: string, calendar: Calendar): Humans {
  const questions = [...state.questions.values()];
  const how = (wanted: string) => questions.filter(({ resolution }) => resolution?.how === wanted);
  const answered = how('answered');
  const took = (of: Urgency | null) =>
    spans(
      answered
        .filter(({ urgency }) => of === null || urgency === of)
        .map(({ raisedAt, resolution }) => msBetween(raisedAt, resolution?.at ?? raisedAt)),
    );
  const days = new Map(lastDays(now, calendar).map((day) => [day, { day, raised: byUrgency(() => 0), decided: 0 }]));
  for (const question of questions) {
    const { raisedAt, urgency, resolution } = question;
    const raised = days.get(dayOf(raisedAt, calendar));
    if (raised) raised.raised[urgency] += 1;
    const isHumans = resolution !== null && resolution.how !== 'withdrawn';
    const decided = isHumans ? days.get(dayOf(resolution.at, calendar)) : undefined;
    if (decided) decided.decided += 1;
  }
  return {
    waiting: questions.filter(
      ({ status, mode, resolution }) => resolution === null && (status === 'pending' || mode === 'sync'),
    ).length,
    answered: answered.length,
    cancelled: how('cancelled').length,
    released: how('released').length,
    withdrawn: how('withdrawn').length,
    expired: questions.filter(({ status }) => status === 'expired').length,
    time_to_answer: took(null),
    time_to_answer_by_urgency: byUrgency(took),
    days: [...days.values()],
    reused: counts.reused,
    revoked: questions.filter(({ revoked }) => revoked !== null).length,
    ai_answers: counts.ai_answers,
    ai_overruled: counts.ai_overruled,
    reviewer_loops: [...state.rfcs.values()].reduce((sum, { review }) => sum + review.loops, 0),
  };
}

function byUrgency<T>(make: (urgency: Urgency) => T): Record<Urgency, T> {
  return Object.fromEntries(urgencies.options.map((one) => [one, make(one)])) as Record<Urgency, T>;
}
