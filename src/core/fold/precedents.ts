/**
 * Effects of precedents. Nothing here trusts what a `precedent.used` says: it counts only if the signed precedent, under
 * the keys and the policy of that place in the journal, gives this answer to this question.
 */
import { unsigned } from '../records/decision.ts';
import { directlyHeld } from '../hold/holds.ts';
import { keptByPolicy, matchClass, nextPrecedentId, shownPrecedent, useProblem } from '../precedent/matching.ts';
import type { PrecedentTerms } from '../precedent/matching.ts';
import { parseTemplate } from '../precedent/template.ts';
import { keyOf, requireQuestion, save } from '../question/fold.ts';
import { shownAnswer } from '../question/question.ts';
import { precedentFormat, precedentLimits } from '../records/precedent.ts';
import type { PrecedentKind } from '../records/precedent.ts';
import type { RecordOf } from '../records/records.ts';
import { hasFormat } from '../state/askForFormat.ts';
import { refusalOf } from '../state/answerEffect.ts';
import { cancelWork } from '../state/cancelWork.ts';
import type { Change } from '../state/change.ts';
import type { Deciding, Effects, Folding } from '../state/effect.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { Precedent } from '../state/precedent.ts';
import { isUnruled } from '../state/quorum.ts';
import { isStop } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { answerProblem } from './decision.ts';
import { contentProblem } from './signature.ts';

export const precedentEffects: Effects<PrecedentKind> = {
  'precedent.set': set,
  'precedent.ended': end,
  'precedent.used': use,
  'precedent.takenBack': takeBack,
};

/** What it says, as signed. */
export function termsOf(record: RecordOf<'precedent.set'>): PrecedentTerms {
  const { kind: _, v: __, ...terms } = unsigned(record);
  return terms;
}

/**
 * Why these terms cannot be signed; null when they can.
 * @param now ISO 8601
 */
export function termsProblem(state: State, terms: PrecedentTerms, now: string): string | null {
  const text = parseTemplate(terms.text, 'text');
  if ('problem' in text) return `text: ${text.problem}`;
  for (const [name, source = ''] of Object.entries(terms.more)) {
    const template = parseTemplate(source, 'more');
    if ('problem' in template) return `${name}: ${template.problem}`;
  }
  const from = state.questions.get(terms.from);
  if (from?.resolution?.how !== 'answered' || from.resolution.precedent !== undefined)
    return `${terms.from} has no answer of a human`;
  const kept = keptByPolicy(state, from);
  if (kept !== null) return `${terms.from}: ${kept}`;
  const match = matchClass(state, terms, from);
  if ('why' in match) return `${terms.from} itself does not fit: ${match.why}`;
  const misfit = answerProblem({ raised: terms }, terms.answer);
  if (misfit !== null) return misfit;
  if (terms.answer.effect === undefined) return 'answer: needs an effect';
  const days = (Date.parse(terms.until) - Date.parse(now)) / 86_400_000;
  if (days <= 0) return 'until: is in the past';
  if (days > precedentLimits.days) return `until: is more than ${String(precedentLimits.days)} days from now`;
  const inForce = [...state.precedents.values()].filter(({ ended }) => ended === null).length;
  return inForce >= precedentLimits.inForce ? `${String(inForce)} precedents are in force: end one first` : null;
}

function set(at: Deciding, record: RecordOf<'precedent.set'>): void {
  const { state, change, trust, payload, keyid, passkey, line } = at;
  if (!hasFormat(state, precedentFormat))
    throw new Inadmissible('the workspace has not asked for programs that know of precedents', 'forgery');
  const expected = nextPrecedentId(state);
  if (record.id !== expected) throw new Inadmissible(`the next precedent is ${expected}, not ${record.id}`);
  const terms = termsOf(record);
  const problem = termsProblem(state, terms, payload.at) ?? (line.time > record.until ? 'until: is in the past' : null);
  if (problem !== null) throw new Inadmissible(problem);
  if (payload.shown !== trust.hash(shownPrecedent(state, terms)))
    throw new Inadmissible('the precedent, or what it would have answered, is not what was shown', 'forgery');
  change.set(state.precedents, record.id, {
    ...{ id: record.id, set: record, by: payload.by, keyid, passkey, at: payload.at },
    ...{ first: state.questions.size + 1, uses: [], ended: null },
  });
}

