/** The prices of tokens in the user-level folder: this person's own, for all workspaces and programs. */
import path from 'node:path';
import { tokenPrices } from '../../core/kit/tokenPrices.ts';
import type { TokenPrices } from '../../core/kit/tokenPrices.ts';
import { AppError } from '../workspace/errors.ts';
import { readPrivateFile } from '../workspace/privateFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface ReadPrices {
  /** Null where this person has written none. */
  readonly prices: TokenPrices | null;
  /** Why the file cannot be used. */
  readonly problem: string | null;
}

export function readPrices({ options, userFolder }: Pick<Workspace, 'options' | 'userFolder'>): ReadPrices {
  const { fs, platform } = options;
  const file = path.join(userFolder, 'prices.json');
  try {
    return { prices: readPrivateFile({ fs, platform, file, schema: tokenPrices, closed: 0o022 }), problem: null };
  } catch (error) {
    return { prices: null, problem: error instanceof AppError ? error.message : `${file} cannot be read` };
  }
}
