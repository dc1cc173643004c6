/** Opens the workspace of a verb. */
import { openWorkspace, type Workspace } from '../../app/workspace/workspace.ts';
import type { Io } from './io.ts';
import { optionsOf } from './session.ts';

/** @throws AppError `bad_input` if the folder does not exist */
export function openFolder(io: Io, folder: string | undefined): Workspace {
  return openWorkspace(optionsOf(io, folder));
}
