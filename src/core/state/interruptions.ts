/** How questions, RFCs and requests interrupt a human, by the signed policy. */
import { shortAgent } from '../kit/persons.ts';
import type { Interruptions } from '../records/policy.ts';
import type { Interruption, Urgency } from '../kit/words.ts';
import type { OpenRequest, Rfc } from './items.ts';
import type { Policy, Question, State } from './state.ts';
import { sameNameKey } from '../kit/text.ts';

const defaultInterruptions: Interruptions = {
  urgencies: { critical: 'now', high: 'now', medium: 'silent', low: 'silent' },
  agents: [],
  digestMinutes: 30,
  perHour: 0,
};

const hourMs = 3_600_000;

/** What earlier policies gathered in a digest is only in the list. */
export function interruptionsOf({ interruptions }: Pick<Policy, 'interruptions'>): Interruptions {
  if (!interruptions) return defaultInterruptions;
  const { urgencies: by, agents } = interruptions;
  return {
    ...interruptions,
    urgencies: { critical: asNow(by.critical), high: asNow(by.high), medium: asNow(by.medium), low: asNow(by.low) },
    agents: agents.map((one) => ({ ...one, how: asNow(one.how) })),
  };
}

function asNow(how: Interruption): Interruption {
  return how === 'digest' ? 'silent' : how;
}

/** `silent`: only the tree and its number show it. A critical question waits only by a rule that names its urgency. */
export function interruptionOf(state: State, question: Question): Interruption {
  const how = ruledInterruption(state, [question.asker.id], question.urgency);
  return how === 'now' && question.urgency !== 'critical' && isOverBudget(state, question) ? 'silent' : how;
}

/** Of what is as pressing as a critical question of the same agent. */
export function interruptionAsCritical(state: State, { asker }: Pick<Question, 'asker'>): Interruption {
  return ruledInterruption(state, [asker.id], 'critical');
}

/** Of a review. RFCs have no urgency: they count as high, as in lists. The limit in an hour is about questions. */
export function reviewInterruption(state: State, { asker }: Pick<Rfc, 'asker'>): Interruption {
  return ruledInterruption(state, [asker.id], 'high');
}

/** Of a request, by its responsibility and the agents that act for it. One whose agreed time has passed counts as high. */
export function requestInterruption(
  state: State,
  { origin }: Pick<OpenRequest, 'origin'>,
  isLate: boolean,
): Interruption {
  const agents = state.responsibilities.get(origin)?.agents ?? [];
  return ruledInterruption(state, [origin, ...agents], isLate ? 'high' : 'medium');
}

/** @param askers the names that rules can have for who asks */
function ruledInterruption({ policy }: State, askers: readonly string[], urgency: Urgency): Interruption {
  const { urgencies, agents } = interruptionsOf(policy);
  const rule = agents.find(
    (one) =>
      askers.some((id) => isOfAgent(id, one.agent)) && (one.urgencies?.includes(urgency) ?? urgency !== 'critical'),
  );
  return rule?.how ?? urgencies[urgency];
}

/** Whether a rule's name is an agent's id, with or without its person, or that of its type. */
export function isOfAgent(id: string, name: string): boolean {
  const short = shortAgent(id);
  return id === name || short === name || short.replace(/-\d+$/, '') === name;
}

/** Whether its agent asked as many in the hour before it as the policy allows. */
function isOverBudget(state: State, question: Question): boolean {
  const { perHour } = interruptionsOf(state.policy);
  if (perHour === 0) return false;
  const from = new Date(Date.parse(question.raisedAt) - hourMs).toISOString();
  let before = 0;
  for (const earlier of earlierQuestions(state, question)) {
    if (earlier.raisedAt <= from) return false;
    if (earlier.asker.id === question.asker.id) before += 1;
    if (before >= perHour) return true;
  }
  return false;
}

/** The latest first. Numbers are given in order. */
function* earlierQuestions({ questions }: State, { id }: Question): Generator<Question> {
  for (let number = Number(id.slice(id.indexOf('-') + 1)) - 1; number > 0; number -= 1) {
    const found = questions.get(`Q-${String(number)}`);
    if (found) yield found;
  }
}

// Whom a question or RFC is for. It only sorts and filters: everybody can answer, unless a policy asks for certain people.

/**
 * Whether an item is for this person: it is for everybody, for their name, or for a responsibility that a human's signed
 * record gives to them by name.
 * @param person the name of their key
 */
export function isForPerson({ responsibilities }: Pick<State, 'responsibilities'>, to: string | null, person: string) {
  if (to === null || sameNameKey(to) === sameNameKey(person)) return true;
  return [...responsibilities.values()].some(
    ({ id, kind, name }) =>
      (kind === 'human' || kind === 'steward') &&
      [id, name].some((one) => sameNameKey(one) === sameNameKey(to)) &&
      [id, name].some((one) => sameNameKey(one) === sameNameKey(person)),
  );
}
