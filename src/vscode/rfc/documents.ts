/**
 * RFCs as read-only Markdown documents with the editor's own comments, for reading and commenting by keyboard. Comments
 * made here are unsigned, because software can run commands: they approve and resolve nothing.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { rfcAsText } from '../../app/rfc/text.ts';
import { rfcView } from '../../app/rfc/views.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { withoutCommands } from '../../core/kit/withoutCommands.ts';
import { rfcId } from '../../core/records/rfcWords.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import { information } from '../kit/messages.ts';
import { addComment, documentThreads } from './documentThreads.ts';
import type { ShownRfc } from './documentThreads.ts';

const scheme = 'holdpoint-rfc';

export interface RfcDocumentsOptions {
  readonly folders: Folders;
  readonly keys: Keys;
  /** The RFC to read; undefined if there is none, null if the user chooses none. */
  readonly keyOf: (argument: unknown) => Promise<string | null | undefined>;
}

export function registerRfcDocuments({ folders, keys, keyOf }: RfcDocumentsOptions): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<vscode.Uri>());
  const controller = all.add(vscode.comments.createCommentController(ids.comments, 'Holdpoint'));
  const threads = documentThreads(controller);

  async function read(uri: vscode.Uri): Promise<ShownRfc | null> {
    const found = documentOf(folders, uri);
    if (!found || found.folder.workspace.standing().problem) return null;
    const rfc = rfcView((await found.folder.workspace.store()).read(), found.id);
    return rfc && { folder: found.folder, rfc, text: rfcAsText(rfc) };
  }

  async function showThreads(uri: vscode.Uri): Promise<void> {
    threads.show(uri, await read(uri));
  }

  controller.commentingRangeProvider = {
    provideCommentingRanges: (document) =>
      document.uri.scheme === scheme ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [],
  };
  controller.options = { placeHolder: l10n.t('A comment for the author. It decides nothing.') };

  async function comment(reply: vscode.CommentReply): Promise<void> {
    const document = await read(reply.thread.uri);
    if (document && reply.text.trim() !== '') await addComment(keys, document, reply);
  }

  async function open(argument: unknown): Promise<void> {
    const key = await keyOf(argument);
    if (key === null) return;
    const found = folders.find(key ?? '');
    if (!found) {
      void information(l10n.t('There is no RFC in this window.'));
      return;
    }
    const document = await vscode.workspace.openTextDocument(uriOf(found.folder, found.id));
    await vscode.window.showTextDocument(document);
    await showThreads(document.uri);
  }

  const documents = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
  all.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) =>
        shownDocument((await read(uri))?.text.text) ??
        l10n.t('This RFC cannot be read: its folder is not open, or its store is damaged.'),
    }),
  );
  all.add(
    folders.onDidChange(() => {
      for (const { uri } of documents()) {
        changed.fire(uri);
        void showThreads(uri);
      }
    }),
  );
  all.add(
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.scheme === scheme) void showThreads(uri);
    }),
  );
  all.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      threads.forget(uri);
    }),
  );
  all.add(vscode.commands.registerCommand(ids.commands.openRfcDocument, open));
  all.add(vscode.commands.registerCommand(ids.commands.commentRfc, comment));
  return all;
}

/** The original text with hidden characters shown, and without executable links. */
function shownDocument(text: string | undefined): string | undefined {
  return text === undefined ? undefined : visibleText(withoutCommands(text));
}

/** `holdpoint-rfc:/RFC-3.md?<folder>` */
function uriOf(folder: OpenFolder, id: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${id}.md`, query: folder.uri.toString() });
}

function documentOf(folders: Folders, uri: vscode.Uri): { folder: OpenFolder; id: string } | null {
  const id = rfcId.safeParse(/^\/(.+)\.md$/.exec(uri.path)?.[1]);
  const folder = uri.query === '' ? folders.all[0] : folders.all.find((one) => one.uri.toString() === uri.query);
  return id.success && folder ? { folder, id: id.data } : null;
}
