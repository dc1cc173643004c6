import { openCopy } from '../../../src/app/recovery/editorsCopy.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { finish } from '../../../src/core/kit/finish.ts';

/** Brings a copy up to date at once. */
export function updateCopy(workspace: Workspace, copyFile: string): void {
  const copy = openCopy(workspace, copyFile);
  try {
    finish(copy.update());
  } finally {
    copy.close();
  }
}
