/** The machine that a hook runs on. */
import type { WorkspaceOptions } from '../app/workspace/workspace.ts';

export type Surroundings = Omit<WorkspaceOptions, 'folder'>;
