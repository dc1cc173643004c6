/** Texts about RFCs for agents: the status, the human's decision and the next step. */
import {
  alternativeOf,
  type OpenQuestionView,
  type RfcDecisionView,
  type ThreadView,
  type RevisionView,
} from '../../app/rfc/parts.ts';
import type { NamedWork } from '../../app/question/views.ts';
import type { ApprovalView, LastReview, RfcSummary, RfcView } from '../../app/rfc/views.ts';
import type { Guide } from '../../core/kit/guide.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { withAlternatives } from '../../core/rfc/document.ts';
import { capitalize, firstLine } from '../../core/kit/text.ts';
import { part, duration, filesText, namedWork, quoteText } from '../kit/texts.ts';
import { bindingText, clock, draftNext } from '../kit/gateText.ts';
import { nextText, type Reader } from '../kit/reader.ts';

function titleOf({ id, title }: RfcSummary): string {
  return `${id} "${firstLine(title)}"`;
}

function writers({ agent_id, handed_to }: RfcSummary, word: 'and' | 'or', { own }: Reader): string {
  return [agent_id, ...(handed_to === null ? [] : [handed_to])].map((id) => shownAgent(id, own)).join(` ${word} `);
}

export function workNamedBy(rfc: RfcSummary): NamedWork[] {
  return [...rfc.affected_workflows, ...rfc.blocked_tasks];
}

/** Names the work, for "do not …". */
function workOf(rfc: RfcSummary): string {
  return namedWork(workNamedBy(rfc));
}

/** What it holds, as a sentence. Empty when it names nothing. */
function holdText(rfc: RfcSummary): string {
  const work = workOf(rfc);
  const stops = [
    work === '' ? '' : `do not work on ${work} or what depends on it`,
    rfc.holds.length === 0 ? '' : `do not edit ${filesText(rfc)}`,
  ].filter((part) => part !== '');
  return !rfc.holding || stops.length === 0 ? '' : ` ${capitalize(stops.join(', and '))}.`;
}

/**
 * The status and the next step.
 * @param agent that reads it, where it may be the author
 */
export function rfcText(rfc: RfcSummary, reader: Reader, agent: string | null = null): string {
  const { guide } = reader;
  const decision = rfc.last_decision;
  if (rfc.waiting && rfc.last_review?.verdict === 'revise') return reviseText(rfc, rfc.last_review, guide);
  if (rfc.waiting) {
    const what =
      rfc.amendment === null ? titleOf(rfc) : `The amendment of ${titleOf(rfc)} (revision ${String(rfc.revision)})`;
    return `${what} waits for a human (${duration(rfc.time_waiting_ms)}).${holdText(rfc)}${forceText(rfc)}${rfc.last_review ? ` ${reviewText(rfc.last_review)}` : ''} ${guide.call} ${guide.name('await_answer', { id: rfc.id })}, or take other work: ${guide.name('check_gate')} shows what is free.`;
  }
  if (decision) return decisionText(rfc, decision, reader);
  if (agent !== null && [rfc.agent_id, rfc.handed_to].includes(agent))
    return `${titleOf(rfc)} is your draft.${holdText(rfc)} When it is complete, submit it with ${guide.name('update_rfc', { id: rfc.id, submit: true })}: a human cannot approve it before.`;
  return `${titleOf(rfc)} is a draft of ${writers(rfc, 'and', reader)}.${holdText(rfc)} ${draftNext(rfc.id, writers(rfc, 'or', reader), guide)}`;
}

/** The approved revision, where a later one is not approved. */
function forceText({ approval, revision }: RfcSummary): string {
  return approval === null || approval.revision === revision
    ? ''
    : ` The approved revision ${String(approval.revision)} stays in force.`;
}

