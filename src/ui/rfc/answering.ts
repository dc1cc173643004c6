/** Answers an open question of an RFC in place: raises it as a question to a human, and signs its answer. */
import * as l10n from '@vscode/l10n';
import { decideQuestion, shownHash } from '../../app/decision/decisions.ts';
import type { Signing } from '../../app/decision/decisions.ts';
import { overruleAnswer, shownRfcHash } from '../../app/rfc/decisions.ts';
import { raiseHumanQuestions } from '../../app/rfc/humanQuestions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type { Question, State } from '../../core/state/state.ts';
import { keptWords } from '../surface/keptWords.ts';
import type { Outcome } from '../kit/view.ts';
import type { OfferedChoice } from './sections.ts';
import type { RfcAct } from './messages.ts';
import type { RfcView } from './model.ts';
import type { Store } from '../../store/store.ts';
import { refused } from '../surface/signedActs.ts';

type Message = Extract<RfcAct, { type: 'answerQuestion' }>;

/** The content that the human saw. */
export interface SeenQuestions {
  readonly view: RfcView;
  readonly rfc: Rfc;
  /** Hashes of the raised questions, by their number in the RFC. */
  readonly raised: ReadonlyMap<number, string>;
}

/** Content hashes of the questions that were raised for an RFC. */
export function raisedHashes(state: State, { questions }: Rfc): Map<number, string> {
  return new Map(
    questions.flatMap(({ number, asked }) => {
      const question = state.questions.get(asked ?? '');
      return question ? [[number, shownHash(state, question)] as const] : [];
    }),
  );
}

/** @throws AppError */
export async function answerOpenQuestion(signing: Signing, seen: SeenQuestions, message: Message): Promise<Outcome> {
  const { store } = signing;
  const number = Number(message.question);
  const question = seen.raised.has(number) ? raisedFor(store, seen.rfc, number) : await raise(signing, seen, number);
  const shown = seen.raised.get(number) ?? hashIfAsShown(store, question, seen.view, message.question);
  const answer = { choices: message.choices, ...(message.content === '' ? {} : { text: message.content }) };
  const { outcome } =
    shown === undefined
      ? { outcome: 'changed' }
      : await decideQuestion(signing, question.id, { kind: 'answer', answer }, shown);
  if (outcome === 'decided') return { type: 'done', act: message.act };
  if (outcome === 'kept') return { type: 'done', act: message.act, text: keptWords(null) };
  if (outcome === 'already') return refused(message.act, 'conflict', l10n.t('Someone else has already decided this.'));
  return refused(message.act, 'changed', l10n.t('The question has changed since it was shown. Check it, then answer.'));
}

/** Raises a question that was not raised yet or that the AI reviewer answered: from now on, only a human can answer. */
async function raise(signing: Signing, { rfc }: SeenQuestions, number: number): Promise<Question> {
  const { store } = signing;
  const open = rfc.questions[number - 1];
  if (open?.required === true) await raiseHumanQuestions(store);
  else {
    const shown = shownRfcHash(store.read().state, rfc, { kind: 'rfc.answerOverruled', question: number });
    await overruleAnswer(signing, rfc.id, { question: number }, shown);
  }
  return raisedFor(store, rfc, number);
}

function raisedFor(store: Store, { id }: Rfc, number: number): Question {
  const { state } = store.read();
  const asked = state.rfcs.get(id)?.questions[number - 1]?.asked;
  const question = state.questions.get(asked ?? '');
  if (!question) throw new AppError('not_found', l10n.t('This question no longer exists.'));
  return question;
}

/** For a question raised just now: answers it only if its text and choices equal the displayed ones. */
function hashIfAsShown(store: Store, question: Question, { sections }: RfcView, key: string): string | undefined {
  const shown = sections.flatMap(({ questions }) => questions).find((one) => one.key === key);
  const same =
    shown?.text === question.raised.text &&
    JSON.stringify(shown.choices.map(words)) === JSON.stringify(question.raised.choices.map(words));
  return same ? shownHash(store.read().state, question) : undefined;
}

function words({ label, description }: Pick<OfferedChoice, 'label' | 'description'>): readonly unknown[] {
  return [label, description ?? ''];
}
