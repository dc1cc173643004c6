/** Refusals of use cases. The reason is a code; the message says what was wrong and what to do. */
import type { Guide } from '../../core/kit/guide.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { State } from '../../core/state/state.ts';
import { StoreError } from '../../store/journal/problem.ts';

export type Advice = (guide: Guide) => string;

export type AppErrorCode = 'bad_input' | 'not_found' | 'conflict' | 'denied';

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  /** What to do next, in the terms of the caller (a verb or a tool). */
  readonly advice: Advice | undefined;
  constructor(code: AppErrorCode, message: string, { advice, ...options }: ErrorOptions & { advice?: Advice } = {}) {
    super(message, options);
    this.code = code;
    this.advice = advice;
  }
}

/** There is no copy of a held file as it was when the hold began, so it can be neither compared nor restored. */
export class NoCopyError extends AppError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/** Work that is not registered, and how to register it. */
export function notRegistered(id: string): AppError {
  return new AppError('not_found', `work item "${firstLine(id)}" is not registered`, {
    advice: (guide) => `Register it first: ${registerHint(id, guide)}.`,
  });
}

/** @throws AppError for a task, and for work that is not registered */
export function requireWorkflow({ work }: Pick<State, 'work'>, id: string, field: string): void {
  const item = work.get(id);
  if (!item) throw notRegistered(id);
  if (item.kind !== 'workflow') throw new AppError('bad_input', `${field}: ${id} is a ${item.kind}, not a workflow`);
}

export function registerHint(id: string, guide: Guide): string {
  return guide.name('register_work', { id: firstLine(id), title: '…' });
}

/** Runs an agent's act and converts the store's refusals into errors for the agent: its own mistake, or a hold. */
export async function asAgent<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'held') throw new AppError('denied', error.message, { cause: error });
    if (error.code === 'refused') throw new AppError('bad_input', error.message, { cause: error });
    throw error;
  }
}

/** The store's failure, for layers that may not import the store; null for another error. */
export function storeFailure(error: unknown): { readonly code: string; readonly message: string } | null {
  return error instanceof StoreError ? { code: error.code.replaceAll('-', '_'), message: error.message } : null;
}

/** While the server of a shared journal does not answer, an agent can still read: it gets the same outcomes again later. */
export async function unlessOffline(recording: Promise<unknown>): Promise<void> {
  try {
    await recording;
  } catch (error) {
    if (!isAway(error)) throw error;
  }
}

/** The server of a shared journal did not answer, or not after the act was sent. */
function isAway(error: unknown): boolean {
  // By name: a gate that loads the store has a class of its own.
  const { name, code } = error as Partial<StoreError>;
  return name === 'StoreError' && (code === 'offline' || code === 'unknown-outcome');
}