/** What is shown when it is ended. Its uses may grow meanwhile: ending it is right all the same. */
export function shownInForce({ set: record, by, at }: Precedent): object {
  return { precedent: termsOf(record), by, at };
}

function end({ state, change, trust, payload }: Deciding, { id, reason }: RecordOf<'precedent.ended'>): void {
  const precedent = requirePrecedent(state, id);
  if (precedent.ended !== null) throw new Inadmissible(`${id} is no longer in force`);
  if (payload.shown !== trust.hash(shownInForce(precedent)))
    throw new Inadmissible('the precedent is not what was shown', 'forgery');
  const { by, at } = payload;
  change.set(state.precedents, id, { ...precedent, ended: { how: 'human', by, at, reason } });
}

function use({ state, change, trust, line }: Folding, { id, precedent: name }: RecordOf<'precedent.used'>): void {
  const question = requireQuestion(state, id);
  const precedent = requirePrecedent(state, name);
  const problem = useProblem(state, precedent, question);
  if (problem !== null) throw new Inadmissible(`${name} does not answer ${id}: ${problem}`, 'forgery');
  // A key that no longer counts here answers nothing more.
  const verified = trust.verify(precedent.set.envelope, line.at);
  if ('why' in verified) throw new Inadmissible(`${name} ${verified.why}`, 'forgery');
  const { payload, keyid, passkey } = verified;
  // A saved state, which another program could have written, may be where these terms come from.
  const { set: terms, uses } = precedent;
  const misfit = contentProblem(trust, terms, payload);
  if (misfit !== null) throw new Inadmissible(`${name}: ${misfit}`, 'forgery');
  const { by } = payload;
  const decided = {
    ...question,
    status: 'answered' as const,
    resolution: {
      ...{ how: 'answered' as const, answer: terms.answer, note: null, by, keyid, at: line.time, precedent: name },
      ...(passkey ? { passkey } : {}),
    },
  };
  change.set(state.precedents, name, {
    ...precedent,
    uses: [...uses, { question: id, at: line.time, takenBack: null }],
  });
  save(state, change, decided);
  if (isStop(decided)) cancelWork(state, change, directlyHeld(state, decided), line.time);
}

/** The question waits for a human again, as it did before the use. Cancelled work stays cancelled. */
function takeBack(at: Deciding, { id, reason }: RecordOf<'precedent.takenBack'>): void {
  const { state, change, trust, payload } = at;
  const question = requireQuestion(state, id);
  const name = question.resolution?.precedent;
  if (name === undefined) throw new Inadmissible(`${id} was not answered by a precedent`);
  if (payload.shown !== trust.hash(shownAnswer(state, question)))
    throw new Inadmissible('the answer has changed since it was shown', 'forgery');
  if (refusalOf(question) !== null && !isUnruled(state, question))
    throw new Inadmissible(`the policy says who may lift the refusal of ${id}: lift it first`);
  const precedent = requirePrecedent(state, name);
  const same = state.pendingKeys.get(keyOf(question));
  if (same !== undefined)
    throw new Inadmissible(`${same} is still open and asks the same: decide or cancel ${same} first`);
  const takenBack = { by: payload.by, at: payload.at, reason };
  const uses = precedent.uses.map((one) => (one.question === id ? { ...one, takenBack } : one));
  change.set(state.precedents, name, { ...precedent, uses });
  save(state, change, { ...question, status: 'pending', resolution: null, revoked: null, lifted: null });
}

/** A line that is later than `until` ends a precedent for good: no later line's clock can bring it back. */
export function endOutdated(state: State, change: Change, time: string): void {
  for (const precedent of state.precedents.values())
    if (precedent.ended === null && time > precedent.set.until)
      change.set(state.precedents, precedent.id, { ...precedent, ended: { how: 'time', at: time } });
}

function requirePrecedent({ precedents }: State, id: string): Precedent {
  const precedent = precedents.get(id);
  if (!precedent) throw new Inadmissible(`there is no precedent ${id}`);
  return precedent;
}
