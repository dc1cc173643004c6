import { openCopy } from '../../../src/app/recovery/editorKeeps.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';

/** Brings a copy up to date at once. */
export function updateCopy(workspace: Workspace, copyFile: string): void {
  const copy = openCopy(workspace, copyFile);
  try {
    copy.update();
  } finally {
    copy.close();
  }
}
