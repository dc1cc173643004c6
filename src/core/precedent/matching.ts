/**
 * Which questions a precedent answers. Everything that a human decides by must be in the precedent, as it is or as a
 * typed placeholder; a question with anything else is another question. Pure, so that the fold and each program come to
 * the same.
 */
import { namedScopes } from '../hold/holds.ts';
import { globCovers } from '../kit/globCovers.ts';
import { questionNotes } from '../kit/questionNotes.ts';
import type { UnsignedRecord } from '../records/decision.ts';
import { precedentLimits } from '../records/precedent.ts';
import type { QuestionRaised } from '../records/records.ts';
import { isChanged } from '../state/heldChanges.ts';
import { isOfAgent } from '../state/interruptions.ts';
import { isUsedUp } from '../state/precedent.ts';
import type { Precedent } from '../state/precedent.ts';
import { coveringRules, needsPasskey, rulesFor } from '../state/quorum.ts';
import type { Question, State } from '../state/state.ts';
import { matchTemplate, parseTemplate } from './template.ts';
import type { Values } from './template.ts';

/** What a precedent says, before or after it is signed. */
export type PrecedentTerms = Omit<Extract<UnsignedRecord, { kind: 'precedent.set' }>, 'kind' | 'v'>;
type MoreTexts = PrecedentTerms['more'];

/** The texts of a question besides itself, by the names in `more`. */
export function moreTextsOf(raised: QuestionRaised): MoreTexts {
  const notes = questionNotes.map(({ record }) => [record, raised[record]] as const);
  const entries = [
    ...notes,
    ['alternatives', raised.alternatives.length === 0 ? undefined : raised.alternatives.join('\n')] as const,
    ['payload', raised.payload] as const,
  ];
  return Object.fromEntries(entries.filter(([, text]) => text !== undefined));
}

/** Everything that the question holds or names as a file. */
export function filesOf(state: State, question: Question): string[] {
  return [...new Set([...namedScopes(state, question), ...question.raised.files.map(({ path }) => path)])];
}

/** Why a question is not of this class, as a sentence part; the values of its placeholders if it is. */
export function matchClass(
  state: State,
  terms: PrecedentTerms,
  question: Question,
): { readonly values: Values } | { readonly why: string } {
  const { raised } = question;
  const why = formProblem(terms, raised) ?? placeProblem(state, terms, question) ?? textProblem(terms.more, raised);
  if (why !== null) return { why };
  const template = parseTemplate(terms.text, 'text');
  const values = 'parts' in template ? matchTemplate(template, raised.text) : null;
  return values === null ? { why: 'its text is another' } : { values };
}

function formProblem(terms: PrecedentTerms, raised: QuestionRaised): string | null {
  if (raised.type !== terms.type) return `it is of type ${raised.type}`;
  if (raised.multiple !== terms.multiple || raised.freeText !== terms.freeText) return 'it can be answered otherwise';
  return JSON.stringify(raised.choices.map(plainChoice)) === JSON.stringify(terms.choices.map(plainChoice))
    ? null
    : 'it has other choices';
}

function plainChoice({ label, description, recommended, effect }: QuestionRaised['choices'][number]): unknown[] {
  return [label, description ?? null, recommended, effect ?? null];
}

function placeProblem(state: State, { work, globs }: PrecedentTerms, question: Question): string | null {
  const items = [...(question.work === null ? [] : [question.work]), ...question.alsoWork];
  const isNamed = (id: string) =>
    work === null || work.includes(id) || work.includes(state.work.get(id)?.workflow ?? '');
  if (work !== null && (items.length === 0 || !items.every(isNamed))) return 'it is about other work';
  const outside = filesOf(state, question).find((file) => !globs.some((glob) => globCovers(glob, file)));
  return outside === undefined ? null : `it is about ${outside}`;
}

function textProblem(more: MoreTexts, raised: QuestionRaised): string | null {
  const given = moreTextsOf(raised);
  const names = [...new Set([...Object.keys(more), ...Object.keys(given)])] as (keyof MoreTexts)[];
  const misfit = names.find((name) => {
    const [source, text] = [more[name], given[name]];
    if (source === undefined || text === undefined) return true;
    const template = parseTemplate(source, 'more');
    return !('parts' in template) || matchTemplate(template, text) === null;
  });
  return misfit === undefined ? null : `its ${misfit} is another`;
}

