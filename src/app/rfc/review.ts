/**
 * Runs the reviewer with a given model. Each call is one committed act: the model's results as rows, and the questions
 * for a human. The document is data: fenced and labelled, never instructions.
 */

import { visibleText } from '../../core/kit/visible.ts';
import { never, nextQuestionId } from '../../core/question/question.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { ReviewNote, ReviewStage, ReviewVerdict, RfcDocument, OfferedChoice } from '../../core/records/rfc.ts';
import { withAlternatives } from '../../core/rfc/document.ts';
import {
  afterReply,
  beginReview,
  parseReply,
  type ReviewOutcome,
  type ReviewReply,
  type ReviewStep,
  toHuman,
} from '../../core/rfc/review.ts';
import { latestRevision, revisionStatus, unansweredQuestions } from '../../core/rfc/rfc.ts';
import type { Rfc, OpenQuestion } from '../../core/state/items.ts';
import type { State } from '../../core/state/state.ts';
import type { Store, View } from '../../store/store.ts';
import { AppError } from '../workspace/errors.ts';
import { documentOf } from './parts.ts';
import { requireRfc, requireRfcView, type RfcView } from './views.ts';

/** One call may take this long, milliseconds. */
export const reviewCallMs = 120_000;

export interface ReviewOptions {
  /** The model's name, stored with each verdict. */
  readonly model: string;
  /** Calls the model. Rejects when that fails; `signal` fires on timeout or when the human cancels. */
  readonly askModel: (prompt: string, signal: AbortSignal) => Promise<string>;
  readonly prompts: ReviewPrompts;
  readonly maxIterations: number;
  /** Time limit of one call. Milliseconds. */
  readonly callMs: number;
  /** Creates fence marks that no document can contain. */
  readonly newId: () => string;
  /** Fires when the human cancels: the running call then leaves no trace. */
  readonly signal: AbortSignal;
  readonly onTransition?: ((transition: Transition) => void) | undefined;
}

/** One step of the loop, for the log. */
export interface Transition {
  readonly rfc: string;
  readonly review: number;
  readonly stage: ReviewStage;
  readonly verdict: ReviewVerdict | null;
  readonly answered: number;
  readonly for_human: number;
  readonly note: ReviewNote | null;
  /** Number of follow-ups on unanswered questions. */
  readonly question_loop_triggered_count: number;
}

interface Review {
  readonly store: Store;
  readonly id: string;
  readonly revision: number;
  readonly onTransition?: ReviewOptions['onTransition'];
}

/**
 * Reviews the latest revision until its questions are settled, the author must revise, or the budget is spent.
 * @throws AppError `not_found`; `conflict` when there is nothing to review, the author revised it in the meantime, or
 * another reviewer was faster
 */
export async function reviewRfc(store: Store, id: string, options: ReviewOptions): Promise<RfcView> {
  const { review, state } = begin({ ...options, store, id });
  let step: ReviewStep = beginReview(state);
  let verdict: ReviewVerdict | null = null;
  if (step.kind === 'await_human') await commit(review, () => toHuman(state.open, 'budget_spent'));
  while (step.kind === 'ask') {
    const asked = await ask(review, step, options);
    if (options.signal.aborted) break;
    const outcome = await commit(
      review,
      (open, count) =>
        'note' in asked
          ? toHuman(open, asked.note, verdict)
          : afterReply({ count, maxIterations: options.maxIterations, open, verdict }, asked.reply),
      asked,
    );
    step = outcome.next;
    verdict = outcome.verdict;
  }
  await raiseHumanQuestions(store);
  return requireRfcView(store.read(), id);
}

/** Without a model: all open questions go to a human, with the reason. */
export async function reviewWithoutModel(
  store: Store,
  id: string,
  note: ReviewNote,
  onTransition?: ReviewOptions['onTransition'],
): Promise<RfcView> {
  const { review, state } = begin({ store, id, maxIterations: 0, onTransition });
  await commit(review, () => toHuman(state.open, note));
  await raiseHumanQuestions(store);
  return requireRfcView(store.read(), id);
}

function begin({
  store,
  id,
  maxIterations,
  onTransition,
}: Pick<Review, 'store' | 'id' | 'onTransition'> & { readonly maxIterations: number }) {
  const view = store.read();
  const rfc = requireRfc(view.state, id);
  if (revisionStatus(rfc) === null)
    throw new AppError('conflict', `${id} is ${rfc.status}: there is nothing to review`);
  const open = unansweredQuestions(view.state, rfc).map(({ number }) => number);
  const review: Review = { store, id, revision: latestRevision(rfc).number, onTransition };
  return { review, state: { count: rfc.review.count, maxIterations, open, verdict: null } };
}

type Asked = {
  readonly prompt: Prompt;
  readonly followUp: boolean;
  readonly model: string;
  /** Reviews before this call. */
  readonly count: number;
} & ({ readonly reply: ReviewReply } | { readonly note: ReviewNote });

