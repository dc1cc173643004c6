/** Effects of question records by agents, timers and the system: all of them only add holds. */
import {
  type Change,
  Inadmissible,
  type Effects,
  type Folding,
  forgetUnchanged,
  requireNone,
} from '../state/change.ts';
import {
  isHolding,
  isOpenHold,
  isWaiting,
  isWhole,
  raisedOf,
  type OpenQuestion,
  type Question,
  type State,
  copiesOf,
  openAskBack,
  recipientOf,
  unchanged,
  type LinePlace,
} from '../state/state.ts';
import { isReusable, nextQuestionId, questionKey } from './question.ts';
import { type Actor, type PlainOf, type CountedLine, questionRaised, type QuestionRaised } from '../records/plain.ts';
import { isClosed, refusalOf } from '../state/answerEffect.ts';
import { isUnruled, workHolds } from '../state/quorum.ts';
import { askBacksAtMost } from '../records/question.ts';

// The records of a line that raise questions: where the texts of closed questions are.

function isRaising(raw: unknown, id: string | null): boolean {
  if (typeof raw !== 'object' || raw === null || !('kind' in raw) || raw.kind !== 'question.raised') return false;
  return id === null || ('id' in raw && raw.id === id);
}

export function raisesSome({ records }: CountedLine): boolean {
  return records.some((raw) => isRaising(raw, null));
}

/** Null where the question could not be read from the line again: an import brought it, or another record has its id. */
function placeIn({ records, at, end, hash }: CountedLine, id: string): LinePlace | null {
  return records.filter((raw) => isRaising(raw, id)).length === 1 ? { at, end, hash } : null;
}

/** @throws Error where none of them raises it */
export function raisedAmong(records: readonly unknown[], id: string): QuestionRaised {
  const found = questionRaised.schema.safeParse(records.find((raw) => isRaising(raw, id))).data;
  if (!found) throw new Error(`no record of its line raises ${id}`);
  return found;
}

type Unsigned =
  | 'question.raised'
  | 'question.widened'
  | 'question.escalated'
  | 'question.expired'
  | 'question.withdrawn'
  | 'outcome.offered'
  | 'outcome.acknowledged'
  | 'answer.reused'
  | 'precedent.used';

export const questionEffects: Effects<Unsigned> = {
  'question.raised': raise,
  'question.widened': (at, record) => {
    const question = requirePending(at.state, record.id);
    save(at, {
      ...question,
      mode: record.mode ?? question.mode,
      addedHolds: [...new Set([...question.addedHolds, ...record.addHolds])],
    });
  },
  'question.escalated': (at, { id }) => {
    save(at, { ...requirePending(at.state, id), urgency: 'critical' });
  },
  'question.expired': (at, { id }) => {
    save(at, { ...requirePending(at.state, id), status: 'expired' });
  },
  'question.withdrawn': withdraw,
  'outcome.offered': requireOutcome,
  'outcome.acknowledged': requireOutcome,
  'answer.reused': ({ state }, { id }) => {
    const question = requireQuestion(state, id);
    if (!isReusable(question) || !isUnruled(state, question))
      throw new Inadmissible(`the answer of ${id} cannot be reused`);
  },
  // The question is open again, and agents may have asked the same since.
  'precedent.used': ({ state, change }, { id }) => {
    const question = requireQuestion(state, id);
    if (isWhole(question)) freeKey(state, change, question);
  },
};

/** Only an item that holds nothing, and only by its author: it decides nothing and releases no work. */
function withdraw(at: Folding, { id, reason }: PlainOf<'question.withdrawn'>): void {
  const { state, line } = at;
  requireNone(withdrawalProblem(state, id, line.actor));
  const { id: by } = line.actor;
  const resolution = { how: 'withdrawn', answer: null, note: reason, by, keyid: '', at: line.time } as const;
  save(at, { ...requirePending(state, id), status: 'cancelled', resolution });
}

export function withdrawalProblem(state: State, id: string, actor: Pick<Actor, 'kind' | 'id'>): string | null {
  const question = state.questions.get(id);
  if (!question) return `there is no question ${id}`;
  if (question.status !== 'pending') return `${id} is ${question.status}`;
  if (question.mode === 'sync') return `${id} is sync: only a human ends it`;
  if (question.facts.rfc !== null) return `${id} is a question of ${question.facts.rfc} for a human`;
  return actor.kind === 'agent' && actor.id === question.asker.id
    ? null
    : `only ${question.asker.id} can withdraw ${id}`;
}

function raise(at: Folding, record: PlainOf<'question.raised'>): void {
  const { state, line } = at;
  const expected = nextQuestionId(state);
  if (record.id !== expected) throw new Inadmissible(`the next question is ${expected}, not ${record.id}`);
  for (const work of [record.work, ...(record.alsoWork ?? [])])
    if (work !== null && !state.work.has(work)) throw new Inadmissible(`work item ${work} is not registered`);
  if (record.reopens !== undefined && !state.questions.has(record.reopens))
    throw new Inadmissible(`there is no question ${record.reopens}`);
  if (record.type === 'approval' && record.mode !== 'sync')
    throw new Inadmissible('an approval question is always sync');
  const key = questionKey(line.actor.id, record.work, record.text);
  const same = state.pendingKeys.get(key);
  if (same !== undefined) throw new Inadmissible(`${same} asks the same and is still open`);
  save(at, {
    raised: record,
    line: placeIn(line, record.id),
    ...copiesOf(record),
    asker: line.actor,
    raisedAt: line.time,
    mode: record.mode,
    urgency: record.urgency,
    status: 'pending',
    ...unchanged,
  });
}

