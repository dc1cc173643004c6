/** Tree rows that open the form of several assumptions. */
import { isConfirmable } from '../../core/question/assumptions.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { confirmableCount } from '../kit/order.ts';

/** Opens the form that confirms several assumptions, of one agent or of all. */
export interface AssumptionsNode {
  readonly kind: 'assumptions';
  readonly folder: OpenFolder;
  readonly agent?: string;
  readonly count: number;
}

/** One row for each folder with several assumptions to confirm. */
export function assumptionRows(folders: Folders): AssumptionsNode[] {
  return folders.shown.flatMap(([folder]) => assumptionRow(folder));
}

/** The row of a folder, or of one of its agents, if there are several. */
export function assumptionRow(folder: OpenFolder, agent?: string): AssumptionsNode[] {
  const { state } = folder.workspace.standing();
  const count = state === null ? 0 : confirmableCount(folder.workspace, state, agent);
  return count > 1 ? [{ kind: 'assumptions', folder, ...(agent === undefined ? {} : { agent }), count }] : [];
}

export function isConfirmableIn({ workspace }: OpenFolder, id: string): boolean {
  const question = workspace.standing().state?.questions.get(id);
  return question !== undefined && isConfirmable(question);
}
