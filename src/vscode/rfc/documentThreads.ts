/** Comments on an RFC that is open as a document: existing threads, and new remarks, which are unsigned. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { giveFeedback } from '../../app/rfc/rfcs.ts';
import type { ThreadView } from '../../app/rfc/parts.ts';
import { sectionAt } from '../../app/rfc/text.ts';
import type { RfcText } from '../../app/rfc/text.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import type { Keys } from '../../ui/surface/keys.ts';

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
