/** Selects in the tree the item that the "Answer" view shows. */
import type * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';

export interface FollowingOptions<Node> {
  readonly view: vscode.TreeView<Node>;
  /** The rows that can be selected. */
  readonly rows: () => Promise<readonly Node[]>;
  readonly keyOf: (row: Node) => string | null;
  /** Fires with an item's key when the form shows a different item. */
  readonly onDidShow: vscode.Event<string>;
}

export interface Following extends Closable {
  /** The rows have changed, so an item without a row may have one now. */
  update(): Promise<void>;
}

export function followForm<Node>({ view, rows, keyOf, onDidShow }: FollowingOptions<Node>): Following {
  const all = collect();
  /** The key of a displayed item that is not selected yet. */
  let waiting: string | undefined;

  async function update(): Promise<void> {
    const key = waiting;
    if (key === undefined || !view.visible) return;
    const row = (await rows()).find((one) => keyOf(one) === key);
    if (!row || key !== waiting) return;
    waiting = undefined;
    if (view.selection.some((one) => keyOf(one) === key)) return;
    // Best effort: the row may disappear during the search.
    await Promise.resolve(view.reveal(row, { select: true, focus: false })).catch(() => undefined);
  }

  all.add(
    onDidShow((key) => {
      waiting = key;
      void update();
    }),
  );
  all.add(view.onDidChangeVisibility(() => void update()));
  return {
    update,
    dispose: () => {
      all.dispose();
    },
  };
}
