import { AppError } from '../../app/workspace/errors.ts';
import type { ExitCode } from '../kit/io.ts';

/** The exit code of an error: 2 for a refusal. */
export function refusedOr1(error: unknown): ExitCode {
  return error instanceof AppError && error.code === 'denied' ? 2 : 1;
}
