/** The file with the fence's notes. Without a fence there is none. */
import { besideStateFile } from '../../store/journal/stateFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

export function fenceFile({ stateFile }: Workspace): string {
  return besideStateFile(stateFile.path, 'fence');
}

/** Whether any file may be read-only because of the fence. */
export function hasFence(workspace: Workspace): boolean {
  return workspace.options.fs.existsSync(fenceFile(workspace));
}
