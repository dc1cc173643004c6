/** Texts for agents: short, exact, names first and ids in brackets, and always the next step. */
import { shownAgent } from '../../core/kit/persons.ts';
import {
  isRefused,
  isUnapproved,
  type NamedWork,
  type QuestionView,
  type AskBackView,
} from '../../app/question/views.ts';
import type { FieldChange } from '../../app/workspace/session.ts';
import type { HeldError, WorkView } from '../../app/work/work.ts';
import { passkeyWords } from '../../core/state/quorum.ts';
import type { GateReason } from '../../core/hold/gate.ts';
import { isStopped } from '../../core/hold/holds.ts';
import { stateFolderVariable } from '../../core/kit/paths.ts';
import { firstLine, fewLines, fewNames } from '../../core/kit/text.ts';
import type { Guide } from '../../core/kit/guide.ts';
import type { AllFiles } from '../../core/state/heldChanges.ts';
import { nextText, type Reader } from './reader.ts';
import { clock, endSentence, gateText, nameOfWork, peopleText } from './gateText.ts';

/** `Login (t-1) and Tokens (t-2)` */
export function namedWork(items: readonly NamedWork[]): string {
  return fewNames(items.map(nameOfWork), items.length > 2 ? ', ' : ' and ');
}

/** `2 min`, `3 h`, `4 d`. */
export function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than 1 min';
  if (minutes < 120) return `${String(minutes)} min`;
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`;
  return `${String(Math.floor(minutes / (24 * 60)))} d`;
}

/** A quotation that ends its sentence. */
export function quoteText(text: string): string {
  return endSentence(`"${text}"`);
}

function goOn(question: QuestionView, reader: Reader): string {
  if (question.rfc !== null) return `It was an open question of ${question.rfc}, which still needs its approval.`;
  return nextText(question.blocks, reader, (work) => (work === '' ? 'Continue.' : `Continue with ${work}.`));
}

/** The human's answer on one line, in quotation marks. */
export function answerText(question: QuestionView): string {
  const { choices, text } = question.answer ?? { choices: [], text: null };
  const picked = choices.map((choice) => `"${choice}"`).join(', ');
  if (text === null) return picked;
  return picked === '' ? `"${text}"` : `${picked}, with "${text}"`;
}

/** `3 May`, with the year unless it is the current one. */
function day(iso: string, now: string): string {
  const year = iso.slice(0, 4) === now.slice(0, 4) ? undefined : 'numeric';
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year, timeZone: 'UTC' }).format(
    Date.parse(iso),
  );
}

/** A question with this text on this work item was answered before: that answer still applies. */
export function earlierText(question: QuestionView, now: string, reader: Reader): string {
  const { guide } = reader;
  const on = day(question.answered_at ?? question.raised_at, now);
  if (isRefused(question))
    return `${refusedText(question, reader)} This was answered on ${on}. If that no longer fits, say why: ${guide.name('raise_question', { reopen_reason: '...' })}.`;
  const before = `This was answered on ${on} by ${question.answered_by ?? 'a human'} (${question.id}): ${endSentence(answerText(question))}`;
  return `${before} ${goOn(question, reader)} If that no longer fits, say why: ${guide.name('raise_question', { reopen_reason: '...' })}.`;
}

/** Other questions that the same act answered are named. */
function decidedBy({ answered_by, answered_with: others }: QuestionView): string {
  const name = answered_by ?? 'a human';
  return others.length === 0 ? name : `${name} (together with ${fewNames(others)})`;
}

export function outcomeText(question: QuestionView, reader: Reader): string {
  const who = `by ${decidedBy(question)}, ${clock(question.answered_at ?? question.raised_at)}`;
  if (isUnapproved(question)) return unapprovedText(question, reader);
  switch (question.resolution) {
    case 'answered':
      return isRefused(question)
        ? refusedText(question, reader)
        : `${question.id} answered ${who}: ${endSentence(answerText(question))}${liftedText(question)} ${goOn(question, reader)}`;
    case 'cancelled':
      return `${question.id} "${firstLine(question.text)}" was dismissed as no longer needed ${who}: ${endSentence(`"${question.note ?? ''}"`)} It no longer holds anything. ${goOn(question, reader)}`;
    case 'withdrawn':
      return `${question.id} "${firstLine(question.text)}" was withdrawn ${who}: ${endSentence(`"${question.note ?? ''}"`)} No human has answered it.`;
    case 'released':
      return `${question.id} "${firstLine(question.text)}" was dismissed without an answer ${who}: ${endSentence(`"${question.note ?? ''}"`)} ${goOn(question, reader)}`;
    case null:
      return question.status === 'expired' ? expiredText(question, reader) : waitingText(question, reader);
  }
}

/** Begins with the prohibition: some models read no further. */
function refusedText(question: QuestionView, reader: Reader): string {
  const { guide } = reader;
  const { id, text, work, effect } = question;
  const by = decidedBy(question);
  const asked = `"${firstLine(text)}"`;
  const when = clock(question.answered_at ?? question.raised_at);
  const said = endSentence(answerText(question));
  if (effect === 'stop') {
    const what = question.blocks.length > 0 ? namedWork(question.blocks) : work ? nameOfWork(work) : 'your work';
    const files = question.holds.length === 0 ? '' : ` Do not edit ${filesText(question)}.`;
    return `Do not continue with ${what}: ${by} stopped it with ${id} ${asked}, ${when}: ${said}${files} Only a human can lift this.${peopleText(policyOf(question))} Take other work: ${guide.name('check_gate')} shows what is free.`;
  }
  return `Do not do what ${id} asked, ${asked}: ${by} refused it, ${when}: ${said} ${restText(question, reader)} Only a human can lift this.`;
}

/** An approval that a human closed without an answer. */
function unapprovedText(question: QuestionView, reader: Reader): string {
  const { id, text, note, resolution } = question;
  const how = resolution === 'cancelled' ? 'dismissed it as no longer needed' : 'dismissed it without an answer';
  const who = `${question.answered_by ?? 'a human'} ${how}, ${clock(question.answered_at ?? question.raised_at)}`;
  return `Do not do what ${id} asked, "${firstLine(text)}": ${who}: ${endSentence(`"${note ?? ''}"`)} It was not approved. ${restText(question, reader)} If it is still needed, ask again: ${reader.guide.name('raise_question')}.`;
}

function restText({ blocks }: QuestionView, reader: Reader): string {
  return nextText(blocks, reader, (work) => `The rest of ${work || 'your task'} may continue another way.`);
}

function liftedText({ lifted }: QuestionView): string {
  return lifted === null ? '' : ` ${lifted.by} lifted this, ${clock(lifted.at)}: ${endSentence(`"${lifted.reason}"`)}`;
}

function expiredText(question: QuestionView, { guide }: Reader): string {
  if (!question.holding) {
    const assumed = question.assumption === null ? '' : `: ${quoteText(firstLine(question.assumption))}`;
    return `${question.id} expired without an answer. It held nothing, and this is not a yes: say in your result that no human confirmed what you assumed${assumed === '' ? '.' : assumed}`;
  }
  const what = question.work ? `${nameOfWork(question.work)} has failed and` : 'It';
  return `${question.id} expired without an answer. ${what} stays held until a human releases it: ${guide.name('await_answer', { id: question.id })} waits for that. Or take other work: ${guide.name('check_gate')} shows what is free.`;
}

/** A human asked the agent something before deciding: what, and how to reply. */
function askedBackText(question: QuestionView, asked: AskBackView, reader: Reader): string {
  const { guide } = reader;
  const { id, recipient, text } = question;
  const who = `${asked.asked_by} asks ${recipient} something about ${id} "${firstLine(text)}" before deciding`;
  const reply = `Reply with ${guide.name('reply_question', { id, text: '…' })}`;
  const head = `${who}, ${clock(asked.asked_at)}: ${quoteText(asked.text)}`;
  if (!question.holding) {
    const next = nextText(question.blocks, reader, () => 'It does not stop you.');
    return `${head} ${next} ${reply}. The answer will come with a later result.`;
  }
  return `${head} ${doNotText(question)} A reply releases nothing. ${reply}, then ${guide.call.toLowerCase()} ${guide.name('await_answer', { id })}.`;
}

function waitingText(question: QuestionView, reader: Reader): string {
  const { guide } = reader;
  const asked = question.ask_backs.at(-1);
  if (question.waiting_for === 'agent' && asked) return askedBackText(question, asked, reader);
  const people = peopleText(policyOf(question));
  const untrusted = question.untrusted_decision_at;
  const waits =
    untrusted === null
      ? `is still waiting for a human (${duration(question.time_waiting_ms)}).`
      : untrustedText(untrusted);
  const since = `${question.id} ${waits}${people}`;
  if (!question.holding) {
    const assuming = question.assumption === null ? '.' : `, assuming: ${quoteText(firstLine(question.assumption))}`;
    const next = nextText(question.blocks, reader, () => `It does not stop you: continue${assuming}`);
    return `${since} ${next} The answer will come with a later result.`;
  }
  const wait = `${guide.call} ${guide.name('await_answer', { id: question.id })}`;
  const next =
    question.blocks.length === 0
      ? `${wait}.`
      : `${wait}, or take other work: ${guide.name('check_gate')} shows what is free.`;
  return `${since} ${doNotText(question)} ${next}`;
}

/** A container, a sandbox or sudo has another home, without the keys that humans trust in theirs. */
function untrustedText(at: string): string {
  return `was answered (${clock(at)}), signed by a key that is not trusted here, so it still holds. If your human answered it, this program looks for trusted keys in another folder than their editor: they can start it with ${stateFolderVariable} set to the folder that the editor uses, or trust the key here with "Holdpoint: Trusted Keys". Do neither yourself.`;
}

/** What the agent must not do while the question holds. */
export function doNotText(question: QuestionView): string {
  const work = namedWork(question.blocks);
  const stop = work === '' ? 'Do not continue any work' : `Do not work on ${work} or what depends on it`;
  const files = question.holds.length > 0 ? `, and do not edit ${filesText(question)}` : '';
  return `${stop}${files}.`;
}

/** The held files, for "do not edit …". */
export function filesText({
  holds,
  all_files: all,
}: {
  readonly holds: readonly string[];
  readonly all_files: AllFiles | null;
}): string {
  return all ? `any file of this workspace (${all.by} holds them all, since ${clock(all.at)})` : fewNames(holds);
}

export function heldText({ item, blocks }: HeldError, guide: Guide): string {
  const reasons = blocks.map(({ holder }) => {
    const code: GateReason['code'] = isStopped(holder) ? 'stopped_work' : 'held_work';
    return { code, subject: item.id, holder };
  });
  return gateText(
    { verdict: 'deny', state: 'BLOCKED', problem: null, reasons, conditions: [], constraints: [] },
    { guide, asked: item.id, work: item },
  );
}

function policyOf({ quorum, needs_passkey: needsPasskey }: QuestionView): string | undefined {
  const words = [...(quorum ? [quorum.text] : []), ...(needsPasskey ? [passkeyWords] : [])];
  return words.length === 0 ? undefined : words.join('; ');
}

/** What a second registration changed: `Updated: title was "A", is now "B".` */
export function changedText(changes: readonly FieldChange[]): string {
  if (changes.length === 0) return 'Already registered; nothing changed.';
  const shown = (value: FieldChange['to']) =>
    value === null ? 'none' : typeof value === 'string' ? `"${value}"` : value.length === 0 ? 'none' : fewNames(value);
  return `Updated: ${changes.map(({ field, from, to }) => `${field} was ${shown(from)}, is now ${shown(to)}`).join('; ')}.`;
}

export function workText(work: WorkView): string {
  const name = `${work.title} (${work.id}) is ${work.status.replaceAll('_', ' ')}`;
  const holders = fewNames(work.blocks.map(({ id, text }) => `${id} "${firstLine(text)}"`));
  const held = holders === '' ? '' : ` It is held by ${holders}: do not work on it.`;
  return `${name}${work.step === null ? '' : `, at "${work.step}"`}.${held}`;
}

/** A work item with everything that is known of it. */
export function workInFull(work: WorkView, own: string | null): string {
  const { kind, workflow, depends_on: needs, holds, assigned_agent: agent, blocks } = work;
  return [
    `${work.id} · ${kind} · ${work.status.replaceAll('_', ' ')}${work.status === work.base_status ? '' : ` (${work.base_status.replaceAll('_', ' ')} otherwise)`}`,
    work.title,
    part('Step', work.step),
    partList(
      'Held by (do not work on it)',
      fewLines(
        blocks.map(({ id, text, via }) => `${id} "${firstLine(text)}"${via === work.id ? '' : `, through ${via}`}`),
      ),
    ),
    part('Workflow', workflow),
    part('Depends on', fewNames(needs)),
    part('Files', fewNames(holds)),
    part('Agent', agent && shownAgent(agent, own)),
    `Registered by ${shownAgent(work.created_by, own)}, ${clock(work.created_at)}; changed ${clock(work.updated_at)}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export function part(name: string, text: string | null): string {
  return text === null || text === '' ? '' : `${name}: ${text}`;
}

export function partList(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${name}:`, ...lines.map((line) => `- ${line}`)].join('\n');
}

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
