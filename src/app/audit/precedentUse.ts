/**
 * The file of a question that a precedent answered: the signed precedent, and the question as it was then. The use itself
 * has no signature, so a reader derives from the signed terms that they answer this question, as the fold does.
 */
import * as z from 'zod';
import { termsOf } from '../../core/fold/precedents.ts';
import { instant, workId } from '../../core/kit/text.ts';
import { limits, questionMode, urgency } from '../../core/kit/words.ts';
import { excludedProblem, matchClass } from '../../core/precedent/matching.ts';
import { shownQuestion } from '../../core/question/question.ts';
import { decisionPayload } from '../../core/records/decision.ts';
import type { DecisionPayload, Trust } from '../../core/records/decision.ts';
import { anyRecord } from '../../core/records/records.ts';
import type { CountedLine, RecordOf } from '../../core/records/records.ts';
import { factsOf } from '../../core/state/facts.ts';
import type { Precedent } from '../../core/state/precedent.ts';
import { emptyState } from '../../core/state/state.ts';
import type { Question, State, WorkItem } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import { verifySigned } from './signedFile.ts';

const workPart = z.strictObject({ workflow: workId.nullable(), holds: z.array(z.string().max(limits.path)) });

const useFile = z.strictObject({
  holdpoint: z.literal('precedent use'),
  v: z.literal(1),
  /** The signed payload of the precedent in readable form; the envelope in the record has its bytes. */
  decision: decisionPayload,
  /** The precedent. */
  record: z.looseObject({ kind: z.literal('precedent.set') }),
  used: z.strictObject({ at: instant, position: z.int().nonnegative() }),
  question: z.strictObject({
    raised: z.looseObject({ kind: z.literal('question.raised') }),
    asker: z.string().max(limits.id),
    raisedAt: instant,
    mode: questionMode,
    urgency,
  }),
  /** The items that it names: their files and workflow. */
  work: z.record(workId, workPart),
});
type UseFile = z.infer<typeof useFile>;

/** What an attestation made of such a file says besides the answer. */
export interface AttestedUse {
  readonly precedent: RecordOf<'precedent.set'>;
  readonly passkey: boolean;
  readonly file: UseFile;
  /** The question in a state of its own. */
  readonly question: Question;
  readonly state: State;
}

/** The attestation that it is read as. */
interface UsedAnswer {
  readonly decision: DecisionPayload;
  readonly record: RecordOf<'question.answered'>;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly keyid: string;
  readonly name: string;
  readonly use: AttestedUse;
}

/** @param state after the line */
export function attestUse(
  state: State,
  { id, precedent: name }: RecordOf<'precedent.used'>,
  line: Pick<CountedLine, 'at' | 'time'>,
  trust: Trust,
): UsedAnswer | { readonly why: string } {
  const [question, precedent] = [state.questions.get(id), state.precedents.get(name)];
  return question && precedent
    ? readUse(fileOf(state, { question, precedent, line, trust }), trust)
    : { why: 'has no question or precedent' };
}

interface Use {
  readonly question: Question;
  readonly precedent: Precedent;
  readonly line: Pick<CountedLine, 'at' | 'time'>;
  readonly trust: Trust;
}

function fileOf(state: State, { question, precedent, line, trust }: Use): unknown {
  const verified = trust.verify(precedent.set.envelope, line.at);
  const { raised, asker, raisedAt, mode, urgency: pressing } = question;
  const named = [...(question.work === null ? [] : [question.work]), ...question.alsoWork];
  return {
    ...{ holdpoint: 'precedent use', v: 1, decision: 'why' in verified ? null : verified.payload },
    ...{ record: precedent.set, used: { at: line.time, position: line.at } },
    question: { raised, asker: asker.id, raisedAt, mode, urgency: pressing },
    work: Object.fromEntries(
      named.map((id) => [
        id,
        { workflow: state.work.get(id)?.workflow ?? null, holds: state.work.get(id)?.holds ?? [] },
      ]),
    ),
  };
}

/** Checks one file by itself, and reads it as the answer that its precedent gives. */
export function readUse(raw: unknown, trust: Trust): UsedAnswer | { readonly why: string } {
  const parsed = useFile.safeParse(raw);
  if (!parsed.success) return { why: 'is not a use of a precedent' };
  const file = parsed.data;
  const { decision, used } = file;
  const signed = verifySigned(file, trust, used.position);
  if ('why' in signed) return signed;
  const { record: precedent, verified } = signed;
  if (precedent.kind !== 'precedent.set') return { why: 'has no precedent in it' };
  const found = questionIn(file);
  if ('why' in found) return found;
  const { state, question } = found;
  const { effect } = precedent.answer;
  const why = placeProblem(precedent, decision, used) ?? excludedProblem(state, question);
  if (why !== null || effect === undefined) return { why: `is not answered by ${precedent.id}: ${why ?? 'no effect'}` };
  const match = matchClass(state, termsOf(precedent), question);
  if ('why' in match) return { why: `is not answered by ${precedent.id}: ${match.why}` };
  const shown = { ...shownQuestion(state, question) };
  const { id } = question;
  return {
    decision: { ...decision, action: 'question.answered', subject: id, shown: hashOf(shown), ...used },
    record: { kind: 'question.answered', v: 1, id, answer: precedent.answer, envelope: precedent.envelope },
    ...{ shown, keyid: verified.keyid, name: verified.name },
    use: { precedent, passkey: verified.passkey, file, question, state },
  };
}

/** A use is later than the signature, and not later than it allows. */
function placeProblem(
  { until }: RecordOf<'precedent.set'>,
  { position }: DecisionPayload,
  used: UseFile['used'],
): string | null {
  if (used.position <= position) return 'it was used before it was signed';
  return used.at > until ? 'it was used after its time' : null;
}

/** The question as it was, with nothing that a human has done to it: then no precedent answers it. */
function questionIn({
  question: given,
  work,
}: UseFile): { readonly state: State; readonly question: Question } | { readonly why: string } {
  const raised = anyRecord.safeParse(given.raised).data;
  if (raised?.kind !== 'question.raised') return { why: 'has no question in it' };
  const state: State = { ...emptyState(), work: workIn(work) };
  const { id, holds, expiresAt, alsoWork = [] } = raised;
  if ([raised.work, ...alsoWork].some((item) => item !== null && !state.work.has(item)))
    return { why: 'says nothing about the work that its question names' };
  const question: Question = {
    ...{ raised, facts: factsOf(raised), id, work: raised.work, alsoWork, holds, expiresAt },
    ...{ asker: { kind: 'agent', id: given.asker }, raisedAt: given.raisedAt, mode: given.mode },
    ...{ urgency: given.urgency, status: 'pending', addedHolds: [], widened: null, resolution: null },
    ...{ revoked: null, lifted: null, refusedHolds: [], askBacks: [], parked: null },
  };
  state.questions.set(id, question);
  state.undecided.add(id);
  return { state, question };
}

function workIn(given: UseFile['work']): Map<string, WorkItem> {
  const items = Object.entries(given).map(([id, { workflow, holds }]): [string, WorkItem] => [
    id,
    {
      ...{ id, kind: 'task', title: id, status: 'todo', step: null, workflow, dependsOn: [], holds },
      ...{ assignee: null, createdBy: '', createdAt: '', updatedAt: '', startOrder: 0 },
    },
  ]);
  return new Map(items);
}
