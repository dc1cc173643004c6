/** RFCs on the agents' side: propose, revise, reply, submit, mark as implemented. Deciding is on the human side. */
import type { RecordInput } from '../../core/records/records.ts';
import { hasItem } from '../../core/waiting/items.ts';
import { meantBy } from '../../core/kit/persons.ts';
import { actProblem, latestRevision, nextRfcId, revisionStatus, isWriter, writersOf } from '../../core/rfc/rfc.ts';
import { changedDocument, emptyDocument, type DocumentChange } from '../../core/rfc/document.ts';
import { type RfcContext, rfcLimits, type SectionKey } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { State } from '../../core/state/state.ts';
import type { Store, View } from '../../store/store.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { AppError, asAgent, notRegistered, requireWorkflow } from '../workspace/errors.ts';
import { raiseHumanQuestions } from './review.ts';
import { documentOf } from './parts.ts';
import { requireRfc, requireRfcView, type RfcView } from './views.ts';
import { requireRoomToHold, registration, type AgentSession } from '../workspace/session.ts';
import path from 'node:path';
import { parseRfc, parseSection, RfcMarkdownError } from '../../core/rfc/markdown.ts';
import { errorCode } from '../../store/journal/files.ts';
import { allNames } from '../workspace/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface ProposeInput extends DocumentChange {
  readonly title: string;
  readonly workflows: readonly string[];
  readonly tasks: readonly string[];
  readonly holds: readonly string[];
  readonly contexts: readonly RfcContext[];
  /** The person or responsibility that should review it. */
  readonly for?: string | undefined;
  /** Submits it to a human immediately. */
  readonly submit: boolean;
}

/**
 * Stores an RFC, which then holds the work and files it names.
 * @throws AppError `not_found` for unregistered work, `bad_input` naming the field and its limit
 */
export async function proposeRfc(store: Store, session: AgentSession, input: ProposeInput): Promise<RfcView> {
  const id = await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      requireWork(state, input, 'affected_workflows');
      requireRoomToHold(state, session.actor.id);
      requireContexts(state, input.contexts);
      const next = nextRfcId(state);
      const proposed = {
        kind: 'rfc.proposed' as const,
        v: 1 as const,
        id: next,
        document: changedDocument(emptyDocument(input.title), input),
        workflows: [...input.workflows],
        tasks: [...input.tasks],
        holds: [...input.holds],
        contexts: [...input.contexts],
        ...(input.for === undefined ? {} : { for: input.for }),
      } satisfies RecordInput;
      const submitted: RecordInput[] = input.submit ? [{ kind: 'rfc.submitted', v: 1, id: next, revision: 1 }] : [];
      return { records: [...registration(state, session), proposed, ...submitted], result: next };
    }),
  );
  await raiseHumanQuestions(store);
  return requireRfcView(store.read(), id);
}

export interface UpdateInput {
  /** No new revision if omitted or without changes. */
  readonly document?: DocumentChange | undefined;
  readonly note?: string | undefined;
  readonly addWorkflows?: readonly string[] | undefined;
  readonly addTasks?: readonly string[] | undefined;
  readonly addHolds?: readonly string[] | undefined;
  readonly addContexts?: readonly RfcContext[] | undefined;
  readonly replies?: readonly { readonly thread: number; readonly text: string }[] | undefined;
  readonly submit?: boolean | undefined;
  /** An agent that may edit and submit it from now on, besides its author. */
  readonly handTo?: string | undefined;
  /** The person or responsibility that it is for from now on; null: everybody. */
  readonly for?: string | null | undefined;
  readonly implemented?: boolean | undefined;
}

/**
 * Applies all changes in one act, or none. A changed document is a new revision; for an approved RFC it is an
 * amendment, and the approved revision stays in force.
 * @throws AppError `not_found`, `conflict` when its status forbids it, `bad_input` naming the field
 */
