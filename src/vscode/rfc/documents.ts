/**
 * RFCs as read-only Markdown documents with the editor's own comments, for reading and commenting by keyboard. Comments
 * made here are unsigned, because software can run commands: they approve and resolve nothing.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { rfcAsText, sectionAt, type RfcText } from '../../app/rfc/text.ts';
import { rfcView, type RfcView } from '../../app/rfc/views.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { withoutCommands } from '../../core/kit/withoutCommands.ts';
import { rfcId } from '../../core/records/rfcWords.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { information, withoutIcons } from '../kit/messages.ts';
import { giveFeedback } from '../../app/rfc/rfcs.ts';
import type { ThreadView } from '../../app/rfc/parts.ts';
import { isRfcWaiting } from '../../core/rfc/rfc.ts';

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
        l10n.t('This RFC cannot be read: its folder is not open, or its journal cannot be verified.'),
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

// Comments on an RFC that is open as a document: existing threads, and new remarks, which are unsigned.

export interface ShownRfc {
  readonly folder: OpenFolder;
  readonly rfc: RfcView;
  readonly text: RfcText;
}

export interface DocumentThreads {
  /** Shows the threads of a document under their headings. Null if the document cannot be read. */
  show(uri: vscode.Uri, document: ShownRfc | null): void;
  forget(uri: vscode.Uri): void;
}

export function documentThreads(controller: vscode.CommentController): DocumentThreads {
  const shown = new Map<string, vscode.CommentThread[]>();

  function forget(uri: vscode.Uri): void {
    for (const thread of shown.get(uri.toString()) ?? []) thread.dispose();
    shown.delete(uri.toString());
  }

  return {
    forget,
    show(uri, document) {
      forget(uri);
      if (document)
        shown.set(
          uri.toString(),
          document.rfc.threads.map((thread) => draw(uri, document, thread)),
        );
    },
  };

  function draw(uri: vscode.Uri, { text }: ShownRfc, thread: ThreadView): vscode.CommentThread {
    const place = text.places.find(
      ({ key, heading }) => key === thread.section?.key && (key !== 'other' || heading === thread.section.heading),
    );
    const line = place?.line ?? 0;
    const made = controller.createCommentThread(uri, new vscode.Range(line, 0, line, 0), commentsOf(thread));
    made.canReply = false;
    made.label = l10n.t('Thread {0}', thread.number);
    made.state = thread.resolved === null ? vscode.CommentThreadState.Unresolved : vscode.CommentThreadState.Resolved;
    return made;
  }
}

/** A remark in the name of this editor's human, without a signature: it decides nothing. */
export async function addComment(
  keys: Keys,
  { folder, rfc, text: document }: ShownRfc,
  { thread, text }: vscode.CommentReply,
): Promise<void> {
  const at = sectionAt(document, thread.range?.start.line ?? 0);
  const standing = await keys.standing(folder.workspace);
  await giveFeedback(
    await folder.workspace.store(),
    { kind: 'human', id: standing.kind === 'enrolled' ? standing.name : standing.suggestedName },
    rfc.id,
    {
      revision: rfc.text_revision,
      type: 'concern',
      section: at && { key: at.key, heading: at.heading },
      text,
      blocking: false,
    },
  );
  thread.dispose();
  folder.workspace.changed();
}

function commentsOf(thread: ThreadView): vscode.Comment[] {
  return [thread, ...thread.replies].map(({ text, by, by_kind, signed, at }) => ({
    // Plain text, because agents wrote it.
    body: new vscode.MarkdownString().appendText(visibleText(text)),
    mode: vscode.CommentMode.Preview,
    author: { name: visibleText(by_kind === 'human' && !signed ? l10n.t('{0}, not signed', by) : by) },
    timestamp: new Date(at),
  }));
}

// Chooses an RFC to read among all of the open folders, including decided ones.

/** RFCs waiting for a review first, then the latest. Their titles are agents’ text. */
export function rfcRows(folders: Folders) {
  const all = folders.all.flatMap((folder) =>
    [...(folder.workspace.standing().state?.rfcs.values() ?? [])].map((rfc) => ({
      label: withoutIcons(rfc.title),
      description: folders.all.length > 1 ? `${rfc.id} · ${withoutIcons(folder.name)}` : rfc.id,
      key: folders.keyOf(folder, rfc.id),
      waits: isRfcWaiting(rfc),
      at: rfc.updatedAt,
    })),
  );
  return all.toSorted((a, b) => Number(b.waits) - Number(a.waits) || b.at.localeCompare(a.at));
}

/** Undefined if there are none, null if the user chooses none. */
export async function chooseRfc(folders: Folders): Promise<string | null | undefined> {
  const rows = rfcRows(folders);
  if (rows.length < 2) return rows[0]?.key;
  const picked = await vscode.window.showQuickPick(rows, {
    placeHolder: l10n.t('Open which RFC?'),
    matchOnDescription: true,
  });
  return picked?.key ?? null;
}
