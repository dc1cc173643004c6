/** Rules of a single question. */
import { namedScopes } from '../hold/holds.ts';
import { isUnruled, shownRules } from '../state/quorum.ts';
import type { QuestionRaised } from '../records/plain.ts';
import { shownChanges, shownWidening } from '../state/heldChanges.ts';
import {
  lifeHoursOf,
  raisedOf,
  type CurrentState,
  type Question,
  type State,
  undecidedQuestions,
  type OpenQuestion,
} from '../state/state.ts';
import { isOfSamePerson } from '../kit/persons.ts';
import { sameTextKey } from '../kit/text.ts';
import type { Urgency } from '../kit/words.ts';
import { shownAskBacks } from '../records/question.ts';
import type { Payload } from '../kit/fields.ts';

/**
 * The content that a human is shown and signs. A change of it changes the hash, so a decision on the earlier one is
 * refused. Derived facts that change by themselves (waiting time, cascade) are excluded.
 */
export function shownQuestion(state: CurrentState, question: Question): object {
  return {
    ...raisedOf(state, question),
    asker: question.asker.id,
    raisedAt: question.raisedAt,
    mode: question.mode,
    urgency: question.urgency,
    status: question.status,
    scopes: namedScopes(state, question),
    ...shownWidening(question),
    ...shownAskBacks(question),
    ...shownRules(state, question),
    ...shownChanges(state, question.id),
  };
}

/** Key of an open question: same asker, same work item or none, normalised text. */
export function questionKey(agent: string, work: string | null, text: string): string {
  return JSON.stringify([agent, work ?? '', sameTextKey(text)]);
}

/** Whether an answer may be reused: never that of an approval, nor a critical, revoked or lifted one. */
export function isReusable(question: Question): boolean {
  return (
    question.resolution?.how === 'answered' &&
    question.revoked === null &&
    question.lifted === null &&
    question.facts.type !== 'approval' &&
    question.urgency !== 'critical'
  );
}

/**
 * An earlier question with the same work item and text, from any agent of the same person, whose answer can be reused. The
 * latest one decides: if it is open, released or revoked, a human is asked again. Questions without a work item are never reused:
 * "Shall I go on?" means something else each time.
 */
export function answeredBefore(state: State, agent: string, asked: Asked): Question | null {
  if (asked.work === null || asked.type === 'approval' || asked.urgency === 'critical') return null;
  const text = sameTextKey(asked.text);
  const isSame = (one: Question) => one.work === asked.work && sameTextKey(raisedOf(state, one).text) === text;
  const question = [...state.questions.values()].findLast(isSame);
  if (!question || !isOfSamePerson(question.asker.id, agent)) return null;
  return isReusable(question) && !isRuledNow(state, question, asked) ? question : null;
}

interface Asked extends Pick<QuestionRaised, 'work' | 'text' | 'type' | 'urgency'> {
  readonly holds?: readonly string[] | undefined;
}

/**
 * Whether a rule on people or passkeys covers the question as it was answered, or as it is asked now: then people decide
 * each time.
 */
function isRuledNow(state: State, question: Question, { type, urgency, holds = [] }: Asked): boolean {
  const { facts, addedHolds } = question;
  const now = { ...question, urgency, facts: { ...facts, type }, addedHolds: [...addedHolds, ...holds] };
  return !isUnruled(state, question) || !isUnruled(state, now);
}

/** What a human is shown of an answer and signs when revoking it or lifting its refusal. */
export function shownAnswer(state: State, question: Question): object {
  const { resolution, lifted } = question;
  return { question: shownQuestion(state, question), resolution, ...(lifted === null ? {} : { lifted }) };
}

/** What a form shows of a question now: also its answer, once it has one. */
export function shownSubject(state: State, question: Question): object {
  return question.resolution?.how === 'answered' ? shownAnswer(state, question) : shownQuestion(state, question);
}

/** The next free id of a counted kind, for example `Q-13`. */
export function nextQuestionId(state: State): string {
  return `Q-${String(state.questions.size + 1)}`; // the fold admits only consecutive numbers
}

/** `expiresAt` of a question that no clock ends, such as an open question of an RFC. */
export const never = '9999-12-31T23:59:59.999Z';

/** When a question raised at `now` (ISO 8601) expires under the current policy. */
export function expiryOf(state: State, urgency: Urgency, now: string): string {
  // An urgency that there is not is refused with its record.
  const life: Partial<Record<Urgency, number>> = lifeHoursOf(state.policy);
  return new Date(Date.parse(now) + (life[urgency] ?? 0) * 60 * 60 * 1000).toISOString();
}

