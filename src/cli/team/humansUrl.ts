import { AppError } from '../../app/workspace/errors.ts';
import type { Io } from '../kit/io.ts';

/** @throws AppError `denied` */
export function humansUrl({ env }: Io): string {
  const url = env['HOLDPOINT_HUMAN_URL'] ?? '';
  if (url !== '') return url;
  throw new AppError(
    'denied',
    "only a human's login can do this, and the command line has none, because agents use it: do this in the editor, or set HOLDPOINT_HUMAN_URL for this one command",
  );
}
