/** Raises questions and waits for their outcome. Agents can do no more; deciding is on the human side. */

import { namedScopes } from '../../core/hold/holds.ts';
import { recordPayload } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { globHolds } from '../../core/kit/paths.ts';
import { sameTextKey } from '../../core/kit/text.ts';
import { replyProblem, withdrawalProblem } from '../../core/question/fold.ts';
import { parkingProblem } from '../../core/question/parking.ts';
import {
  answeredBefore,
  type AskedInHost,
  type EndedInHost,
  expiryOf,
  hostPayload,
  nextQuestionId,
  openInHost,
  questionKey,
} from '../../core/question/question.ts';
import { briefLength, lengthOf, type ResumeBrief } from '../../core/records/question.ts';
import type { QuestionRaised, RecordInput } from '../../core/records/records.ts';
import { openAskBack, type Question, recipientOf, type State, undecidedQuestions } from '../../core/state/state.ts';
import { eventsIn } from '../../store/rows/events.ts';
import type { Store, View } from '../../store/store.ts';
import { AppError, asAgent, notRegistered } from '../workspace/errors.ts';
import { type AgentSession, registration, requireRoomToAsk, requireRoomToHold } from '../workspace/session.ts';
import { type WaitOptions, waitUntil } from '../workspace/waiting.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { questionView, type QuestionView, questionViews, requireQuestionView } from './views.ts';

// What raising a question does to the journal.

/** A caller's input: the record without the fields we set. Paths are workspace-relative and cleaned. */
export type RaiseInput = Omit<
  Extract<RecordInput, { kind: 'question.raised' }>,
  'kind' | 'v' | 'id' | 'expiresAt' | 'reopens'
>;

interface RaisedAs {
  readonly id: string;
  /** True when the same question was already open and is returned instead. */
  readonly already: boolean;
  /** True when an earlier answer is reused, without asking a human. */
  readonly earlier: boolean;
}

/** What raising a question becomes. @throws AppError */
function raise(
  { state, now }: { readonly state: State; readonly now: string },
  session: AgentSession,
  input: RaiseInput,
): { readonly records: readonly RecordInput[]; readonly result: RaisedAs } {
  for (const id of [...(input.work === null ? [] : [input.work]), ...(input.alsoWork ?? [])])
    if (!state.work.has(id)) throw notRegistered(id);
  if (input.type === 'approval' && input.choices && input.choices.length > 0)
    throw new AppError(
      'bad_input',
      'choices: an approval question always has the choices Yes and No; omit choices, or use type \"decision\".',
    );
  const mode = input.type === 'approval' ? 'sync' : input.mode;
  const same = state.pendingKeys.get(questionKey(session.actor.id, input.work, input.text.trim()));
  if (same !== undefined)
    return {
      records: widening(state, same, mode, input.holds ?? []),
      result: { id: same, already: true, earlier: false },
    };
  const before = answeredBefore(state, session.actor.id, { ...input, text: input.text.trim() });
  if (before && input.reopenReason === undefined)
    return {
      records: [
        ...registration(state, session),
        { kind: 'answer.reused', v: 1, id: before.id, agent: session.actor.id },
      ],
      result: { id: before.id, already: false, earlier: true },
    };
  (mode === 'sync' ? requireRoomToHold : requireRoomToAsk)(state, session.actor.id);
  const id = nextQuestionId(state);
  const expiresAt = expiryOf(state, input.urgency, now);
  return {
    records: [
      ...registration(state, session),
      {
        ...input,
        ...approval(input),
        ...(before ? { reopens: before.id } : {}),
        kind: 'question.raised',
        v: 1,
        id,
        mode,
        expiresAt,
      },
    ],
    result: { id, already: false, earlier: false },
  };
}

