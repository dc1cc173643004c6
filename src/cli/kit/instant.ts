/** The time of an option `--since`. */
import { AppError } from '../../app/workspace/errors.ts';

/**
 * ISO 8601, UTC; null without the option.
 * @throws AppError `bad_input`
 */
export function instantOf(since: string | undefined): string | null {
  if (since === undefined) return null;
  const at = /^\d{4}-\d\d-\d\d(?:T.*)?$/.test(since) ? new Date(since) : new Date(NaN);
  if (Number.isNaN(at.getTime()))
    throw new AppError(
      'bad_input',
      `--since: "${since}" must be a date such as 2026-03-01 or a time such as 2026-03-01T12:00Z`,
    );
  return at.toISOString();
}
