/**
 * What agents can do, one operation for each act. Tools, verbs of the command line and routes of the HTTP API are ways to
 * call operations, so that their rules are the same in every channel. Errors tell the agent what to do next.
 */
import type * as z from 'zod';
import { baselinesAtOnce, takeBaselines } from '../../app/hold/takeBaselines.ts';
import { acknowledgeOffered, recordOffer, undeliveredQuestions } from '../../app/waiting/delivery.ts';
import { AppError, storeFailure, unlessOffline } from '../../app/workspace/errors.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import { HeldError } from '../../app/work/work.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { toolGuide, type Guide } from '../../core/kit/guide.ts';
import { capitalize } from '../../core/kit/text.ts';
import { undeliveredNotices } from '../../app/request/views.ts';
import { undeliveredRfcs, type RfcSummary } from '../../app/rfc/views.ts';
import type { QuestionView } from '../../app/question/views.ts';
import { rfcText } from '../rfc/texts.ts';
import { inTypedNames, inputProblems, type InputNames } from './inputProblems.ts';
import { schemaOf, type AlsoDelivered, type ErrorOutput, type OperationName, type ToolOutputs } from './outputs.ts';
import { noticesText } from './requestTexts.ts';
import { readerOf } from './reader.ts';
import { heldText, awaitedText } from './texts.ts';

export interface ToolContext {
  readonly workspace: Workspace;
  /** Set by the adapter; input cannot change it. */
  readonly session: AgentSession;
  /** Fires when the caller stops waiting. The question stays open. */
  readonly signal: AbortSignal;
  /** How long a tool waits for a human unless its input says otherwise. Milliseconds; may be Infinity. */
  readonly waitMs: number;
  /** What errors call the inputs, where the caller typed something else. */
  readonly inputNames?: InputNames | undefined;
  /** If omitted, advice names tools. */
  readonly guide?: Guide | undefined;
  readonly onTick?: ((waitedMs: number) => void) | undefined;
  /**
   * Takes work that may continue after the result was returned, in a program that stays alive: recording a delivery in a
   * shared journal, which needs a round trip. A program that ends before that delivers the outcome again.
   */
  readonly later?: ((work: Promise<void>) => void) | undefined;
  /**
   * False for callers that pass on nothing but what was asked for: other outcomes then reach the agent with a call that
   * does. Default: true.
   */
  readonly passesOthersOn?: boolean | undefined;
  /** For people and scripts, who read a list whole: lists are complete unless their input says otherwise. Default: false. */
  readonly listsAll?: boolean | undefined;
}

export interface RunContext extends ToolContext {
  /** Records notes about the call, such as a delivery. A call that only reads continues if the disk accepts no writes. */
  readonly record: Recording;
}

export interface ToolResult<D extends object = Readonly<Record<string, unknown>>> {
  /** For the model: short and exact, with the next step. */
  readonly text: string;
  /** The result as data, for programs. */
  readonly data: D;
  /** `error`: nothing was done. `denied`: by a hold or an UNKNOWN store. */
  readonly status: 'ok' | 'error' | 'denied';
  /** Questions, RFCs and requests whose outcome this result delivers. `asked`: the caller waited for exactly these. */
  readonly delivers?: {
    readonly questions: readonly QuestionView[];
    readonly rfcs?: readonly RfcSummary[];
    /** Requests whose notices this result delivers. */
    readonly requests?: readonly { readonly id: string }[];
    readonly asked: boolean;
  };
}

export interface Operation<S extends z.ZodObject = z.ZodObject, N extends OperationName = OperationName> {
  readonly name: N;
  readonly input: S;
  /** True if it only reads. */
  readonly readOnly: boolean;
  run(context: RunContext, input: z.output<S>): Promise<ToolResult<ToolOutputs[N]>>;
}

/** `runOperation` parses the input before `run` gets it, so one list can hold operations with different inputs. */
export function defineOperation<S extends z.ZodObject, N extends OperationName>(operation: Operation<S, N>): Operation {
  return operation;
}

/**
 * Runs an operation on unchecked input. Never throws for a caller's mistake: the result explains it.
 * Earlier outcomes that have not reached this agent yet are added to the result.
 */
export async function runOperation(operation: Operation, context: ToolContext, raw: unknown): Promise<ToolResult> {
  try {
    const parsed = parseInput(operation.input, raw ?? {});
    if (!parsed.success) {
      const inputs = { fields: Object.keys(operation.input.shape), names: context.inputNames };
      const problems = inputProblems(parsed.error, inputs, raw);
      return errorResult('bad_input', `Nothing was done. ${problems}`);
    }
    const store = await context.workspace.store();
    const notes = notesOf(operation);
    if (!store.problem) {
      await notes.record(async () => acknowledgeOffered(store, context.session));
    }
    const { data, ...result } = await operation.run({ ...context, record: notes.record }, parsed.data);
    await notes.record(async () => takeBaselines(context.workspace, baselinesAtOnce));
    const added = await addUndelivered(context, notes.record, {
      ...result,
      data: { schema: schemaOf(operation.name), ...data },
    });
    return notes.problem() === null ? added : unconfirmedResult(added, notes.problem() ?? '');
  } catch (error) {
    return failure(error, context);
  } finally {
    context.workspace.changed();
  }
}

