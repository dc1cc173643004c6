/** What a use case can refuse. The reason is a code; the message says what was wrong and what to do. */
import type { Guide } from '../../core/kit/guide.ts';
import { StoreError } from '../../store/journal/problem.ts';

export type Advice = (guide: Guide) => string;

export type AppErrorCode = 'bad_input' | 'not_found' | 'conflict' | 'denied';

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  /** What to do next, in the words of whoever shows it. */
  readonly advice: Advice | undefined;
  constructor(code: AppErrorCode, message: string, { advice, ...options }: ErrorOptions & { advice?: Advice } = {}) {
    super(message, options);
    this.code = code;
    this.advice = advice;
  }
}

/** Advice for work that is not registered. */
export const registerFirst: Advice = (guide) => `Register it first: ${guide.name('register_work')}.`;

/** Runs an agent's act: a record that the store refuses is the agent's mistake or a hold, and both are for it to read. */
export function asAgent<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'held') throw new AppError('denied', error.message, { cause: error });
    if (error.code === 'refused') throw new AppError('bad_input', error.message, { cause: error });
    throw error;
  }
}

/** Why the store did not do it, for who may not import the store; null for another error. */
export function storeFailure(error: unknown): { readonly code: string; readonly message: string } | null {
  return error instanceof StoreError ? { code: error.code.replaceAll('-', '_'), message: error.message } : null;
}