/** A human's decision. `RFC-3 "Tokens", revision 2, approved by Ada, 2026-11-20 14:02 UTC. …` */
function decisionText(rfc: RfcSummary, decision: RfcDecisionView, reader: Reader): string {
  const { guide } = reader;
  const revision = decision.revision === null ? '' : `, revision ${String(decision.revision)},`;
  const who = `by ${decision.by}, ${clock(decision.at)}`;
  const reason = decision.reason === null ? '.' : `: ${quoteText(decision.reason)}`;
  const work = workOf(rfc);
  const goOn = (how: string) =>
    nextText(workNamedBy(rfc), reader, (left) => `Continue${left === '' ? '' : ` with ${left}`}${how}.`);
  const next = rfc.status === 'implemented' ? ' It is implemented.' : ` ${goOn('')}`;
  switch (decision.action) {
    case 'approved': {
      const later =
        decision.revision === rfc.revision ? '' : ` Nothing of revision ${String(rfc.revision)} is approved.`;
      return `${titleOf(rfc)}${revision} approved ${who}.${bindingText(decision)}${later}${next}`;
    }
    case 'changes_requested':
      return `${rfc.last_review ? `${reviewText(rfc.last_review)} ` : ''}${titleOf(rfc)}${revision} sent back for changes ${who}${reason}${holdText(rfc)}${forceText(rfc)} Read its threads with ${guide.name('get_rfc', { id: rfc.id })}, revise it with ${guide.name('update_rfc', { id: rfc.id })}, and submit it again.`;
    case 'rejected':
      if (rfc.approval !== null)
        return `The amendment of ${titleOf(rfc)}${revision} was rejected ${who}${reason} ${inForceText(rfc.approval)}${next}`;
      if (rfc.holding)
        return `Do not build ${titleOf(rfc)}: it was rejected ${who}${reason}${holdText(rfc)} Under the policy, ${rfc.quorum?.text ?? 'more people must sign the rejection'}.`;
      return decision.then === 'stop'
        ? `Do not continue with ${work === '' ? 'the work' : work}: ${titleOf(rfc)} was rejected ${who}${reason} The work is cancelled. Take other work: ${guide.name('check_gate')} shows what is free.`
        : `Do not build ${titleOf(rfc)}: it was rejected ${who}${reason} ${goOn(' another way, and respect that reason')}`;
    case 'withdrawn':
      return `Do not build ${titleOf(rfc)}: it was withdrawn ${who}${reason} It no longer holds anything.`;
  }
}

/** `In force: revision 1, approved by Ada, 2026-11-20 14:02 UTC. Conditions: "…"` */
function inForceText(approval: ApprovalView): string {
  const { revision, by, at } = approval;
  return `In force: revision ${String(revision)}, approved by ${by}, ${clock(at)}.${bindingText(approval)}`;
}

function shownRevisionText({ approval, text_revision: shown, revision }: RfcView): string {
  const text = `The text below is revision ${String(shown)} of ${String(revision)}`;
  if (approval === null) return `${text}.`;
  return shown === approval.revision ? `${text}, which is in force.` : `${text}, an amendment that is not approved.`;
}

/** A verdict of the AI reviewer that asks for changes: the author acts, and a human can still decide. */
function reviseText(rfc: RfcSummary, review: LastReview, guide: Guide): string {
  const { id, revision } = rfc;
  return `${titleOf(rfc)}, revision ${String(revision)}: ${reviewText(review)}${holdText(rfc)} Revise it with ${guide.name('update_rfc', { id })}, and reply to its threads. No human has decided yet.`;
}

/** `The AI reviewer (GPT) asks for changes: "…" Thread 2 (blocking concern, on Design): … Question 1: … "…"` */
function reviewText({ model, verdict, summary, comments, answers }: LastReview): string {
  const says = verdict === 'revise' ? 'asks for changes' : 'has no objections; this is not an approval';
  const said = summary === null ? '.' : `: ${quoteText(summary)}`;
  return [
    `The AI reviewer (${model ?? 'a language model'}) ${says}${said}`,
    ...comments.map((thread) => threadText(thread)),
    ...answers.map(
      ({ number, text, ai_answer }) =>
        `Question ${String(number)} "${firstLine(text)}": ${quoteText(ai_answer?.answer ?? '')}`,
    ),
  ].join(' ');
}

