/** An editor on a copy of the sample, and an agent beside it: what most tests of a person's way begin and end with. */
import path from 'node:path';
import { startAgent, type Agent } from './agent.ts';
import { openEditor, type Editor } from './editor.ts';
import { root } from './host.ts';
import { copyFolder } from './scenario.ts';
import { temporaryFolder, type TemporaryFolder } from './temporary.ts';
import { extensionReady } from './tools.ts';
import type { EditorWindow } from './window.ts';

export interface OnSample {
  readonly workspace: TemporaryFolder;
  readonly editor: Editor;
  readonly window: EditorWindow;
  readonly agent: Agent;
}

interface Options extends Omit<NonNullable<Parameters<typeof openEditor>[0]>, 'workspace'> {
  /** On an empty folder instead. */
  readonly empty?: boolean;
}

/** @param begin keeps what was opened, and does what the tests need */
export function onSample(begin: (opened: OnSample) => unknown, { empty = false, ...options }: Options = {}): void {
  let opened: OnSample | undefined;
  before(async () => {
    const workspace = await (empty ? temporaryFolder() : copyFolder(path.join(root, 'sample')));
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
