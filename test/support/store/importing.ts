/** Imports of files in a sandbox, as "holdpoint import" does them. */
import { preparedImport, runImport, type Imported, type ImportRun } from '../../../src/app/transfer/importing.ts';
import type { Plan } from '../../../src/app/transfer/importPlan.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { ImportSource } from '../../../src/core/records/import.ts';
import { agent } from './people.ts';
import type { Sandbox } from './sandbox.ts';

export interface Importing {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
}

export interface ImportChoices {
  readonly drafts?: boolean;
}

/** @param name of a file or folder in the sandbox */
export function plannedImport(
  { sandbox, workspace }: Importing,
  from: ImportSource,
  name: string,
  choices: ImportChoices = {},
): Promise<Plan> {
  const options = { path: sandbox.at(name), source: name, drafts: false, ...choices };
  return preparedImport(workspace, from, options);
}

export async function completeImport(
  into: Importing,
  from: ImportSource,
  name: string,
  choices: ImportChoices = {},
  how: ImportRun = {},
): Promise<{ plan: Plan; done: Imported }> {
  const plan = await plannedImport(into, from, name, choices);
  return { plan, done: await runImport(into.workspace, agent('shell-001').actor, plan, how) };
}