export function rfcInFull(rfc: RfcView, reader: Reader): string {
  const parts = [
    `${titleOf(rfc)} is ${rfc.place === 'draft' ? 'a draft' : rfc.place}. Proposed by ${rfc.agent_name}, ${clock(rfc.proposed_at)}${rfc.for === null ? '' : `, for ${rfc.for}`}${rfc.handed_to === null ? '' : `, handed over to ${shownAgent(rfc.handed_to, reader.own)}`}.`,
    // Remarks and answers come below.
    rfcText(rfc.last_review?.verdict === 'approve' ? { ...rfc, last_review: null } : rfc, reader),
    missingText(rfc),
    // A rejected amendment already mentions the approval that is in force.
    rfc.approval && (rfc.amendment !== null || rfc.last_decision?.action === 'approved')
      ? inForceText(rfc.approval)
      : '',
    part('Workflows', namedWork(rfc.affected_workflows)),
    part('Tasks', namedWork(rfc.blocked_tasks)),
    part('And what depends on them', namedWork(rfc.cascade)),
    rfc.holds.length === 0 && !rfc.all_files ? '' : part('Files', filesText(rfc)),
    shownRevisionText(rfc),
    ...rfc.sections.map(({ heading, text }) => `## ${heading}\n${text}`),
    alternativesText(rfc),
    list(
      '## References',
      rfc.contexts.map(({ id, role }) => (role === 'context' ? id : `${id} (reasoning)`)),
    ),
    list('## Revisions', rfc.revisions.map(revisionText)),
    list(
      '## Decisions',
      rfc.decisions.map(
        ({ action, by, at, revision, reason }) =>
          `${action.replaceAll('_', ' ')}${revision === null ? '' : `, revision ${String(revision)},`} by ${by}, ${clock(at)}${reason === null ? '' : `: ${reason}`}`,
      ),
    ),
    list('## Open questions', rfc.questions.map(questionText)),
    list(
      '## Feedback',
      rfc.threads.map((thread) => (thread.resolved === null ? '' : '(resolved) ') + threadText(thread)),
    ),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function missingText({ missing, waiting }: RfcView): string {
  const parts = [
    missing.threads.length === 0 ? '' : numberedList('blocking thread', missing.threads),
    missing.questions.length === 0 ? '' : `${numberedList('question', missing.questions)} for a human`,
    missing.open.length === 0
      ? ''
      : `an answer to ${numberedList('open question', missing.open)}, in the document or by a human`,
  ].filter((part) => part !== '');
  return parts.length === 0 || !waiting ? '' : `Before it can be approved: ${parts.join(' and ')}.`;
}

/** "thread 1", "threads 1, 2". */
function numberedList(what: string, numbers: readonly (number | string)[]): string {
  return `${what}${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`;
}

function alternativesText({ alternatives, sections }: RfcView): string {
  if (alternatives.length === 0 || sections.some(({ key }) => key === 'alternatives')) return '';
  return `## Alternatives\n${withAlternatives('', alternatives.map(alternativeOf))}`;
}

function revisionText({ number, author, at, note }: RevisionView): string {
  return `${String(number)}. by ${author}, ${clock(at)}${note === null ? '' : `: ${firstLine(note)}`}`;
}

function list(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [heading, ...lines].join('\n');
}

function questionText({ number, text, state, author_answer, ai_answer, human }: OpenQuestionView): string {
  const answer = human?.answer ?? ai_answer?.answer ?? author_answer;
  const said = answer === null ? '' : ` "${answer}"`;
  switch (state) {
    case 'unanswered':
      return `${String(number)}. ${text} (not answered yet)`;
    case 'author_answered':
      return `${String(number)}. ${text} (answered by its author)${said}`;
    case 'ai_answered':
      return `${String(number)}. ${text} (answered by the reviewer, a language model; a human can reject it)${said}`;
    case 'human_required':
      return `${String(number)}. ${text} (waits for a human${human ? `: ${human.question_id}` : ''})`;
    case 'human_answered':
      return `${String(number)}. ${text} (${human?.question_id ?? ''}, answered by ${human?.by ?? 'a human'})${said}`;
  }
}

function threadText(thread: ThreadView): string {
  const head = `Thread ${String(thread.number)} (${thread.blocking ? 'blocking ' : ''}${thread.type}, ${authorText(thread)}${thread.section ? `, on ${thread.section.heading}` : ''}): ${thread.text}`;
  return [head, ...thread.replies.map((reply) => `  ${authorText(reply)}: ${reply.text}`)].join('\n');
}

/** A human's name without a signature may have been written by any program. */
function authorText({ by, by_kind, signed }: { by: string; by_kind: string; signed: boolean }): string {
  return by_kind === 'human' && !signed ? `${by}, not signed` : by;
}
