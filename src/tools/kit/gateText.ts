/** A gate's answer for an agent: the reason, the holds, and always the next step. */

import type { ChangedInCommit } from '../../app/hold/commitGate.ts';
import { byHolder, type GateAnswer } from '../../app/hold/gate.ts';
import type { Found } from '../../app/hold/lookAtHeld.ts';
import type { NamedWork } from '../../app/question/views.ts';
import { registerHint } from '../../app/workspace/errors.ts';
import { type GateReason, offlineText } from '../../core/hold/gate.ts';
import { type Holder, holderName, isRfc } from '../../core/hold/holds.ts';
import type { Guide } from '../../core/kit/guide.ts';
import { fewLines, fewNames, firstLine, plural } from '../../core/kit/text.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { writersOf } from '../../core/rfc/rfc.ts';
import { type CurrentState, openAskBack, type Question } from '../../core/state/state.ts';

export function nameOfWork({ id, title }: NamedWork): string {
  return title === id ? id : `${title} (${id})`;
}

/** `2026-11-20 14:02 UTC` */
export function clock(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Adds a full stop unless the quotation already ends with one. */
export function endSentence(quotation: string): string {
  return /[.!?]"$/.test(quotation) ? quotation : `${quotation}.`;
}

/** ` It takes several people: 2 of ada, grace, linus must decide; 1 of 2: grace approved "JWT".` */
export function peopleText(words: string | undefined): string {
  return words === undefined ? '' : ` Under the policy, ${endSentence(words)}`;
}

/** The holder, the reason and the next step. */
function holderText(holder: Holder, guide: Guide): string {
  const name = `${holder.id} "${firstLine(holderName(holder))}"`;
  const wait = `${guide.call} ${guide.name('await_answer', { id: holder.id })}.`;
  const all =
    holder.widened === null ? '' : ` ${holder.widened.by}, a human, holds every file of this workspace with it.`;
  const asked = isRfc(holder) ? null : openAskBack(holder);
  if (asked !== null) {
    const reply = guide.name('reply_question', { id: holder.id, text: '…' });
    return `${name} (sync, waiting for its agent: ${asked.by} asks "${firstLine(asked.text, 200)}").${all} If it is your question, reply with ${reply}. Then ${wait.charAt(0).toLowerCase()}${wait.slice(1)}`;
  }
  if (!isRfc(holder))
    return `${name} (${holder.status === 'expired' ? 'sync, expired, held until a human releases it' : 'sync, waiting for a human'}).${all} ${wait}`;
  return holder.status === 'draft'
    ? `${name} (a draft of ${writersOf(holder).join(' and ')}).${all} ${draftNext(holder.id, writersOf(holder).join(' or '), guide)}`
    : `${name} (waiting for a human's approval).${all} ${wait}`;
}

/** The next step with a draft is its author's, never that of the agent it stops. */
export function draftNext(id: string, writers: string, guide: Guide): string {
  return `A human can approve it once ${writers} has submitted it with ${guide.name('update_rfc', { id, submit: true })}. If that is not you, take other work: ${guide.name('check_gate')} shows what is free.`;
}

/** Conditions and constraints without duplicates; empty when there are none. */
export function bindingText({
  conditions,
  constraints,
}: {
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}): string {
  const line = (name: string, texts: readonly string[]) =>
    texts.length === 0 ? '' : ` ${name}: ${endSentence([...new Set(texts)].map((text) => `"${text}"`).join(', '))}`;
  return line('Conditions', conditions) + line('Constraints', constraints);
}

export interface GateTextOptions {
  readonly guide: Guide;
  readonly asked: string;
  /** The work item among them, to name it. */
  readonly work?: NamedWork | undefined;
}

/** `shared` matters only where something is allowed. */
type GateTold = Omit<GateAnswer, 'shared'> & Partial<Pick<GateAnswer, 'shared'>>;

export function gateText(answer: GateTold, { guide, asked, work }: GateTextOptions): string {
  if (answer.problem)
    return `Denied: the state of this workspace is UNKNOWN. ${answer.problem.message} Stop, and tell your human.`;
  if (answer.verdict === 'allow') {
    const offline = answer.shared?.state === 'offline' ? ` ${offlineText(answer.shared)}` : '';
    return `Allowed: nothing holds ${asked}.${bindingText(answer)}${offline}`;
  }
  const name = ({ code, subject }: GateReason) =>
    code.endsWith('_session') ? `your session (${subject})` : work?.id === subject ? nameOfWork(work) : subject;
  const held = [...byHolder(answer.reasons).values()]
    .map((reasons) => {
      const [first] = reasons;
      const names = [...new Set(reasons.map(name))];
      return {
        holder: first?.holder ?? null,
        people: peopleText(first?.people),
        isStopped: first?.code.startsWith('stopped_') ?? false,
        subjects: fewNames(names),
        are: names.length === 1 ? 'is' : 'are',
      };
    })
    .sort((a, b) => Number(b.isStopped) - Number(a.isStopped));
  const [first, ...others] = held;
  if (!first) return 'Denied.';
  const { holder, people, subjects, are } = first;
  const text = !holder
    ? `Denied: work item "${firstLine(subjects)}" is not registered. Register it first: ${registerHint(subjects, guide)}.`
    : first.isStopped
      ? stoppedText(subjects, holder, guide) + people
      : `Denied: ${subjects} ${are} held by ${holderText(holder, guide)}${people}`;
  const also = others.map((one, at) => ({ ...one, subjects: one.subjects === held[at]?.subjects ? '' : one.subjects }));
  return text + alsoText(also, guide);
}

interface AlsoHeld {
  readonly holder: Holder | null;
  /** Empty if they are those of the holder before. */
  readonly subjects: string;
}

/** The other holders, on the same line. Data has all of them. */
function alsoText(others: readonly AlsoHeld[], guide: Guide): string {
  if (others.length === 0) return '';
  const parts = others.slice(0, holdersShown - 1).map(({ holder, subjects }) => {
    if (!holder) return `because ${subjects} is not registered`;
    const by = `${holder.id} "${firstLine(holderName(holder), 60)}"`;
    return subjects === '' ? `by ${by}` : `${subjects} by ${by}`;
  });
  const more = others.length - parts.length;
  const areRfcs = others.every(({ holder }) => holder && isRfc(holder));
  const rest = more === 0 ? '.' : ` and ${String(more)} more: ${guide.name(areRfcs ? 'list_rfcs' : 'list_questions')}.`;
  return ` Also held ${parts.join(', ')}${rest}`;
}

/** What an agent reads before it turns to other work. */
const holdersShown = 5;

/** A human stopped the work by answering a question or rejecting an RFC, so there is nothing to wait for. */
function stoppedText(subjects: string, holder: Holder, guide: Guide): string {
  const said = isRfc(holder) ? holder.ended && { ...holder.ended, reason: `"${holder.ended.reason}"` } : stopOf(holder);
  const why = said ? ` by ${said.by}, ${clock(said.at)}: ${endSentence(said.reason)}` : '.';
  const lift = isRfc(holder) ? '' : ' Only a human can lift this.';
  const name = isRfc(holder) ? holder.id : `${holder.id} "${firstLine(holderName(holder))}"`;
  return `Denied: ${subjects} was stopped with ${name}${why} Do not continue with it.${lift} Take other work: ${guide.name('check_gate')} shows what is free.`;
}

function stopOf({
  resolution,
}: Question): { readonly by: string; readonly at: string; readonly reason: string } | null {
  if (resolution === null) return null;
  const { choices = [], text } = resolution.answer ?? {};
  const said = [...choices, ...(text === undefined ? [] : [text])].map((part) => `"${part}"`).join(', ');
  return { by: resolution.by, at: resolution.at, reason: said };
}

// What agents read about changes of held files.

const namedAtMost = 10;

/** Which held files differ now, since which call, and how to restore them. Null if none does. */
export function heldChangesText(state: CurrentState, found: readonly Found[]): string | null {
  const late = found.flatMap(lateText);
  const lines = found.flatMap(({ id, differences, lost }) => {
    const known = state.heldFiles.get(id)?.changes ?? [];
    const named = differences.slice(0, namedAtMost).map(({ path: name, was, is }) => {
      const noted = known.find((one) => one.path === name && one.was === was && one.is === is);
      const how = `${visibleText(name)} is held by ${id} and was changed ${duringText(noted?.call ?? null)}.`;
      return `${how} ${was === null ? 'It did not exist when the hold began. Remove it' : 'Restore it'}: holdpoint restore ${shellWord(name)}`;
    });
    const more = differences.length - named.length;
    return [
      ...named,
      ...(more > 0 ? [`And ${plural(more, 'more file')} held by ${id}.`] : []),
      ...(lost ? [lostText(id)] : []),
    ];
  });
  if (lines.length === 0) return late.length === 0 ? null : late.join('\n');
  return [
    ...fewLines(lines),
    'Do not commit these changes: a commit is denied until they are restored or a human accepts them.',
    ...late,
  ].join('\n');
}

function lateText({ id, late = [] }: Found): string[] {
  if (late.length === 0) return [];
  const shown = late.slice(0, namedAtMost).map(visibleText).join(', ');
  const more = late.length > namedAtMost ? ` and ${String(late.length - namedAtMost)} more` : '';
  return [
    `After this call there was no time to compare the files held by ${id} with their baseline: ${shown}${more}. The next look compares them.`,
  ];
}

export function changedInCommitText({ commit, path: name, held_by: holder, call, lost }: ChangedInCommit): string {
  if (lost) return `Denied: ${commit}: ${lostText(holder)} A human must accept that in the form of ${holder}.`;
  return `Denied: ${visibleText(name)} in ${commit} was changed while ${holder} held it, ${duringText(call)}, and no human has accepted that. Restore it (holdpoint restore ${shellWord(name)}), or ask your human to accept the change in the form of ${holder}.`;
}

function duringText(call: string | null): string {
  return call === null ? 'outside of any call that Holdpoint saw' : `by \`${visibleText(firstLine(call, 200))}\``;
}

function lostText(id: string): string {
  return `It is not known which files held by ${id} were changed, or how to restore all of them: its baseline in .holdpoint/baselines is missing or was changed, or too many files differ.`;
}

function shellWord(name: string): string {
  const shown = visibleText(name);
  return /^[\w./@-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
