/** The human side of precedents: drafting one from an answer, signing it, ending it, and taking back a use. */
import { shownInForce, termsProblem } from '../../core/fold/precedents.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import { literalTemplate } from '../../core/precedent/template.ts';
import {
  earlierMatches,
  filesOf,
  moreTextsOf,
  nextPrecedentId,
  shownPrecedent,
} from '../../core/precedent/matching.ts';
import type { PrecedentTerms } from '../../core/precedent/matching.ts';
import { proposeTemplate } from '../../core/precedent/propose.ts';
import { isAnsweredByHuman, shownAnswer } from '../../core/question/question.ts';
import { precedentFormat } from '../../core/records/precedent.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { needsPasskey } from '../../core/state/quorum.ts';
import { askForFormat } from '../../core/state/askForFormat.ts';
import type { Question, State } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import { humanActor, signRecord } from './decisions.ts';
import type { Signing } from './decisions.ts';
import { requirePerson } from './people.ts';
import { parsedRecord } from './record.ts';
import type { Signer } from './signer.ts';

/** What a human may change of a draft. The rest is the answered question's own. */
export interface PrecedentEdits {
  readonly text: string;
  readonly more: Readonly<Record<string, string>>;
  readonly work: readonly string[] | null;
  readonly globs: readonly string[];
  /** ISO 8601, UTC. */
  readonly until: string;
  readonly uses: number;
}

const proposedDays = 30;
const day = 86_400_000;
const proposedUses = 20;

/** Whether "Always answer this way" is offered: a human answered it, and a precedent may answer such questions. */
export function canBecomePrecedent(question: Question): boolean {
  return isAnsweredByHuman(question) && question.urgency !== 'critical' && question.facts.rfc === null;
}

/**
 * What the form proposes: the question's own words with placeholders, its work, its files, 30 days and 20 uses.
 * @param now ISO 8601
 */
export function proposedEdits(state: State, question: Question, now: string): PrecedentEdits {
  const more = Object.entries(moreTextsOf(question.raised)).map(([name, text]) => [name, literalTemplate(text ?? '')]);
  const items = [...(question.work === null ? [] : [question.work]), ...question.alsoWork];
  const work = items.map((id) => state.work.get(id)?.workflow ?? id);
  return {
    text: proposeTemplate(question.raised.text),
    more: Object.fromEntries(more) as Record<string, string>,
    work: work.length === 0 ? null : [...new Set(work)],
    globs: filesOf(state, question),
    until: untilAfter(now, proposedDays),
    uses: proposedUses,
  };
}

/** The end of the day, in UTC, that is so many days after now: the same for a whole day. @param now ISO 8601 */
export function untilAfter(now: string, days: number): string {
  return new Date((Math.floor(Date.parse(now) / day) + days + 1) * day - 1).toISOString();
}

/** The record's content for these edits of a question's answer. @throws AppError `not_found`, `bad_input` */
function termsFor(state: State, from: string, edits: PrecedentEdits): PrecedentTerms {
  const question = state.questions.get(from);
  if (!question) throw new AppError('not_found', `there is no question ${from}`);
  if (!canBecomePrecedent(question) || !question.resolution?.answer)
    throw new AppError('conflict', `the answer of ${from} cannot become a precedent`);
  const { type, choices, multiple, freeText } = question.raised;
  const { text, more, work, globs, until, uses } = edits;
  const parsed = parsedRecord({
    ...{ kind: 'precedent.set', v: 1, id: nextPrecedentId(state), from },
    ...{ work: work === null ? null : [...work], globs: [...globs], type, text, more, choices, multiple, freeText },
    answer: { ...question.resolution.answer, effect: effectOf(question) ?? 'proceed' },
    ...{ until, uses },
  });
  if (parsed.kind !== 'precedent.set') throw new AppError('bad_input', 'not a precedent');
  const { kind: _, v: __, envelope: ___, ...terms } = parsed;
  return terms;
}

export interface PrecedentPreview {
  /** Null if it can be signed. */
  readonly problem: string | null;
  /** The last questions that it would have answered, newest first. */
  readonly earlier: readonly Question[];
  /** Hash of exactly what a form shows: what is signed, and these questions with their answers. */
  readonly shown: string | null;
}