/** Why the policy, as it is now, keeps a question from all precedents; null when it does not. */
export function keptByPolicy(state: State, question: Question): string | null {
  const { passkeys, precedents } = state.policy;
  if (rulesFor(state, question).length > 0) return 'the policy asks for several people';
  // A passkey for certain files is asked for each time; one for certain questions can sign a precedent (`useProblem`).
  const onFiles = passkeys?.rules.filter(({ globs }) => globs !== undefined) ?? [];
  if (coveringRules(state, question, onFiles).length > 0) return 'the policy asks for a passkey for these files';
  const named = coveringRules(state, question, precedents?.never ?? []).some(
    ({ agents }) => agents?.some((name) => isOfAgent(question.asker.id, name)) ?? true,
  );
  return named ? 'the policy says that precedents never answer it' : null;
}

/** Why no precedent ever answers this question; null when one may. */
export function excludedProblem(state: State, question: Question): string | null {
  const { raised, urgency, widened, askBacks, addedHolds } = question;
  if (urgency === 'critical') return 'it is critical';
  if (raised.rfc !== undefined) return 'it is an open question of an RFC';
  if (raised.reopens !== undefined) return 'it says that an earlier answer no longer fits';
  const kept = keptByPolicy(state, question);
  if (kept !== null) return kept;
  if (widened !== null || askBacks.length > 0) return 'a human has already dealt with it';
  if (addedHolds.length > 0) return 'it was widened after it was asked';
  const files = state.heldFiles.get(question.id);
  return files && isChanged(files) ? 'files that it holds were changed' : null;
}

/** Why a precedent does not answer this question now; null when it does. */
export function useProblem(state: State, precedent: Precedent, question: Question): string | null {
  const { set, first, ended, passkey, keyid, uses } = precedent;
  if (ended !== null) return `${precedent.id} is no longer in force`;
  if (isUsedUp(precedent)) return `${precedent.id} has been used ${String(uses.length)} times`;
  if (state.retiredKeys.has(keyid)) return `the key that signed ${precedent.id} was given up`;
  if (question.resolution !== null || question.status !== 'pending') return `${question.id} is ${question.status}`;
  if (Number(question.id.slice(2)) < first) return `${question.id} was raised before ${precedent.id}`;
  if (isTakenBack(state, question.id)) return `a human took back a precedent's answer to ${question.id}`;
  if (needsPasskey(state, question) && !(passkey && state.passkeys.has(keyid))) return 'the policy asks for a passkey';
  const excluded = excludedProblem(state, question);
  if (excluded !== null) return excluded;
  const match = matchClass(state, set, question);
  return 'why' in match ? match.why : null;
}

/** Whether a human reopened it: then only a human answers it. */
function isTakenBack({ precedents }: State, id: string): boolean {
  return [...precedents.values()].some(({ uses }) => uses.some(({ question }) => question === id));
}

/** The latest earlier questions that it would have answered, newest first, with what became of them. */
export function earlierMatches(state: State, terms: PrecedentTerms): Question[] {
  const found: Question[] = [];
  for (const question of [...state.questions.values()].reverse()) {
    if (found.length === precedentLimits.shown) break;
    if (excludedProblem(state, question) === null && 'values' in matchClass(state, terms, question))
      found.push(question);
  }
  return found;
}

/** Exactly what a human is shown of a precedent and signs. */
export function shownPrecedent(state: State, terms: PrecedentTerms): object {
  return {
    precedent: terms,
    earlier: earlierMatches(state, terms).map(({ id, raised, status, resolution }) => ({
      ...{ id, text: raised.text, status },
      ...{ how: resolution?.how ?? null, answer: resolution?.answer ?? null, at: resolution?.at ?? null },
    })),
  };
}

/** The next free number. */
export function nextPrecedentId({ precedents }: State): string {
  return `P-${String(precedents.size + 1)}`;
}