/**
 * What is due for a question at `now`: nothing, expiry, or escalation. Only sync questions escalate, once; then they
 * stay open until a human decides.
 */
export function dueChange(state: CurrentState, question: Question, now: string): 'expire' | 'escalate' | null {
  if (question.status !== 'pending' || question.expiresAt > now) return null;
  if (state.policy.onExpiry === 'expire' || question.mode === 'async') return 'expire';
  return question.urgency === 'critical' ? null : 'escalate';
}

export function dueQuestions(state: CurrentState, now: string): Question[] {
  return undecidedQuestions(state).filter((question) => dueChange(state, question, now) !== null);
}

/** What a human is shown of the policy and signs when changing it. */
export function shownPolicy(state: State): object {
  return { ...state.policy };
}

// What would let a human answer a question faster. Pure advice: it refuses, delays and holds nothing.

export type Missing = 'background' | 'choices' | 'recommendation' | 'assumption' | 'same_question';

/** A text of this length usually says why it is asked. */
const longText = 280;

export function missingIn(state: State, question: OpenQuestion): Missing[] {
  const { raised, mode } = question;
  const { text, type, choices, background, context, impact, files } = raised;
  const explained = [background, context, impact].some((note) => note !== undefined) || files.length > 0;
  return [
    ...(explained || text.length >= longText ? [] : ['background' as const]),
    ...(type !== 'approval' && choices.length === 0 && offersChoices(text) ? ['choices' as const] : []),
    ...(choices.length > 1 && !choices.some(({ recommended }) => recommended) ? ['recommendation' as const] : []),
    ...(mode === 'async' && raised.assumption === undefined ? ['assumption' as const] : []),
    ...(sameOpen(state, question) === null ? [] : ['same_question' as const]),
  ];
}

/** "A or B?", or a list of lettered or numbered items. */
function offersChoices(text: string): boolean {
  const items = text.match(/^\s*(?:[-*]|\(?[a-z\d][.)])\s+\S/gim) ?? [];
  return items.length > 1 || /\S\s+or\s+(?!not\b)[^.?!]*\?/i.test(text);
}

/** The oldest other pending question with the same text, from any agent, on any work; its id. */
export function sameOpen(state: State, { id, raised }: Pick<OpenQuestion, 'id' | 'raised'>): string | null {
  const key = sameTextKey(raised.text);
  const isSame = (other: OpenQuestion) =>
    other.id !== id && other.status === 'pending' && sameTextKey(other.raised.text) === key;
  return undecidedQuestions(state).find(isSame)?.id ?? null;
}

// Questions that a host asks its user by itself, noted as async ones, which hold nothing. Their payload says so: a mark
// for people that gives no right. What the host reports as the answer is not a decision: it only withdraws the note.

export interface AskedInHost {
  readonly host: string;
  /** The host's tool, or the MCP server that asks through the host. */
  readonly by: string;
  readonly session: string | null;
}

const name = 'asked_in_host';

export function hostPayload({ host, by, session }: AskedInHost): Payload {
  return { [name]: { host, by, session } };
}

export function askedInHost(payload: Payload | null): AskedInHost | null {
  const mark = payload?.[name];
  if (typeof mark !== 'object' || mark === null) return null;
  const { host, by, session = null } = mark as Partial<Record<keyof AskedInHost, unknown>>;
  if (typeof host !== 'string' || typeof by !== 'string' || host === '') return null;
  return { host, by, session: typeof session === 'string' ? session : null };
}

export interface EndedInHost extends Pick<AskedInHost, 'host' | 'session'> {
  readonly by?: string;
  /** The agent of the session, if only one is possible: it may ask again what an earlier session of it asked. */
  readonly agent: string | null;
}

/** Noted questions of a session that are still open, oldest first. */
export function openInHost(state: State, { host, by, session, agent }: EndedInHost): OpenQuestion[] {
  return undecidedQuestions(state).filter((question) => {
    const { status, mode, asker } = question;
    if (status !== 'pending' || mode !== 'async') return false;
    const { raised } = question;
    if (raised.payload === undefined) return false;
    const asked = askedInHost(JSON.parse(raised.payload) as Payload);
    if (asked?.host !== host || (by !== undefined && asked.by !== by)) return false;
    return asked.session === session || asker.id === agent;
  });
}
