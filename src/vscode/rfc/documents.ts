/**
 * RFCs as read-only Markdown documents with the editor's own comments: the way to read and comment by keyboard. A
 * comment made here is a remark and no more: commands can be run by software, so it is not signed, approves nothing
 * and resolves nothing.
 */
import * as vscode from 'vscode';
import { rfcAsText, sectionAt } from '../../app/rfc/text.ts';
import type { RfcText } from '../../app/rfc/text.ts';
import { giveFeedback } from '../../app/rfc/rfcs.ts';
import { rfcView } from '../../app/rfc/views.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import type { ThreadView } from '../../app/rfc/parts.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { withoutCommands } from '../../core/kit/withoutCommands.ts';
import { rfcId } from '../../core/records/rfcWords.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import type { Keys } from '../surface/signer.ts';
import { information } from '../kit/messages.ts';

const scheme = 'holdpoint-rfc';

export interface RfcDocumentsOptions {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly keyOf: (argument: unknown) => Promise<string | undefined>;
}

export function registerRfcDocuments({ folders, keys, keyOf }: RfcDocumentsOptions): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<vscode.Uri>());
  const controller = all.add(vscode.comments.createCommentController(ids.comments, 'Holdpoint'));
  const shown = new Map<string, vscode.CommentThread[]>();

  async function read(uri: vscode.Uri): Promise<{ folder: OpenFolder; rfc: RfcView; text: RfcText } | null> {
    const found = documentOf(folders, uri);
    if (!found || found.folder.workspace.standing().problem) return null;
    const rfc = rfcView((await found.folder.workspace.store()).read(), found.id);
    return rfc && { folder: found.folder, rfc, text: rfcAsText(rfc) };
  }

  /** The threads there are, under the headings they belong to. */
  async function showThreads(uri: vscode.Uri): Promise<void> {
    const document = await read(uri);
    for (const thread of shown.get(uri.toString()) ?? []) thread.dispose();
    const threads = (document?.rfc.threads ?? []).map((thread) => {
      const place = document?.text.places.find(
        ({ key, heading }) => key === thread.section?.key && (key !== 'other' || heading === thread.section.heading),
      );
      const line = place?.line ?? 0;
      const made = controller.createCommentThread(uri, new vscode.Range(line, 0, line, 0), commentsOf(thread));
      made.canReply = false;
      made.label = vscode.l10n.t('Thread {0}', thread.number);
      made.state = thread.resolved === null ? vscode.CommentThreadState.Unresolved : vscode.CommentThreadState.Resolved;
      return made;
    });
    shown.set(uri.toString(), threads);
  }

  controller.commentingRangeProvider = {
    provideCommentingRanges: (document) =>
      document.uri.scheme === scheme ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [],
  };
  controller.options = { placeHolder: vscode.l10n.t('A comment for the author. It decides nothing.') };

  async function comment(reply: vscode.CommentReply): Promise<void> {
    const { thread, text } = reply;
    const document = await read(thread.uri);
    if (!document || text.trim() === '') return;
    const { folder, rfc } = document;
    const at = sectionAt(document.text, thread.range?.start.line ?? 0);
    const standing = await keys.standing(folder.workspace);
    giveFeedback(
      await folder.workspace.store(),
      { kind: 'human', id: standing.kind === 'enrolled' ? standing.name : standing.suggestedName },
      rfc.id,
      {
        revision: rfc.revision,
        type: 'concern',
        section: at && { key: at.key, heading: at.heading },
        text,
        blocking: false,
      },
    );
    thread.dispose();
    folder.workspace.changed();
  }

  async function open(argument: unknown): Promise<void> {
    const key = await keyOf(argument);
    const found = folders.find(key ?? '');
    if (!found) {
      void information(vscode.l10n.t('No RFC is waiting for review.'));
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
        vscode.l10n.t('This RFC cannot be read: its folder is not open, or its store is damaged.'),
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
      for (const thread of shown.get(uri.toString()) ?? []) thread.dispose();
      shown.delete(uri.toString());
    }),
  );
  all.add(vscode.commands.registerCommand(ids.commands.openRfcDocument, open));
  all.add(vscode.commands.registerCommand(ids.commands.commentRfc, comment));
  return all;
}

/** As an agent wrote it, but for what nobody would see, and for links that would run something. */
function shownDocument(text: string | undefined): string | undefined {
  return text === undefined ? undefined : visibleText(withoutCommands(text));
}

function commentsOf(thread: ThreadView): vscode.Comment[] {
  return [thread, ...thread.replies].map(({ text, by, by_kind, signed, at }) => ({
    // Plain text: what agents write is no markup here.
    body: new vscode.MarkdownString().appendText(visibleText(text)),
    mode: vscode.CommentMode.Preview,
    author: { name: visibleText(by_kind === 'human' && !signed ? vscode.l10n.t('{0}, not signed', by) : by) },
    timestamp: new Date(at),
  }));
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