/** One call, plus one to repair an unreadable reply. */
async function ask(
  { store, id, revision }: Review,
  { followUp, questions }: Extract<ReviewStep, { kind: 'ask' }>,
  options: ReviewOptions,
): Promise<Asked> {
  const { prompts, model, newId } = options;
  const prompt = followUp ? prompts.followUp : prompts.review;
  const view = store.read();
  const rfc = requireRfc(view.state, id);
  const about = { prompt, followUp, model, count: rfc.review.count };
  const text = renderPrompt(prompt, {
    mark: newId(),
    // A model reads text that a human does not see: it is shown as a human is.
    document: visibleText(documentText(documentOf(view, rfc, revision))),
    questions: visibleText(questionList(rfc, questions)),
  });
  const first = await call(text, options);
  if ('note' in first) return { ...about, note: first.note };
  const parsed = parseReply(first.text, followUp);
  if ('reply' in parsed) return { ...about, reply: parsed.reply };
  const repair = renderPrompt(prompts.repair, {
    // A new mark: the author of the reply, and through it of the document, knows the first one.
    mark: newId(),
    problem: parsed.problem,
    reply: visibleText(first.text),
  });
  const second = await call(repair, options);
  if ('note' in second) return { ...about, note: second.note };
  const again = parseReply(second.text, followUp);
  return 'reply' in again ? { ...about, reply: again.reply } : { ...about, note: 'malformed' };
}

async function call(
  prompt: string,
  { askModel, callMs, signal }: ReviewOptions,
): Promise<{ readonly text: string } | { readonly note: ReviewNote }> {
  const timeout = AbortSignal.timeout(callMs);
  const ended = AbortSignal.any([signal, timeout]);
  const gone = new Promise<never>((_, reject) => {
    ended.addEventListener('abort', () => {
      reject(new Error('the call was ended'));
    });
  });
  gone.catch(() => undefined);
  try {
    return { text: await Promise.race([askModel(prompt, ended), gone]) };
  } catch {
    return { note: timeout.aborted ? 'timed_out' : 'failed' };
  }
}

/**
 * Writes down what a call said, of what is still so: humans may have answered in the meantime. Of two reviewers that
 * asked at the same time, only the first one is used, so they do not spend the budget twice.
 */
async function commit(
  { store, id, revision, onTransition }: Review,
  outcome: (open: readonly number[], count: number) => ReviewOutcome,
  asked: Asked | null = null,
): Promise<ReviewOutcome> {
  const done = await store.transact({ kind: 'reviewer', id: 'reviewer' }, (view) => {
    const rfc = requireRfc(view.state, id);
    if (latestRevision(rfc).number !== revision || revisionStatus(rfc) === null)
      throw new AppError('conflict', `${id} was revised or decided while it was reviewed`);
    if (asked && asked.count !== rfc.review.count)
      throw new AppError('conflict', `another reviewer reviewed ${id} in the meantime: its review is the valid one`);
    const open = unansweredQuestions(view.state, rfc).map(({ number }) => number);
    const now = outcome(open, rfc.review.count);
    const reviewed: RecordInput = {
      kind: 'rfc.reviewed',
      v: 1,
      id,
      review: rfc.review.count + 1,
      revision,
      model: asked?.model ?? null,
      prompt: asked && { name: asked.prompt.name, version: asked.prompt.version },
      followUp: asked?.followUp ?? false,
      verdict: now.verdict,
      stage: now.stage,
      note: now.note,
      answers: [...now.answers],
      ...(asked && 'reply' in asked && asked.reply.summary !== undefined ? { summary: asked.reply.summary } : {}),
    };
    const feedback = asked && 'reply' in asked ? feedbackRecords(view, rfc, revision, asked.reply) : [];
    return { records: [reviewed, ...feedback], result: now };
  });
  const rfc = requireRfc(store.read().state, id);
  onTransition?.({
    rfc: id,
    review: rfc.review.count,
    stage: done.stage,
    verdict: done.verdict,
    answered: done.answers.filter(({ outcome: how }) => how === 'answered').length,
    for_human: done.answers.filter(({ outcome: how }) => how === 'human_required').length,
    note: done.note,
    question_loop_triggered_count: rfc.review.loops + (done.next.kind === 'ask' ? 1 : 0),
  });
  return done;
}

function feedbackRecords(view: View, rfc: Rfc, revision: number, { feedback }: ReviewReply): RecordInput[] {
  const { sections } = documentOf(view, rfc, revision);
  return feedback.map(({ section, type, text, blocking }, index) => {
    const at = sections.find(({ heading }) => heading.trim().toLowerCase() === section?.trim().toLowerCase());
    return {
      kind: 'rfc.feedbackGiven',
      v: 1,
      id: rfc.id,
      thread: rfc.threads.length + index + 1,
      revision,
      type,
      section: at ? { key: at.key, heading: at.heading } : null,
      text,
      blocking,
    };
  });
}

