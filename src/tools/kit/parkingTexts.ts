/** Texts about parked questions: when to park, and the brief for the session that continues. */
import type { QuestionView } from '../../app/question/views.ts';
import type { Guide } from '../../core/kit/guide.ts';
import type { Reader } from './reader.ts';
import { doNotText, outcomeText } from './texts.ts';
import { clock } from './gateText.ts';

/** For a wait that has become too expensive. */
export function dueText(question: QuestionView, { guide }: Reader): string {
  const { id } = question;
  if (question.parked) return `${parkedText(question, guide)}\n${briefText(question)}`;
  const brief = guide.name('park_question', { id, doing: '…', next: '…' });
  return `${id} still waits for a human, and waiting longer would cost more than starting again. ${doNotText(question)} Park it: ${guide.call.toLowerCase()} ${brief} with a resume brief, then end your turn. The answer comes with your next prompt or at the start of your next session.`;
}

export function parkedText(question: QuestionView, guide: Guide): string {
  const { id } = question;
  return `${id} is parked with your resume brief. ${doNotText(question)} End your turn now. You get the brief and the answer with your next prompt or at the start of your next session; ${guide.name('await_answer', { id })} returns them as well.`;
}

/** The outcome, with the brief for the agent that continues; nothing is repeated to one that still waits. */
export function awaitedText(question: QuestionView, reader: Reader): string {
  const outcome = outcomeText(question, reader);
  const brief = question.resolution === null && question.waiting_for === 'human' ? '' : briefText(question);
  return brief === '' ? outcome : `${outcome}\n${brief}`;
}

/** Empty without a brief. */
function briefText({ id, parked }: QuestionView): string {
  if (!parked) return '';
  const { by, at, doing, next, files, check_first: first } = parked;
  const parts = [
    `Resume brief of ${by} for ${id}, ${clock(at)}. You were doing: ${doing}`,
    `Next: ${next}`,
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}`]),
    ...(first === null ? [] : [`Check first: ${first}`]),
  ];
  return parts.join('\n');
}

/** The first prompt of a session that continues; begins with a word, never with a dash. Hooks deliver brief and answer with it. */
export function resumePrompt({ id }: Pick<QuestionView, 'id'>, guide: Guide): string {
  return `Holdpoint: a human has decided ${id}, which you parked. Do what the decision says. If it does not come with this message, get it: ${guide.name('await_answer', { id })}.`;
}

/** The prompt for a host whose hooks deliver nothing; `decided` is null before the decision. */
export function fullResumePrompt(id: string, decided: QuestionView | null, reader: Reader): string {
  const said = decided ? awaitedText(decided, reader) : '…';
  return `Holdpoint: a human has decided ${id}, which you parked.\n${said}`;
}
