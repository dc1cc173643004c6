/** An editor on a copy of the sample, and an agent beside it: what most tests of a person's way begin and end with. */
import path from 'node:path';
import { startAgent, type Agent } from './agent.ts';
import { openEditor, type Editor } from './editor.ts';
import { root } from './host.ts';
import { copyFolder } from './scenario.ts';
import type { TemporaryFolder } from './temporary.ts';
import { extensionReady } from './tools.ts';
import type { EditorWindow } from './window.ts';

export interface OnSample {
  readonly workspace: TemporaryFolder;
  readonly editor: Editor;
  readonly window: EditorWindow;
  readonly agent: Agent;
}

/** @param begin keeps what was opened, and does what the tests need */
export function onSample(
  begin: (opened: OnSample) => unknown,
  options: Omit<NonNullable<Parameters<typeof openEditor>[0]>, 'workspace'> = {},
): void {
  let opened: OnSample | undefined;
  before(async () => {
    const workspace = await copyFolder(path.join(root, 'sample'));
    const editor = await openEditor({ workspace: workspace.folder, ...options });
    await extensionReady(editor.window);
    const agent = startAgent({ workspace: workspace.folder, env: editor.env });
    opened = { workspace, editor, window: editor.window, agent };
    await begin(opened);
  });
  after(async () => {
    opened?.agent.close();
    await opened?.editor.close();
    await opened?.workspace.remove();
  });
}