/** Reads a list that arrives as its JSON: a known habit of one client. */
function parseInput(schema: z.ZodObject, raw: unknown): z.ZodSafeParseResult<Record<string, unknown>> {
  const parsed = schema.safeParse(raw);
  const given = raw as Readonly<Record<string, unknown>>;
  const lists = (parsed.error?.issues ?? []).flatMap((issue) => {
    const [name] = issue.path;
    if (issue.code !== 'invalid_type' || issue.expected !== 'array' || issue.path.length !== 1) return [];
    const list = listIn(given[name as string]);
    return list ? [[name, list] as const] : [];
  });
  return lists.length === 0 ? parsed : schema.safeParse({ ...given, ...Object.fromEntries(lists) });
}

function listIn(text: unknown): unknown[] | null {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : null;
    return Array.isArray(value) ? (value as unknown[]) : null;
  } catch {
    return null;
  }
}

type Recording = (act: () => Promise<unknown>) => Promise<void>;

/** Records notes about a call, such as a delivery. A call that only reads continues if the disk accepts no writes. */
function notesOf({ readOnly }: Pick<Operation, 'readOnly'>): { readonly record: Recording; problem(): string | null } {
  let problem: string | null = null;
  return {
    problem: () => problem,
    async record(act) {
      try {
        await unlessOffline(act());
      } catch (error) {
        const failed = storeFailure(error);
        if (!readOnly || failed?.code !== 'disk') throw error;
        problem = failed.message;
      }
    },
  };
}

function unconfirmedResult(result: ToolResult, why: string): ToolResult {
  const note = `Nothing can be saved here, so earlier writes are not confirmed, and outcomes may be given again: ${why}`;
  return { ...result, text: `${result.text}\n${sentence(note)}`, data: { ...result.data, unconfirmed: why } };
}

async function addUndelivered(context: ToolContext, note: Recording, result: ToolResult): Promise<ToolResult> {
  const store = await context.workspace.store();
  if (store.problem || store.readOnly || context.signal.aborted) return result;
  const { questions = [], rfcs = [], requests = [] } = result.delivers ?? {};
  const handed = [...questions, ...rfcs, ...requests].map(({ id }) => id);
  const view = store.read();
  const agent = context.session.actor.id;
  const isNew = ({ id }: { readonly id: string }) => !handed.includes(id);
  const more = undeliveredQuestions(view, agent).filter(isNew);
  const moreRfcs = undeliveredRfcs(view, agent).filter(isNew);
  const notices = undeliveredNotices(view, agent).filter(isNew);
  const record = async (delivered: readonly string[], acknowledged: boolean) => {
    const recorded = note(async () => recordOffer(store, context.session, delivered, acknowledged));
    if (view.state.shared && context.later) context.later(recorded);
    else await recorded;
  };
  if (handed.length > 0) await record(handed, result.delivers?.asked ?? false);
  if (context.passesOthersOn === false) return result;
  if (more.length + moreRfcs.length + notices.length === 0) return result;
  const ids = [...more, ...moreRfcs, ...notices].map(({ id }) => id);
  await record(ids, false);
  const also: AlsoDelivered = {
    ...(more.length === 0 ? {} : { also: more }),
    ...(moreRfcs.length === 0 ? {} : { also_rfcs: moreRfcs }),
    ...(notices.length === 0 ? {} : { also_requests: notices }),
  };
  const reader = readerOf(context);
  const earlier = [
    ...more.map((one) => awaitedText(one, reader)),
    ...moreRfcs.map((one) => rfcText(one, reader)),
    ...noticesText(notices, reader.guide),
  ];
  return {
    ...result,
    text: [result.text, ...earlier.map((text) => `Also: ${text}`)].join('\n'),
    data: { ...result.data, ...also },
  };
}

export function errorResult(code: string, message: string, status: 'error' | 'denied' = 'error'): ToolResult {
  return { status, text: message, data: errorData(code, message, status) };
}

/** An error as data, the same in every channel. */
function errorData(code: string, message: string, result: ErrorOutput['result']) {
  const data: ErrorOutput = { result, error: { code, message } };
  return { schema: schemaOf('error'), ...data };
}

function failure(error: unknown, context: ToolContext): ToolResult {
  const guide = guideOf(context);
  if (error instanceof HeldError) return { ...errorResult('denied', heldText(error, guide), 'denied') };
  if (error instanceof AppError)
    return errorResult(
      error.code,
      fullMessage(error, guide, context.inputNames),
      error.code === 'denied' ? 'denied' : 'error',
    );
  const failed = storeFailure(error);
  if (failed?.code === 'unknown_state')
    return errorResult(failed.code, `Denied: ${failed.message} Stop, and tell your human.`, 'denied');
  // These say themselves whether anything was done.
  if (failed?.code === 'unknown_outcome' || failed?.code === 'offline')
    return errorResult(failed.code, sentence(failed.message));
  if (failed) return errorResult(failed.code, `Nothing was done: ${sentence(failed.message)}`);
  throw error;
}

export function guideOf({ guide = toolGuide }: Pick<ToolContext, 'guide'>): Guide {
  return guide;
}

/** The error and the next step. */
export function fullMessage({ message, advice }: AppError, guide: Guide, names?: InputNames): string {
  return [sentence(inTypedNames(message, names)), ...(advice ? [advice(guide)] : [])].join(' ');
}

/** Ends with a full stop; begins with a capital unless it begins with a field's name. */
function sentence(text: string): string {
  const start = /^[a-z]+ /.test(text) ? capitalize(text) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
