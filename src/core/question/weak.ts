/** What would let a human answer a question faster. Pure advice: it refuses, delays and holds nothing. */
import { sameTextKey } from '../kit/text.ts';
import { type OpenQuestion, type State, undecidedQuestions } from '../state/state.ts';

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