export async function updateRfc(store: Store, session: AgentSession, id: string, input: UpdateInput): Promise<RfcView> {
  await asAgent(async () =>
    store.transact(session.actor, (view) => {
      const rfc = requireRfc(view.state, id);
      requireContexts(view.state, input.addContexts ?? []);
      const records = [
        ...revising(view, rfc, input),
        ...widening(view.state, rfc, input),
        ...replyRecords(rfc, input),
        ...finishing(rfc, input),
      ];
      const revised = records.some(({ kind }) => kind === 'rfc.revised');
      if (input.submit) records.push(...submitting(rfc, revised));
      records.push(...forwardRecords(rfc, input), ...handoverRecords(rfc, meantBy(session.actor.id, input.handTo)));
      if (records.some(({ kind }) => writing.has(kind))) requireWriter(rfc, session);
      return { records: records.length === 0 ? [] : [...registration(view.state, session), ...records], result: null };
    }),
  );
  await raiseHumanQuestions(store);
  return requireRfcView(store.read(), id);
}

/**
 * Checks that the RFC's references exist.
 * @throws AppError `not_found`
 */
function requireContexts(state: State, contexts: readonly RfcContext[]): void {
  const unknown = contexts.find(({ id }) => !state.events.has(id) && !hasItem(state, id));
  if (unknown)
    throw new AppError(
      'not_found',
      `${unknown.role}_ids: there is no event ${unknown.id} here. Give ids such as E-12`,
      { advice: (guide) => `${guide.name('search_events')} lists them.` },
    );
}

function revising(view: View, rfc: Rfc, { document, note }: UpdateInput): RecordInput[] {
  if (!document) return [];
  const before = documentOf(view, rfc, latestRevision(rfc).number);
  const after = changedDocument(before, document);
  if (canonicalJson(before) === canonicalJson(after)) return [];
  requireAct(rfc, 'revise');
  return [
    {
      kind: 'rfc.revised',
      v: 1,
      id: rfc.id,
      revision: rfc.revisions.length + 1,
      document: after,
      ...(note === undefined ? {} : { note }),
    },
  ];
}

function widening(state: State, rfc: Rfc, input: UpdateInput): RecordInput[] {
  const addWorkflows = (input.addWorkflows ?? []).filter((id) => !rfc.workflows.includes(id));
  const addTasks = (input.addTasks ?? []).filter((id) => !rfc.tasks.includes(id));
  const addHolds = (input.addHolds ?? []).filter((glob) => ![...rfc.holds, ...rfc.addedHolds].includes(glob));
  const addContexts = [...(input.addContexts ?? [])];
  if (addWorkflows.length + addTasks.length + addHolds.length + addContexts.length === 0) return [];
  requireWork(state, { workflows: addWorkflows, tasks: addTasks }, 'add_workflows');
  return [{ kind: 'rfc.widened', v: 1, id: rfc.id, addWorkflows, addTasks, addHolds, addContexts }];
}

function replyRecords(rfc: Rfc, { replies = [] }: UpdateInput): RecordInput[] {
  const count = new Map<number, number>();
  return replies.map(({ thread, text }): RecordInput => {
    const known = rfc.threads[thread - 1];
    if (!known)
      throw new AppError('not_found', `${rfc.id} has no thread ${String(thread)}`, {
        advice: (guide) => `${guide.name('get_rfc', { id: rfc.id })} shows them.`,
      });
    const reply = (count.get(thread) ?? known.replies) + 1;
    count.set(thread, reply);
    return { kind: 'rfc.feedbackReplied', v: 1, id: rfc.id, thread, reply, text };
  });
}

const writing: ReadonlySet<string> = new Set(['rfc.revised', 'rfc.submitted', 'rfc.handedOver', 'rfc.addressed']);

function requireWriter(rfc: Rfc, { actor }: AgentSession): void {
  if (isWriter(rfc, actor)) return;
  const { id } = rfc;
  throw new AppError(
    'denied',
    `${id} is written by ${writersOf(rfc).join(' and ')}: only they can change or submit it. Reply to its threads, propose your own RFC, or ask ${rfc.asker.id} to hand it over`,
    { advice: (guide) => `The author does that with ${guide.name('update_rfc', { id, hand_to: actor.id })}.` },
  );
}

