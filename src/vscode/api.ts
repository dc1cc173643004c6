/** The API for other extensions: reading and notifications. It decides and writes nothing. */
import * as vscode from 'vscode';
import { listQuestions, type QuestionFilter, type QuestionList } from '../app/question/views.ts';
import type { Notification } from '../core/waiting/eventStream.ts';
import { collect, type Closable } from '../ui/kit/timing.ts';
import { whileOpen, type Folders } from '../ui/kit/folders.ts';

/** `vscode.extensions.getExtension<HoldpointApi>('holdpoint.holdpoint')?.exports` */
export interface HoldpointApi {
  readonly version: 1;
  /** Fires once per event, in this or another program. */
  readonly onDidNotify: vscode.Event<Notification & { readonly folder: string }>;
  /** Questions of one workspace folder, newest first, with their counts. */
  questions(folder: vscode.Uri, filter?: QuestionFilter): Promise<QuestionList>;
}

export function exportApi(folders: Folders): { readonly api: HoldpointApi } & Closable {
  const all = collect();
  const notified = all.add(new vscode.EventEmitter<Notification & { readonly folder: string }>());
  all.add(
    whileOpen(
      folders,
      () => folders.all,
      ({ workspace, uri }) =>
        workspace.onNotify((notification) => {
          notified.fire({ ...notification, folder: uri.toString() });
        }),
    ),
  );
  const api: HoldpointApi = {
    version: 1,
    onDidNotify: notified.event,
    async questions(folder, filter) {
      const found = folders.all.find(({ uri }) => uri.toString() === folder.toString());
      if (!found) throw new Error(`${folder.toString()} is not an open folder with a Holdpoint store`);
      return listQuestions((await found.workspace.store()).read(), filter);
    },
  };
  return {
    api: Object.freeze(api),
    dispose: all.dispose,
  };
}
