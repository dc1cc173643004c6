/** What agents read: short, exact, names first and ids in brackets, and always what to do next. */
import type { GateAnswer } from '../../app/hold/gate.ts';
import { byHolder } from '../../app/hold/gate.ts';
import type { NamedWork, QuestionView } from '../../app/question/views.ts';
import type { HeldError, WorkView } from '../../app/work/work.ts';
import { holderName, isRfc } from '../../core/hold/holds.ts';
import type { Holder } from '../../core/hold/holds.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { AllFiles } from '../../core/records/widening.ts';
import { writersOf } from '../../core/rfc/rfc.ts';

export function named({ id, title }: NamedWork): string {
  return title === id ? id : `${title} (${id})`;
}

/** `2026-11-20 14:02 UTC` */
export function clock(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** `2 min`, `3 h`, `4 d`. */
export function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than 1 min';
  if (minutes < 120) return `${String(minutes)} min`;
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`;
  return `${String(Math.floor(minutes / (24 * 60)))} d`;
}

/** A text in quotation marks, ending its sentence. */
export function quoted(text: string): string {
  return ended(`"${text}"`);
}

/** A quotation that ends its sentence: with a full stop, unless the quoted words bring their own. */
function ended(quotation: string): string {
  return /[.!?]"$/.test(quotation) ? quotation : `${quotation}.`;
}

function goOn(question: QuestionView): string {
  if (question.rfc !== null) return `It was an open question of ${question.rfc}, which still needs its approval.`;
  return question.work ? `Go on with ${named(question.work)}.` : 'Go on.';
}

/** What a human said, on one line, in quotation marks. */
export function answerText(question: QuestionView): string {
  const { choices, text } = question.answer ?? { choices: [], text: null };
  const picked = choices.map((choice) => `"${choice}"`).join(', ');
  if (text === null) return picked;
  return picked === '' ? `"${text}"` : `${picked}, with "${text}"`;
}

/** `3 May`, with the year when it is not this one. */
function day(iso: string, now: string): string {
  const year = iso.slice(0, 4) === now.slice(0, 4) ? undefined : 'numeric';
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year, timeZone: 'UTC' }).format(
    Date.parse(iso),
  );
}

/** The same was asked on the same work item and answered: that answer stands. */
export function earlierText(question: QuestionView, now: string): string {
  const on = day(question.answered_at ?? question.raised_at, now);
  const before = `This was answered on ${on} by ${question.answered_by ?? 'a human'} (${question.id}): ${ended(answerText(question))}`;
  return `${before} If that no longer fits, say why with reopen_reason.`;
}

/** The outcome of a decided or expired question. */
export function outcomeText(question: QuestionView): string {
  const who = `by ${question.answered_by ?? 'a human'}, ${clock(question.answered_at ?? question.raised_at)}`;
  switch (question.resolution) {
    case 'answered':
      return `${question.id} answered ${who}: ${ended(answerText(question))} ${goOn(question)}`;
    case 'cancelled':
      return `${question.id} "${firstLine(question.text)}" was cancelled ${who}: ${ended(`"${question.note ?? ''}"`)} It holds nothing any more. ${goOn(question)}`;
    case 'released':
      return `${question.id} "${firstLine(question.text)}" was let go on without an answer ${who}: ${ended(`"${question.note ?? ''}"`)} ${goOn(question)}`;
    case null:
      return question.status === 'expired' ? expiredText(question) : waitingText(question);
  }
}

function expiredText(question: QuestionView): string {
  if (!question.holding)
    return `${question.id} expired without an answer. Go on, on what you assumed, and say so in your result.`;
  const what = question.work ? `${named(question.work)} has failed and` : 'It';
  return `${question.id} expired without an answer. ${what} stays held until a human releases it. Take other work: holdpoint_check_gate tells what is free.`;
}

function waitingText(question: QuestionView): string {
  const since = `${question.id} still waits for a human (${duration(question.time_waiting_ms)}).`;
  if (!question.holding) {
    const assuming = question.assumption === null ? '' : `, assuming: "${firstLine(question.assumption)}"`;
    return `${since} It does not stop you: go on${assuming}. The answer will come with a later result.`;
  }
  const work = question.blocks.map(named).join(' and ');
  const stop = work === '' ? 'Do not go on with anything' : `Do not work on ${work} or what depends on it`;
  const files = question.holds.length > 0 ? `, and do not edit ${filesText(question)}` : '';
  const next =
    work === ''
      ? 'Call holdpoint_await_answer.'
      : 'Call holdpoint_await_answer, or take other work: holdpoint_check_gate tells what is free.';
  return `${since} ${stop}${files}. ${next}`;
}

/** The files that are held, for "do not edit …". */
export function filesText({
  holds,
  all_files: all,
}: {
  readonly holds: readonly string[];
  readonly all_files: AllFiles | null;
}): string {
  return all ? `any file of this workspace (${all.by} holds them all, since ${clock(all.at)})` : holds.join(', ');
}

export function heldText({ item, blocks }: HeldError): string {
  return blocks.map(({ holder }) => `Denied: ${named(item)} is held by ${holderText(holder)}`).join('\n');
}

/** Who holds, why, and what to do next. */
function holderText(holder: Holder): string {
  const name = `${holder.id} "${firstLine(holderName(holder))}"`;
  const wait = `Call holdpoint_await_answer {"id":"${holder.id}"}.`;
  const all =
    holder.widened === null ? '' : ` ${holder.widened.by}, a human, holds every file of this workspace with it.`;
  if (!isRfc(holder))
    return `${name} (${holder.status === 'expired' ? 'sync, expired, held until a human releases it' : 'sync, waiting for a human'}).${all} ${wait}`;
  return holder.status === 'draft'
    ? `${name} (a draft of ${writersOf(holder).join(' and ')}).${all} ${draftNext(holder.id, writersOf(holder).join(' or '))}`
    : `${name} (waiting for a human's approval).${all} ${wait}`;
}

/** The next step with a draft: its author's, never that of the agent it stops. */
export function draftNext(id: string, writers: string): string {
  return `A human can approve it once ${writers} has submitted it with holdpoint_update_rfc {"id":"${id}","submit":true}. If that is not you, take other work: holdpoint_check_gate tells what is free.`;
}

/** Conditions and constraints, each said once; empty when there are none. */
export function bindingText({
  conditions,
  constraints,
}: {
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}): string {
  const line = (name: string, texts: readonly string[]) =>
    texts.length === 0 ? '' : ` ${name}: ${ended([...new Set(texts)].map((text) => `"${text}"`).join(', '))}`;
  return line('Conditions', conditions) + line('Constraints', constraints);
}

/**
 * @param asked what was asked about, for the case that it is free
 * @param work the work item asked about, to be named
 */
export function gateText(answer: GateAnswer, asked: string, work?: NamedWork): string {
  if (answer.problem)
    return `Denied: the state of this workspace is UNKNOWN. ${answer.problem.message} Stop, and tell your human.`;
  if (answer.verdict === 'allow') return `Allowed: nothing holds ${asked}.${bindingText(answer)}`;
  return [...byHolder(answer.reasons).values()]
    .map((reasons) => {
      const name = (subject: string) => (work?.id === subject ? named(work) : subject);
      const subjects = [...new Set(reasons.map(({ subject }) => name(subject)))].join(', ');
      const holder = reasons[0]?.holder;
      if (!holder)
        return `Denied: work item "${subjects}" is not registered. Register it first with holdpoint_register_work.`;
      if (reasons[0]?.code === 'stopped_work') return stoppedText(subjects, holder);
      return `Denied: ${subjects} is held by ${holderText(holder)}`;
    })
    .join('\n');
}

/** A human rejected the RFC and with it the work: there is nothing to wait for. */
function stoppedText(subjects: string, holder: Holder): string {
  const ending = isRfc(holder) ? holder.ended : null;
  const why = ending ? ` by ${ending.by}, ${clock(ending.at)}: ${ended(`"${ending.reason}"`)}` : '.';
  return `Denied: ${subjects} was stopped with ${holder.id}${why} Do not go on with it. Take other work: holdpoint_check_gate tells what is free.`;
}

export function workText(work: WorkView): string {
  const name = `${work.title} (${work.id}) is ${work.status.replaceAll('_', ' ')}`;
  const held = work.blocks
    .map(({ id, text }) => ` It is held by ${id} "${firstLine(text)}": do not work on it.`)
    .join('');
  return `${name}${work.step === null ? '' : `, at "${work.step}"`}.${held}`;
}