/** Approval questions have the choices Yes and No, with a reason. */
function approval(input: RaiseInput): Pick<RaiseInput, 'choices' | 'multiple' | 'freeText'> {
  return input.type === 'approval'
    ? { choices: [{ label: 'Yes' }, { label: 'No' }], multiple: false, freeText: false }
    : {};
}

function widening(state: State, id: string, mode: QuestionRaised['mode'], holds: readonly string[]): RecordInput[] {
  const question = state.questions.get(id);
  const stricter = mode === 'sync' && question?.mode === 'async';
  const known = question ? [...question.holds, ...question.addedHolds] : [];
  const addHolds = holds.filter((glob) => !known.includes(glob));
  if (!stricter && addHolds.length === 0) return [];
  return [{ kind: 'question.widened', v: 1, id, ...(stricter ? { mode: 'sync' as const } : {}), addHolds }];
}

export interface Raised extends Omit<RaisedAs, 'id'> {
  readonly question: QuestionView;
}

/**
 * Stores a question. Returns the open one with the same asker, work item and normalised text, and makes it sync if
 * asked so now.
 * @throws AppError `not_found` for an unregistered work item, `bad_input` naming the field and its limit
 */
export async function raiseQuestion(store: Store, session: AgentSession, input: RaiseInput): Promise<Raised> {
  const { id, already, earlier } = await raiseOnly(store, session, input);
  return { question: requireQuestionView(store.read(), id), already, earlier };
}

/** Records it without reading rows. */
async function raiseOnly(store: Store, session: AgentSession, input: RaiseInput): Promise<RaisedAs> {
  return asAgent(async () => store.transact(session.actor, (view) => raise(view, session, input)));
}

/** Takes back an async question of the calling agent. @throws AppError `not_found`, `denied` */
export async function withdrawQuestion(
  store: Store,
  session: AgentSession,
  id: string,
  reason: string,
): Promise<QuestionView> {
  await withdraw(store, session, id, reason);
  return requireQuestionView(store.read(), id);
}

/** Records it without reading rows. */
async function withdraw(store: Store, session: AgentSession, id: string, reason: string): Promise<void> {
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const problem = withdrawalProblem(state, id, session.actor);
      if (problem !== null) throw new AppError(state.questions.has(id) ? 'denied' : 'not_found', problem);
      const record = { kind: 'question.withdrawn', v: 1, id, reason } as const;
      return { records: [record], result: null };
    }),
  );
}

/** Open questions that the agent's next step depends on: its own, and those on its current work. */
export function openQuestionsOfAgent(view: View, agent: string): QuestionView[] {
  const { state } = view;
  // A view takes long to make: of thousands, only of those that are the agent's.
  const concerns = (question: Question) => question.asker.id === agent || recipientOf(state, question) === agent;
  const open = undecidedQuestions(state).filter(concerns);
  return questionViews(
    view,
    open.map(({ id }) => id),
  );
}

/**
 * Waits until a human decides one of these questions or asks this agent back, the timeout expires, or the signal fires.
 * Returns their current views.
 */
export async function awaitOutcome(
  workspace: Workspace,
  ids: readonly string[],
  agent: string,
  options: WaitOptions,
): Promise<QuestionView[]> {
  const isOver = (questions: readonly QuestionView[]) =>
    isDecided(questions) || questions.some((one) => isAskedBack(one, agent));
  return waitUntil(workspace, (view) => questionsOf(view, ids), isOver, options);
}

export function isAskedBack({ waiting_for, recipient, agent_id }: QuestionView, agent: string): boolean {
  return waiting_for === 'agent' && (recipient === agent || agent_id === agent);
}

export function questionsOf(view: View, ids: readonly string[]): QuestionView[] {
  return ids.map((id) => questionView(view, id)).filter((question) => question !== null);
}

/**
 * Whether a waiting agent has something to receive: a human decided a question, or one that held nothing expired. An
 * expired hold remains, and so does the wait, until a human releases it.
 */
export function isDecided(questions: readonly QuestionView[]): boolean {
  return questions.length === 0 || questions.some((question) => question.resolution !== null || isLapsed(question));
}

