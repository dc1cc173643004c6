/** What raising a question does to the journal. */
import { answeredBefore, expiryOf, nextQuestionId, questionKey } from '../../core/question/question.ts';
import type { QuestionRaised, RecordInput } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import { requireRoomToAsk, requireRoomToHold } from '../workspace/crowds.ts';
import { AppError, notRegistered } from '../workspace/errors.ts';
import { registration, type AgentSession } from '../workspace/session.ts';

/** A caller's input: the record without the fields we set. Paths are workspace-relative and cleaned. */
export type RaiseInput = Omit<
  Extract<RecordInput, { kind: 'question.raised' }>,
  'kind' | 'v' | 'id' | 'expiresAt' | 'reopens'
>;

export interface RaisedAs {
  readonly id: string;
  /** True when the same question was already open and is returned instead. */
  readonly already: boolean;
  /** True when an earlier answer is reused, without asking a human. */
  readonly earlier: boolean;
}

/** What raising a question becomes. @throws AppError */
export function raise(
  { state, now }: { readonly state: State; readonly now: string },
  session: AgentSession,
  input: RaiseInput,
): { readonly records: readonly RecordInput[]; readonly result: RaisedAs } {
  for (const id of [...(input.work === null ? [] : [input.work]), ...(input.alsoWork ?? [])])
    if (!state.work.has(id)) throw notRegistered(id);
  if (input.type === 'approval' && input.choices && input.choices.length > 0)
    throw new AppError(
      'bad_input',
      'choices: an approval question always has the choices Yes and No; omit choices, or use type \"decision\".',
    );
  const mode = input.type === 'approval' ? 'sync' : input.mode;
  const same = state.pendingKeys.get(questionKey(session.actor.id, input.work, input.text.trim()));
  if (same !== undefined)
    return {
      records: widening(state, same, mode, input.holds ?? []),
      result: { id: same, already: true, earlier: false },
    };
  const before = answeredBefore(state, session.actor.id, { ...input, text: input.text.trim() });
  if (before && input.reopenReason === undefined)
    return {
      records: [
        ...registration(state, session),
        { kind: 'answer.reused', v: 1, id: before.id, agent: session.actor.id },
      ],
      result: { id: before.id, already: false, earlier: true },
    };
  (mode === 'sync' ? requireRoomToHold : requireRoomToAsk)(state, session.actor.id);
  const id = nextQuestionId(state);
  const expiresAt = expiryOf(state, input.urgency, now);
  return {
    records: [
      ...registration(state, session),
      {
        ...input,
        ...approval(input),
        ...(before ? { reopens: before.id } : {}),
        kind: 'question.raised',
        v: 1,
        id,
        mode,
        expiresAt,
      },
    ],
    result: { id, already: false, earlier: false },
  };
}

/** Approval questions have the choices Yes and No, with a reason. */
function approval(input: RaiseInput): Pick<RaiseInput, 'choices' | 'multiple' | 'freeText'> {
  return input.type === 'approval'
    ? { choices: [{ label: 'Yes' }, { label: 'No' }], multiple: false, freeText: false }
    : {};
}

function widening(state: State, id: string, mode: QuestionRaised['mode'], holds: readonly string[]): RecordInput[] {
  const question = state.questions.get(id);
  const stricter = mode === 'sync' && question?.mode === 'async';
  const known = question ? [...question.holds, ...question.addedHolds] : [];
  const addHolds = holds.filter((glob) => !known.includes(glob));
  if (!stricter && addHolds.length === 0) return [];
  return [{ kind: 'question.widened', v: 1, id, ...(stricter ? { mode: 'sync' as const } : {}), addHolds }];
}