/** A prompt template. Its version is stored with each result. */
export interface Prompt {
  readonly name: string;
  readonly version: string;
  readonly body: string;
}

/** @throws Error for an invalid template: a bug, because templates are part of the program */
export function parsePrompt(text: string): Prompt {
  const [, name, version, body = ''] =
    /^---\nname: (\S+)\nversion: (\S+)\n---\n+(.*)$/s.exec(text.replaceAll('\r\n', '\n')) ?? [];
  if (name === undefined || version === undefined) throw new Error('a prompt needs a name and a version');
  return { name, version, body };
}

/** Replaces placeholders in one pass, so that placeholders within values are not replaced. */
export function renderPrompt({ body, name }: Prompt, values: Readonly<Record<string, string>>): string {
  return body.replace(/\{\{(\w+)\}\}/g, (_, place: string) => {
    const value = values[place];
    if (value === undefined) throw new Error(`prompt ${name} wants ${place}`);
    return value;
  });
}

export interface ReviewPrompts {
  readonly review: Prompt;
  readonly followUp: Prompt;
  readonly repair: Prompt;
}

/** @param read the text of a file in `media/prompts` */
export function reviewPrompts(read: (file: string) => string): ReviewPrompts {
  return {
    review: parsePrompt(read('rfc-review.md')),
    followUp: parsePrompt(read('rfc-review-followup.md')),
    repair: parsePrompt(read('rfc-review-repair.md')),
  };
}

/** The whole document, as Markdown. */
export function documentText({ title, sections, alternatives }: RfcDocument): string {
  const written = sections.some(({ key }) => key === 'alternatives');
  return [
    `# ${title}`,
    ...sections.map(({ heading, text }) => `## ${heading}\n\n${text}`),
    ...(written || alternatives.length === 0 ? [] : ['## Alternatives', withAlternatives('', alternatives)]),
  ].join('\n\n');
}

/** Questions are the author's words too: each on one line, so that none can pose as another. */
export function questionList(rfc: Rfc, numbers: readonly number[]): string {
  if (numbers.length === 0) return '(none)';
  return numbers
    .map((number) => `${String(number)}. ${JSON.stringify(rfc.questions[number - 1]?.text ?? '')}`)
    .join('\n');
}

// Raises the open questions of RFCs that need a human, as questions linked to their RFC.

/**
 * Raises questions that were not raised yet. The asker is the RFC's author, so two RFCs may ask the same words. They
 * are async: they block the approval, and through it the work.
 */
export async function raiseHumanQuestions(store: Store): Promise<string[]> {
  if (store.problem || store.readOnly || store.workspaceId === null) return [];
  const raised: string[] = [];
  for (;;) {
    const [first] = missingQuestions(store.read().state);
    if (!first) return raised;
    const { rfc, question } = first;
    const choices = offeredChoices(store.read(), rfc, question.text);
    const actor = {
      kind: 'reviewer',
      id: `reviewer of ${rfc.id}`,
      ...(rfc.asker.worktree === undefined ? {} : { worktree: rfc.asker.worktree }),
    } as const;
    const id = await store.transact(actor, ({ state }) => {
      const still = missingQuestions(state).some(
        (other) => other.rfc.id === rfc.id && other.question.number === question.number,
      );
      if (!still) return { records: [], result: null };
      return { records: [raising(state, rfc, question, choices)], result: nextQuestionId(state) };
    });
    if (id !== null) raised.push(id);
  }
}

function missingQuestions(state: State): { rfc: Rfc; question: OpenQuestion }[] {
  return [...state.rfcs.values()]
    .filter((rfc) => revisionStatus(rfc) !== null)
    .flatMap((rfc) =>
      rfc.questions.filter(({ required, asked }) => required && asked === null).map((question) => ({ rfc, question })),
    );
}

function offeredChoices(view: View, rfc: Rfc, text: string): readonly OfferedChoice[] {
  const { questions } = documentOf(view, rfc, latestRevision(rfc).number);
  return questions.find((question) => question.text === text)?.choices ?? [];
}

function raising(
  state: State,
  rfc: Rfc,
  { number, text }: OpenQuestion,
  choices: readonly OfferedChoice[],
): RecordInput {
  return {
    kind: 'question.raised',
    v: 1,
    id: nextQuestionId(state),
    text,
    type: 'clarification',
    urgency: 'high',
    mode: 'async',
    work: null,
    choices: [...choices],
    background: `An open question of ${rfc.id}, "${rfc.title}". It needs a human's answer: ${rfc.id} cannot be approved before it has one.`,
    rfc: { id: rfc.id, question: number },
    // It stays open as long as its RFC, which holds the work.
    expiresAt: never,
  };
}