/** Expired without an answer, and holds nothing. */
export function isLapsed({ resolution, status, holding }: QuestionView): boolean {
  return resolution === null && status === 'expired' && !holding;
}

/**
 * Sends an agent's reply to what a human asked back. The question keeps all that it holds.
 * @throws AppError `not_found`; `denied` to another agent; `conflict` when no human waits for a reply
 */
export async function replyToHuman(store: Store, session: AgentSession, id: string, text: string): Promise<void> {
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const problem = replyProblem(state, id, session.actor);
      const question = state.questions.get(id);
      if (!question) throw new AppError('not_found', problem ?? id);
      if (problem !== null)
        throw new AppError(openAskBack(question) === null ? 'conflict' : 'denied', problem, {
          advice: (guide) => `${guide.call} ${guide.name('await_answer', { id })} to wait for the human.`,
        });
      const record = { kind: 'question.replied', v: 1, id, number: question.askBacks.length, text } as const;
      return { records: [...registration(state, session), record], result: null };
    }),
  );
}

/**
 * Stores the brief with the question, which keeps all that it holds. A later brief replaces an earlier one.
 * @throws AppError `bad_input` for a brief that is too long; `not_found`; `conflict` once it is decided; `denied` to another agent
 */
export async function parkQuestion(
  store: Store,
  session: AgentSession,
  id: string,
  { hostSession, ...brief }: ResumeBrief & { readonly hostSession?: string | undefined },
): Promise<void> {
  const length = lengthOf(brief);
  if (length > briefLength)
    throw new AppError('bad_input', `the brief has ${String(length)} characters; the limit is ${String(briefLength)}`, {
      advice: () => 'Mention files instead of quoting them, and do not repeat the question.',
    });
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const problem = parkingProblem(state, id, session.actor);
      if (problem !== null) throw new AppError(whyNotParked(state.questions.get(id)), problem);
      const own = hostSession === undefined ? {} : { session: hostSession };
      const parked = {
        kind: 'question.parked' as const,
        v: 1 as const,
        id,
        ...own,
        brief: { ...brief, files: [...brief.files] },
      };
      return { records: [...registration(state, session), parked], result: null };
    }),
  );
}

function whyNotParked(question: Question | undefined): 'not_found' | 'conflict' | 'denied' {
  if (!question) return 'not_found';
  return question.resolution === null ? 'denied' : 'conflict';
}

// Notes what a host asks its user by itself, and ends the note with what the host reports. Without rows: the host waits
// for this.

interface NotedQuestion {
  readonly text: string;
  readonly choices: readonly { readonly label: string; readonly description?: string }[];
  readonly multiple: boolean;
}

export async function noteHostQuestion(
  store: Store,
  session: AgentSession,
  asked: AskedInHost,
  question: NotedQuestion,
): Promise<void> {
  await raiseOnly(store, session, {
    text: clip(question.text, limits.questionText),
    type: 'clarification',
    urgency: 'low',
    mode: 'async',
    work: null,
    choices: choicesOf(question),
    multiple: question.multiple,
    freeText: true,
    background: `${asked.host} asked this itself (${asked.by}), and waits for the answer there. What it reports as the answer ends this note.`,
    ...recordPayload(hostPayload(asked)),
    alternatives: [],
    files: [],
    holds: [],
  });
}

/** None where they do not fit a question of ours: the text says what is asked. */
function choicesOf({ choices }: NotedQuestion) {
  const labels = new Set(choices.map(({ label }) => sameTextKey(label)));
  if (labels.size < choices.length || choices.length > limits.choices) return [];
  if (choices.some(({ label }) => label.length > limits.title)) return [];
  return choices.map((choice) => ({ ...choice, recommended: false }));
}

