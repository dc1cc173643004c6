/** A workspace with a human whose key counts: what most tests of the store begin with. */
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Store } from '../../../src/store/store.ts';
import { enrolledHuman, type Human } from './people.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

export interface WithHuman {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly store: Store;
  readonly human: Human;
}

export async function withHuman(): Promise<WithHuman> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  return { sandbox, workspace, human, store: await workspace.store() };
}