/** What these edits would sign, and what they would have answered. */
export function previewPrecedent(state: State, from: string, edits: PrecedentEdits, now: string): PrecedentPreview {
  try {
    const terms = termsFor(state, from, edits);
    const problem = termsProblem(state, terms, now);
    if (problem !== null) return { problem, earlier: [], shown: null };
    return { problem, earlier: earlierMatches(state, terms), shown: hashOf(shownPrecedent(state, terms)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problem: error.message, earlier: [], shown: null };
  }
}

/** Hash of the list that a form shows without a draft. */
export function shownPrecedentsHash({ precedents }: State): string {
  return hashOf([...precedents.values()].map((one) => [shownInForce(one), one.uses, one.ended]));
}

export interface Setting {
  readonly from: string;
  readonly edits: PrecedentEdits;
  /** The hash of the preview that the human saw. */
  readonly shown: string;
}

/**
 * Signs a precedent: questions that are raised from now on and fit it are answered by it.
 * @returns its id
 * @throws AppError `conflict` when it, or what it would have answered, is not what was shown; `bad_input`
 */
export async function setPrecedent(signing: Signing, { from, edits, shown }: Setting): Promise<string> {
  const { store, signer, newId } = signing;
  const nonce = newId();
  return store.transact(humanActor(signer), ({ state, now }): { records: RecordInput[]; result: string } => {
    const terms = termsFor(state, from, edits);
    const problem = termsProblem(state, terms, now);
    if (problem !== null) throw new AppError('bad_input', problem);
    if (shown !== hashOf(shownPrecedent(state, terms)))
      throw new AppError('conflict', 'the earlier questions have changed since they were shown: check them again');
    const record = { kind: 'precedent.set', v: 1, ...terms } as const;
    requirePerson(state, record, shown, signer);
    const unmet = passkeyMissing(state, from, signer);
    if (unmet !== null) throw new AppError('denied', unmet);
    const signed = signRecord(store, signer, record, { shown, nonce, at: now });
    return { records: [...askForFormat(state, precedentFormat), signed], result: terms.id };
  });
}

/** Why a precedent of this key would answer nothing: for such questions, the policy asks for a passkey. */
export function passkeyMissing(
  state: State,
  from: string,
  { keyid, isPasskey }: Pick<Signer, 'keyid' | 'isPasskey'>,
): string | null {
  const question = state.questions.get(from);
  if (!question || !needsPasskey(state, question) || (isPasskey && state.passkeys.has(keyid))) return null;
  return 'the policy asks for a passkey: sign it in a browser ("holdpoint serve")';
}

/** Ends a precedent; what it answered stays answered. @throws AppError `not_found`, `conflict` */
export async function endPrecedent(signing: Signing, id: string, reason: string): Promise<void> {
  const { store, signer, newId } = signing;
  const nonce = newId();
  await store.transact(humanActor(signer), ({ state, now }) => {
    const precedent = state.precedents.get(id);
    if (!precedent) throw new AppError('not_found', `there is no precedent ${id}`);
    if (precedent.ended !== null) throw new AppError('conflict', `${id} is no longer in force`);
    const record = { kind: 'precedent.ended', v: 1, id, reason } as const;
    const shown = hashOf(shownInForce(precedent));
    return { records: [signRecord(store, signer, record, { shown, nonce, at: now })], result: null };
  });
}

/**
 * Takes back an answer that a precedent gave: the question waits for a human again, and holds what it held.
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`, `conflict`
 */
export async function takeBackUse(
  { store, signer, newId }: Signing,
  { id, reason, shown }: { readonly id: string; readonly reason: string; readonly shown: string },
): Promise<void> {
  const nonce = newId();
  await store.transact(humanActor(signer), ({ state, now }) => {
    const question = state.questions.get(id);
    if (!question) throw new AppError('not_found', `there is no question ${id}`);
    if (question.resolution?.precedent === undefined)
      throw new AppError('conflict', `${id} was not answered by a precedent`);
    if (shown !== hashOf(shownAnswer(state, question)))
      throw new AppError('conflict', `${id} has changed since it was shown: check it again`);
    const record = { kind: 'precedent.takenBack', v: 1, id, reason } as const;
    return { records: [signRecord(store, signer, record, { shown, nonce, at: now })], result: null };
  });
}