/** @param answers by the text of the question; null ends the latest one that `asked.by` asked */
export async function endHostQuestions(
  store: Store,
  session: AgentSession,
  asked: EndedInHost,
  answers: readonly { readonly question: string | null; readonly text: string }[],
): Promise<void> {
  for (const { question, text } of answers) {
    const open = openInHost(store.read().state, asked);
    const key = question === null ? null : sameTextKey(clip(question, limits.questionText));
    const ended = open.filter(({ raised }) => key === null || sameTextKey(raised.text) === key).at(-1);
    if (ended) await end(store, session, ended.id, `Answered in ${asked.host}, as it reports: ${text}`);
  }
}

/** For a host whose hooks report no answer: its agent has gone on, so that nothing is asked there any more. */
export async function endOfTurn(store: Store, session: AgentSession, asked: EndedInHost): Promise<void> {
  for (const { id } of openInHost(store.read().state, asked))
    await end(store, session, id, `${asked.host} continued. Its hooks do not report the answer.`);
}

/** In the name of the agent that it was noted for: meanwhile the session may have got a number. */
async function end(store: Store, session: AgentSession, id: string, reason: string): Promise<void> {
  const asker = store.read().state.questions.get(id)?.asker.id ?? session.actor.id;
  const actor = { ...session.actor, id: asker };
  await withdraw(store, { ...session, actor }, id, clip(reason, limits.otherText));
}

function clip(text: string, atMost: number): string {
  return text.length > atMost ? `${text.slice(0, atMost - 1)}…` : text;
}

// What may have been changed since an agent asked. Only what is known is said: files that the agent itself named, in
// its records or commits, and files of its work that anyone may have changed.

/** What version control says about the time since then. */
export interface Changes {
  readonly commits: readonly {
    readonly author: string;
    readonly email: string;
    readonly message: string;
    readonly files: readonly string[];
  }[];
  /** All files changed since then, by anyone, committed or not; null where that cannot be read. */
  readonly files: readonly string[] | null;
}

export interface Touched {
  /** Named by the agent's own records of changes, or changed by commits that name it. */
  readonly byAgent: readonly string[];
  /** Of the work that the question is about, changed by anyone; null where that cannot be told. */
  readonly inWork: readonly string[] | null;
}

export function touchedSince(view: View, id: string, changes: Changes): Touched {
  const question = view.state.questions.get(id);
  if (!question) return { byAgent: [], inWork: null };
  const agent = question.asker.id;
  const committed = changes.commits.filter((commit) => names(commit, agent)).flatMap(({ files }) => files);
  const recorded = recordedChanges(view, agent, question.raisedAt);
  return { byAgent: [...new Set([...recorded, ...committed])], inWork: inWork(view.state, id, changes.files) };
}

function inWork(state: State, id: string, files: Changes['files']): readonly string[] | null {
  const question = state.questions.get(id);
  const globs = question ? namedScopes(state, question) : [];
  if (files === null || globs.length === 0) return null;
  return files.filter((file) => globs.some((glob) => globHolds(glob, file)));
}

/** Paths of the changes that the agent has recorded since then. */
function recordedChanges({ rows }: View, agent: string, since: string): string[] {
  return [...eventsIn(rows).events.values()]
    .filter(
      ({ author, author_kind, type, imported, posted_at }) =>
        author === agent && author_kind === 'agent' && type === 'mutation' && !imported && posted_at >= since,
    )
    .reverse()
    .flatMap(({ scopes }) => scopes);
}

/** As its author, or in a trailer such as `Agent: copilot-001` or `Co-authored-by: copilot-001 <…>`. */
function names({ author, email, message }: Changes['commits'][number], agent: string): boolean {
  if (author === agent || email.split('@')[0] === agent) return true;
  const last =
    message
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  return last.split('\n').some((line) => {
    const [, who] = /^(?:agent|co-authored-by|signed-off-by):\s*([^<]*?)\s*(?:<[^>]*>)?\s*$/i.exec(line) ?? [];
    return who === agent;
  });
}
