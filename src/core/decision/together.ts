/** Whether an answer that lists other questions was given together with exactly these. */
import type { RecordOf } from '../records/records.ts';
import type { Together } from '../records/together.ts';
import type { Deciding } from '../state/effect.ts';
import { rulesFor } from '../state/quorum.ts';
import type { Question } from '../state/state.ts';

/**
 * Why an answer is not one of those that it lists; null when it is, and for an answer by itself. All of the act are in
 * one line, in the order of the list, with the same answer; where one is missing, none has an effect.
 */
export function togetherProblem(
  { state, line, payload }: Deciding,
  record: RecordOf<'question.answered'>,
  question: Question,
): string | null {
  const { together } = record;
  if (together === undefined) return null;
  if (question.urgency === 'critical' || rulesFor(state, question).length > 0)
    return `${question.id} is decided by itself`;
  const shown = new Map(together.map((one) => [one.id, one.shown]));
  if (shown.size !== together.length || shown.get(question.id) !== payload.shown)
    return 'it is not one of the questions that it lists';
  return isWhole(line.records, together) ? null : 'the answers that were signed with it are missing';
}

interface Raw {
  readonly kind?: unknown;
  readonly id?: unknown;
  readonly answer?: unknown;
  readonly together?: unknown;
}

/** Compares what is written, because anything may be in a line: each record is verified when its turn comes. */
function isWhole(records: readonly unknown[], together: Together): boolean {
  const answers = records.filter((raw) => isRaw(raw) && raw.kind === 'question.answered') as readonly Raw[];
  const list = textOf(together);
  const [first] = answers;
  return (
    answers.length === together.length &&
    answers.every(
      (one, index) =>
        one.id === together[index]?.id &&
        textOf(one.together) === list &&
        JSON.stringify(one.answer) === JSON.stringify(first?.answer),
    )
  );
}

function isRaw(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null;
}

/** Empty for anything but such a list. */
function textOf(list: unknown): string {
  if (!Array.isArray(list)) return '';
  return list.map((one: unknown) => (isEntry(one) ? `${one.id} ${one.shown}` : '')).join('\n');
}

function isEntry(one: unknown): one is Together[number] {
  return (
    typeof one === 'object' &&
    one !== null &&
    'id' in one &&
    'shown' in one &&
    typeof one.id === 'string' &&
    typeof one.shown === 'string'
  );
}