function forwardRecords(rfc: Rfc, { for: to }: UpdateInput): RecordInput[] {
  if (to === undefined || to === rfc.for) return [];
  if (revisionStatus(rfc) === null)
    throw new AppError(
      'conflict',
      `${rfc.id} is ${rfc.status}: only an RFC that still needs a decision is for someone`,
    );
  return [{ kind: 'rfc.addressed', v: 1, id: rfc.id, to }];
}

function handoverRecords(rfc: Rfc, handTo: string | undefined): RecordInput[] {
  if (handTo === undefined || handTo === (rfc.keeper ?? rfc.asker.id)) return [];
  return [{ kind: 'rfc.handedOver', v: 1, id: rfc.id, to: handTo }];
}

function finishing(rfc: Rfc, { implemented }: UpdateInput): RecordInput[] {
  if (!implemented) return [];
  requireAct(rfc, 'implement');
  return [{ kind: 'rfc.implemented', v: 1, id: rfc.id }];
}

/** Nothing to do if it is already submitted; an amendment is submitted when it is created. */
function submitting(rfc: Rfc, revised: boolean): RecordInput[] {
  const place = rfc.status === 'approved' && revised ? (rfc.amendment ?? 'under_review') : revisionStatus(rfc);
  if (place === 'under_review') return [];
  requireAct(rfc, 'submit');
  return [{ kind: 'rfc.submitted', v: 1, id: rfc.id, revision: rfc.revisions.length + (revised ? 1 : 0) }];
}

function requireAct(rfc: Rfc, act: Parameters<typeof actProblem>[1]): void {
  const problem = actProblem(rfc, act);
  if (problem !== null) throw new AppError('conflict', problem);
}

function requireWork(
  state: State,
  { workflows, tasks }: Pick<ProposeInput, 'workflows' | 'tasks'>,
  field: string,
): void {
  for (const id of workflows) requireWorkflow(state, id, field);
  for (const id of tasks) if (!state.work.has(id)) throw notRegistered(id);
}

export type Markdown = { readonly file: string } | { readonly text: string };

/**
 * Reads a whole document, or with `section` this section alone; a heading that repeats the section's name is dropped.
 * @throws AppError `bad_input` for a path outside the workspace, invalid or too much text, or a missing title
 */
export function importRfc(
  workspace: Workspace,
  from: Markdown,
  section?: Exclude<SectionKey, 'other'>,
): DocumentChange {
  const name = 'file' in from ? `file "${from.file}"` : 'markdown';
  try {
    const text = 'file' in from ? readText(workspace, from.file) : from.text;
    return section === undefined ? parseRfc(text) : parseSection(text, section);
  } catch (error) {
    const why = error instanceof RangeError ? 'nests too deeply' : error instanceof RfcMarkdownError && error.message;
    if (why === false) throw error;
    throw new AppError('bad_input', `${name}: ${why}`, { cause: error });
  }
}

function readText(workspace: Workspace, file: string): string {
  const { fs } = workspace.options;
  // The last name is the real path, checked to be inside the workspace.
  const place = path.join(workspace.location.worktree, allNames(workspace, file, 'file').at(-1) ?? '');
  const refuse = (why: string, cause?: unknown) => new AppError('bad_input', `file "${file}": ${why}`, { cause });
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      throw refuse(code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`, error);
    }
  };
  const { size } = reading(() => fs.statSync(place));
  if (size > rfcLimits.documentBytes)
    throw refuse(`is larger than 1 MiB (${String(size)} bytes): shorten it, or give its sections one by one`);
  const bytes = reading(() => fs.readFileSync(place));
  if (bytes.includes(0)) throw refuse('is binary, not Markdown');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw refuse('is not UTF-8 text', error);
  }
}
