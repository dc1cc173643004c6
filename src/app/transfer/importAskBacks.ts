/**
 * What humans asked back about an open question, on import. Signatures do not travel, so it becomes part of the
 * background: the importer's words, which the form marks as imported.
 */
import { limits } from '../../core/kit/words.ts';
import type { Exported } from './exportFile.ts';

type Question = Exported['questions'][number];

/** @param report says what became of it; not called without any */
export function withThread(
  { ask_backs, background }: Pick<Question, 'ask_backs' | 'background'>,
  report: (what: string) => void,
): { background?: string } {
  if (ask_backs.length === 0) return {};
  const said = ask_backs.flatMap(({ text, asked_by, reply, replied_by }) => [
    `${asked_by} asked: ${text}`,
    ...(reply === null ? [] : [`${replied_by ?? 'The agent'} replied: ${reply}`]),
  ]);
  const whole = [...(background === null ? [] : [background]), ...said].join('\n\n');
  if (whole.length > limits.otherText) {
    report('is imported without what humans asked back: its background has no room for it');
    return {};
  }
  report('has what humans asked back in its background: signatures are not imported');
  return { background: whole };
}