export function requireQuestion(state: State, id: string): Question {
  const question = state.questions.get(id);
  if (!question) throw new Inadmissible(`there is no question ${id}`);
  return question;
}

function requirePending(state: State, id: string): Question {
  const question = requireQuestion(state, id);
  if (question.status !== 'pending') throw new Inadmissible(`${id} is ${question.status}`);
  return question;
}

function requireOutcome({ state }: Folding, { id }: { readonly id: string }): void {
  if (requireQuestion(state, id).resolution === null) throw new Inadmissible(`${id} has no outcome yet`);
}

/** Writes a question and its indexes: the undecided, holders, refusals and pending keys. */
export function save({ state, change }: Pick<Folding, 'state' | 'change'>, given: Question): void {
  const holds = isHolding(given);
  // Widening to every file ends with the answer, even with a stop; but not with a no of too few people.
  const stays = isOpenHold(given) || (holds && given.resolution?.unmet === true);
  const narrowed = stays || given.widened === null ? given : { ...given, widened: null };
  const holding = withRefusedHolds(state, narrowed);
  const raised = isClosed(holding) && holding.line ? null : raisedOf(state, holding);
  const question = { ...holding, raised };
  change.set(state.questions, question.id, question);
  if (isWaiting(question)) change.add(state.undecided, question.id);
  else change.drop(state.undecided, question.id);
  if (holds) change.add(state.holders, question.id);
  else change.drop(state.holders, question.id);
  if (!holds) forgetUnchanged(state, change, question.id);
  if (refusalOf(question) === null) change.drop(state.refused, question.id);
  else change.add(state.refused, question.id);
  // A closed one has given its key up.
  if (!isWhole(given)) return;
  if (question.status === 'pending') change.set(state.pendingKeys, keyOf(given), question.id);
  else freeKey(state, change, given);
}

function keyOf({ asker, work, raised }: OpenQuestion): string {
  return questionKey(asker.id, work, raised.text);
}

/** Frees the key of an open question, unless its agent has asked the same again. */
function freeKey(state: State, change: Change, question: OpenQuestion): void {
  const key = keyOf(question);
  if (state.pendingKeys.get(key) === question.id) change.unset(state.pendingKeys, key);
}

/** A refusal by "do not" holds no work, so the work items may give up files while it stands. */
function withRefusedHolds(state: State, question: Question): Question {
  const isRefused = refusalOf(question) !== null;
  if (isRefused === state.refused.has(question.id)) return question;
  return { ...question, refusedHolds: isRefused ? workHolds(state, question) : [] };
}

// Effects of asking back and replying. Both only add to the question: it holds what it held, and waits on.

export const askBackEffects: Effects<'question.replied' | 'question.askBackOffered' | 'question.askBackAcknowledged'> =
  {
    'question.replied': reply,
    'question.askBackOffered': requireAskBack,
    'question.askBackAcknowledged': requireAskBack,
  };

export function askBackProblem(question: Question): string | null {
  const { id, status, askBacks } = question;
  if (status !== 'pending') return `${id} is ${status}`;
  if (openAskBack(question) !== null) return `the agent has not replied to the last question about ${id} yet`;
  return askBacks.length < askBacksAtMost ? null : `${id} was asked back ${String(askBacksAtMost)} times: answer it`;
}

/**
 * Why this actor cannot reply to an ask-back; null when it can. Only the agent that asked, or the one that receives the
 * outcome, and only once.
 */
export function replyProblem(state: State, id: string, actor: Pick<Actor, 'kind' | 'id'>): string | null {
  const question = state.questions.get(id);
  if (!question) return `there is no question ${id}`;
  if (question.status !== 'pending') return `${id} is ${question.status}`;
  if (openAskBack(question) === null) return `no human is waiting for a reply to ${id}`;
  return strangerProblem(state, question, actor, 'reply to');
}

/** Why this actor is neither the agent that asked nor the one that receives the outcome; null when it is. */
export function strangerProblem(
  state: State,
  question: Question,
  { kind, id }: Pick<Actor, 'kind' | 'id'>,
  what: string,
): string | null {
  const may = new Set([recipientOf(state, question), question.asker.id]);
  return kind === 'agent' && may.has(id) ? null : `only ${[...may].join(' or ')} can ${what} ${question.id}`;
}

function reply(at: Folding, { id, number, text }: PlainOf<'question.replied'>): void {
  const { state, line } = at;
  requireNone(replyProblem(state, id, line.actor));
  const question = requireQuestion(state, id);
  const { askBacks } = question;
  if (number !== askBacks.length) throw new Inadmissible(`the open one is number ${String(askBacks.length)}`);
  const replied = { text, by: line.actor.id, at: line.time };
  save(at, {
    ...question,
    askBacks: askBacks.map((one, at) => (at === number - 1 ? { ...one, reply: replied } : one)),
  });
}

function requireAskBack({ state }: Folding, { id, number }: { readonly id: string; readonly number: number }): void {
  if (number > requireQuestion(state, id).askBacks.length)
    throw new Inadmissible(`no human asked back ${String(number)} times about ${id}`);
}
